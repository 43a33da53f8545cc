/** `signature check`: whether a delivery that arrived was signed with this secret. */
import { readFileSync } from 'node:fs'
import { UsageError } from './command-line.ts'
import type { Given } from './given.ts'
import { readProfiles } from './profiles.ts'
import { coloured, marks } from './progress.ts'
import { isSecret, signatureFault } from './webhook-signature.ts'

/** 0: it fits. 1: it does not. */
export async function checkSignature(given: Given): Promise<number> {
  const { words, say, command, text, options } = given
  const [file, ...more] = words
  if (file === undefined || more.length > 0) throw new UsageError(say('oneBody'), command)
  const { current, profiles } = readProfiles()
  const name = text('profile') ?? current
  const own = name === null ? undefined : profiles[name]?.listen?.secret
  const secret = text('secret') ?? process.env.COUNTERSIGN_WEBHOOK_SECRET ?? own
  if (secret === undefined || !isSecret(secret)) throw new UsageError(say('badSecret'), command)
  const body = read(file, command)
  const headers = headersIn(text('headers'), given)
  const fault = signatureFault(headers, body, [secret], options['any-age'] ? null : Date.now())
  const status = fault === null ? 'yes' : 'no'
  const said = say(fault === null ? 'signatureFits' : `signature ${fault}`)
  given.print({ ok: fault === null, fault }, [coloured(status, `${marks[status]} ${said}`)])
  return fault === null ? 0 : 1
}

function read(file: string, command: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
}

/** One header in a line, as curl prints them, or a JSON object. */
function headersIn(file: string | undefined, given: Given): Readonly<Record<string, string>> {
  const { text, command } = given
  const named = ['id', 'timestamp', 'signature'].flatMap((each) => {
    const value = text(each)
    return value === undefined ? [] : [[`webhook-${each}`, value] as const]
  })
  const written = file === undefined ? '' : read(file, command).toString()
  const pairs = written.trim().startsWith('{')
    ? Object.entries(JSON.parse(written) as Record<string, string>)
    : written.split('\n').flatMap((line) => {
        const at = line.indexOf(':')
        return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
      })
  return Object.fromEntries(
    [...pairs, ...named].map(([name, value]) => [name.trim().toLowerCase(), String(value).trim()]),
  )
}
