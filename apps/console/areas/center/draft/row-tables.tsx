/** Below a draft: whom the figures are about, row by row, on the screen and on paper. */
import { useLanguage } from '../../../app/i18n.ts'
import { numberText } from '../../../ui/clock.ts'
import type { Draft } from './data.ts'
import { withNames } from './names.ts'
import { type Cell, tablesOf } from './tables.ts'
import { isDraftWord, useDraftWords } from './words.ts'

export function RowTables({ draft }: { readonly draft: Draft }) {
  const say = useDraftWords()
  const language = useLanguage()
  const { figures } = draft.metadata as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  const wordOf = (key: string) => (isDraftWord(key) ? say(key) : null)
  const tables = tablesOf(figures ?? {}, (column) => isDraftWord(`column${column}`)).filter(
    ({ name }) => wordOf(`figure${name}`) !== null,
  )
  const written = (cell: Cell) =>
    typeof cell === 'number' ? numberText(cell, language) : withNames(cell, draft.people, say('unknownLabel'))
  if (tables.length === 0) return null
  return (
    <div className="draft-text draft-tables">
      {tables.map(({ name, columns, rows, more }) => (
        <section key={name}>
          <h3>{wordOf(`figure${name}`)}</h3>
          <TextTable
            label={wordOf(`figure${name}`) ?? ''}
            head={columns.map((column) => wordOf(`column${column}`) ?? '')}
            rows={rows.map((row) => row.map(written))}
            right={columns.map((_, at) => rows.every((row) => typeof row[at] === 'number' || row[at] === '–'))}
          />
          {more > 0 && <p className="small soft">{say('moreRows', { count: numberText(more, language) })}</p>}
        </section>
      ))}
    </div>
  )
}

interface TableProperties {
  readonly label: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The columns with numbers. */
  readonly right?: readonly boolean[]
}

/** A table in a document: on a phone it scrolls by itself. */
export function TextTable({ label, head, rows, right = [] }: TableProperties) {
  const side = (at: number) => (right[at] ? 'r' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table>
        {head.length > 0 && (
          <thead>
            <tr>
              {head.map((text, at) => (
                <th key={at} scope="col" className={side(at)}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((text, at) => (
                <td key={at} className={side(at)}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
