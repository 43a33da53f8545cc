/** What an import would do, or has done, with each row. Rows that can't be used come first. */
import type { ImportResult } from '@countersign/sdk'
import { useLanguage } from '../../../app/i18n.ts'
import { numberText } from '../../../ui/clock.ts'
import { StatusWord, type Tone } from '../../../ui/status-word.tsx'
import { useRolesText } from '../member-roles.tsx'
import type { Report } from './run.ts'
import { useImportWords } from './words.ts'

const tones: Readonly<Record<ImportResult['effect'], Tone>> = {
  ...{ invited: 'verified', reinvited: 'verified', added: 'verified', changed: 'verified' },
  ...{ unchanged: 'plain', refused: 'broken' },
}
export const effects = Object.keys(tones) as ImportResult['effect'][]
const shownFirst = (results: readonly ImportResult[]) =>
  results.toSorted((one, other) => Number(other.effect === 'refused') - Number(one.effect === 'refused'))

export const countOf = ({ results }: Report, effect: ImportResult['effect']): number =>
  results.filter((each) => each.effect === effect).length

export const changesIn = (report: Report): number =>
  report.results.filter(({ effect }) => effect !== 'unchanged' && effect !== 'refused').length

/** What is to say of a row beside its effect. */
export function useRowText(): (result: ImportResult) => string {
  const say = useImportWords()
  return ({ reason, duplicateOf, formerName, name, guardiansInvited, sameName }) =>
    [
      reason && say(`reason${reason}`, { row: duplicateOf ?? 0 }),
      formerName !== null && say('renames', { former: formerName, name: name ?? '' }),
      guardiansInvited > 0 && say('guardiansInvited', { count: guardiansInvited }),
      sameName && say('sameName'),
    ]
      .filter(Boolean)
      .join(' ')
}

/** Nothing has a tick before it is done. */
const toneOf = (effect: ImportResult['effect'], done: boolean): Tone =>
  done || effect === 'refused' ? tones[effect] : 'plain'

interface Properties {
  readonly report: Report
  readonly done: boolean
}

export function ImportRows({ report, done }: Properties) {
  const say = useImportWords()
  const language = useLanguage()
  const roles = useRolesText()
  const textOf = useRowText()
  return (
    <>
      <ul className="import-counts" aria-label={say('counts')}>
        {effects
          .map((effect) => [effect, countOf(report, effect)] as const)
          .filter(([, count]) => count > 0)
          .map(([effect, count]) => (
            <li key={effect}>
              <StatusWord tone={toneOf(effect, done)}>
                {say(done ? `did${effect}` : `will${effect}`, { count: numberText(count, language) })}
              </StatusWord>
            </li>
          ))}
      </ul>
      <ol className="import-rows" aria-label={say('rows')}>
        {shownFirst(report.results).map((result, at) => (
          // Two addresses of one line have one row number.
          <li key={`${result.row} ${at}`}>
            <span className="soft small">{say('row', { row: result.row })}</span>
            <span>
              <b>{result.name ?? result.email ?? say('nameless')}</b>
              <small>{[result.name !== null && result.email, roles(result.roles)].filter(Boolean).join(' · ')}</small>
              {textOf(result) && <small>{textOf(result)}</small>}
            </span>
            <StatusWord tone={toneOf(result.effect, done)}>
              {say(done ? `made${result.effect}` : `effect${result.effect}`)}
            </StatusWord>
          </li>
        ))}
      </ol>
    </>
  )
}
