/** Decisions of one type: what all have, one row for each, and what the agent says. */
import type { ShownValue } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { cellNodes, labelNodes, valueRows } from '@countersign/proof/view-tree.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useNarrow } from '../../ui/narrow.ts'
import { Tree } from '../../ui/picture.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import type { Columns, Group } from './batch.ts'
import { useInboxWords } from './words.ts'

export interface RowState {
  readonly word: string
  readonly tone: Tone
}

interface Properties {
  readonly group: Group
  /** Tells apart what has the same place in two groups. */
  readonly name: string
  readonly chosen: ReadonlySet<string>
  readonly states: ReadonlyMap<string, RowState>
  readonly busy: boolean
  onChoose(ids: readonly string[], isChosen: boolean): void
}

/** More columns would not fit on a screen: then each decision is a list. */
const mostColumns = 6

/** The places of values are unique on the page. */
const within = (name: string, value: ShownValue): ShownValue => ({ ...value, pointer: `${name}${value.pointer}` })

const Same = ({ name, columns }: { readonly name: string; readonly columns: Columns }) => {
  const language = useLanguage()
  if (columns.same.length === 0) return null
  const values = columns.same.map((value) => within(name, value))
  return (
    <dl className="vals">
      <Tree nodes={valueRows(values, language)} />
    </dl>
  )
}

const Cell = ({ name, value }: { readonly name: string; readonly value: ShownValue | null }) => {
  const say = useInboxWords()
  const language = useLanguage()
  if (!value) return <td className="soft">{say('noValue')}</td>
  const isNumber = value.kind === 'amount' || value.kind === 'number'
  return (
    <td className={isNumber ? 'num' : undefined} data-v={`${name}${value.pointer}`}>
      <Tree nodes={cellNodes(value, language)} />
    </td>
  )
}

function Rows({ group, chosen, states, busy, onChoose }: Omit<Properties, 'name'>) {
  const say = useInboxWords()
  const language = useLanguage()
  const { rows, values } = group
  const narrow = useNarrow()
  const ids = rows.map(({ item }) => item.eventId)
  const box = (id: string) => {
    const state = states.get(id)
    if (state) return <StatusWord tone={state.tone}>{state.word}</StatusWord>
    return (
      <input
        type="checkbox"
        className="batch-box"
        aria-label={say('choose', {
          what: rows.find(({ item }) => item.eventId === id)?.item.headline[language] ?? '',
        })}
        checked={chosen.has(id)}
        disabled={busy}
        onChange={(event) => onChoose([id], event.target.checked)}
      />
    )
  }
  const all = (
    <input
      type="checkbox"
      className="batch-box"
      aria-label={say('chooseAll')}
      checked={ids.every((id) => chosen.has(id))}
      disabled={busy}
      onChange={(event) => onChoose(ids, event.target.checked)}
    />
  )
  if (narrow || values.heads.length > mostColumns || values.heads.length === 0) {
    return (
      <ul className="batch-cards">
        {rows.map(({ item }, at) => (
          <li key={item.eventId}>
            {box(item.eventId)}
            <div>
              <p>
                <b>{item.headline[language]}</b>
              </p>
              <dl className="vals">
                <Tree
                  nodes={valueRows(
                    (values.cells[at] ?? [])
                      .flatMap((value) => value ?? [])
                      .map((value) => within(item.eventId, value)),
                    language,
                  )}
                />
              </dl>
            </div>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <table className="batch-grid">
      <thead>
        <tr>
          <th>{all}</th>
          {values.heads.map((value) => (
            <th key={value.path} className={value.kind === 'amount' || value.kind === 'number' ? 'num' : undefined}>
              <Tree nodes={labelNodes(value)} /> <span className="at">{value.path}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ item }, at) => (
          <tr key={item.eventId}>
            <td>{box(item.eventId)}</td>
            {(values.cells[at] ?? []).map((value, column) => (
              <Cell key={values.heads[column]?.path} name={item.eventId} value={value} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What is the same is said once; what differs is said for each. */
function Said({ group, name }: Pick<Properties, 'group' | 'name'>) {
  const language = useLanguage()
  const { said, rows } = group
  return (
    <section className="said-box">
      <h2>
        <span>“ {sayView(language, 'saidHeading')}</span>
        <small>{sayView(language, 'unverified')}</small>
      </h2>
      <Same name={`${name} said`} columns={said} />
      {said.heads.length > 0 &&
        rows.map(({ item }, at) => (
          <div key={item.eventId} className="batch-said">
            <p>
              <b>{item.headline[language]}</b>
            </p>
            <dl className="vals">
              <Tree
                nodes={valueRows(
                  (said.cells[at] ?? []).flatMap((value) => value ?? []).map((value) => within(item.eventId, value)),
                  language,
                )}
              />
            </dl>
          </div>
        ))}
    </section>
  )
}

export function BatchGroup(properties: Properties) {
  const say = useInboxWords()
  const { group, name } = properties
  return (
    <section className="part">
      <h2 className="view-head">
        <bdi>{group.rows[0]?.view.headline[0]?.text}</bdi>
        <small>{say('batchCount', { count: group.rows.length })}</small>
      </h2>
      <Rows {...properties} />
      {group.values.same.length > 0 && <h3 className="batch-same">{say('batchSame')}</h3>}
      <Same name={name} columns={group.values} />
      <Said group={group} name={name} />
    </section>
  )
}
