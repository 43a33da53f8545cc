/** Which rate limit an operation counts against, with the default numbers of docs/settings.md. */
import { readFileSync } from 'node:fs'
import type { Operation } from '@countersign/contract/operation.ts'
import { root } from '../map.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'

type Setting =
  | 'RATE_LIMIT_STANDARD'
  | 'RATE_LIMIT_PARTNER'
  | 'RATE_LIMIT_PUBLIC'
  | 'RATE_LIMIT_PROOF'
  | 'RATE_LIMIT_LOGIN'

const defaults = new Map(
  Array.from(
    readFileSync(new URL('docs/settings.md', root), 'utf8').matchAll(/^\| `(RATE_LIMIT_\w+)` \| `(\d+)\/(\d+)` \|/gm),
    ([, name = '', most, seconds]) => [name, { most: Number(most), seconds: Number(seconds) }] as const,
  ),
)

/** `times` as many as the setting's default. */
function numbersOf(setting: Setting, times: number, language: Language): string {
  const found = defaults.get(setting)
  if (!found) throw new Error(`docs/settings.md has no default for ${setting}`)
  const most = (found.most * times).toLocaleString('en-US')
  const minutes = found.seconds / 60
  if (language === 'ko') return minutes === 1 ? `1분에 ${most}` : `${minutes}분에 ${most}`
  return minutes === 1 ? `${most} a minute` : `${most} in ${minutes} minutes`
}

/** An account's attempts from one address; an address's from all accounts are twenty times as many. */
const addressFactor = 20

export function rateOf({ spec, rate }: Operation, language: Language): string {
  const of = (setting: Setting, times = 1) => numbersOf(setting, times, language)
  const link = (setting: string) => `([\`${setting}\`](${addressOf('reference/settings', language)}#${setting}))`
  const say = (en: string, ko: string) => (language === 'ko' ? ko : en)
  const perPerson = (setting: Setting) =>
    say(`${of(setting)} per account ${link(setting)}.`, `계정마다 ${of(setting)}건 ${link(setting)}.`)
  if (rate === 'none') return say('Not counted.', '세지 않습니다.')
  if (rate === 'login')
    return say(
      `Only failures count: ${of('RATE_LIMIT_LOGIN')} per account and address, and ${of('RATE_LIMIT_LOGIN', addressFactor)} per address ${link('RATE_LIMIT_LOGIN')}.`,
      `실패만 셉니다. 계정과 주소마다 ${of('RATE_LIMIT_LOGIN')}건, 주소마다 ${of('RATE_LIMIT_LOGIN', addressFactor)}건 ${link('RATE_LIMIT_LOGIN')}.`,
    )
  if (rate === 'entry')
    return say(
      `${of('RATE_LIMIT_LOGIN')} per account and address, and ${of('RATE_LIMIT_LOGIN', addressFactor)} per address ${link('RATE_LIMIT_LOGIN')}. A request with a valid token doesn't count.`,
      `계정과 주소마다 ${of('RATE_LIMIT_LOGIN')}건, 주소마다 ${of('RATE_LIMIT_LOGIN', addressFactor)}건 ${link('RATE_LIMIT_LOGIN')}. 올바른 토큰이 있는 요청은 세지 않습니다.`,
    )
  if (rate === 'token')
    return say(
      `Only failures count: ${of('RATE_LIMIT_PUBLIC')} per token, and ${of('RATE_LIMIT_PUBLIC', addressFactor)} per address ${link('RATE_LIMIT_PUBLIC')}.`,
      `실패만 셉니다. 토큰마다 ${of('RATE_LIMIT_PUBLIC')}건, 주소마다 ${of('RATE_LIMIT_PUBLIC', addressFactor)}건 ${link('RATE_LIMIT_PUBLIC')}.`,
    )
  switch (spec.access.kind) {
    case 'key': {
      const setting = rate === 'management' ? 'RATE_LIMIT_STANDARD' : 'RATE_LIMIT_PROOF'
      const center = `${setting}_PER_CENTER`
      return say(
        `${of(setting)} per API key ${link(setting)}, within the limit of the center ${link(center)}.`,
        `API 키마다 ${of(setting)}건 ${link(setting)}. 센터 전체의 한도도 있습니다 ${link(center)}.`,
      )
    }
    case 'partner':
      return perPerson('RATE_LIMIT_PARTNER')
    case 'public':
      return say(
        `${of('RATE_LIMIT_PUBLIC')} per client address ${link('RATE_LIMIT_PUBLIC')}.`,
        `클라이언트 주소마다 ${of('RATE_LIMIT_PUBLIC')}건 ${link('RATE_LIMIT_PUBLIC')}.`,
      )
    default:
      return perPerson('RATE_LIMIT_STANDARD')
  }
}
