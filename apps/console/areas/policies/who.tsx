/** Who is meant: roles, groups and people, each of which can be taken away, and one more added. */
import { type Entry, entriesOf, type Named, withEntry, withoutEntry } from './line.ts'
import { type Naming, nameOf } from './naming.ts'
import { usePolicyWords } from './words.ts'

interface Properties {
  readonly label: string
  /** Said where nobody is named. */
  readonly none: string
  readonly named: Named
  readonly naming: Naming
  readonly onChange: (change: ReturnType<typeof withEntry>) => void
}

const textOf = ({ kind, id }: Entry): string => `${kind} ${id}`

export function WhoPicker({ label, none, named, naming, onChange }: Properties) {
  const say = usePolicyWords()
  const entries = entriesOf(named)
  const taken = new Set(entries.map(textOf))
  const options: readonly Entry[] = [
    { kind: 'roles', id: 'ADMIN' },
    { kind: 'roles', id: 'INSTRUCTOR' },
    ...naming.groups.map(({ id }) => ({ kind: 'groupIds', id }) as const),
    ...naming.staff.map(({ actorId }) => ({ kind: 'actorIds', id: actorId }) as const),
  ]
  const free = options.filter((entry) => !taken.has(textOf(entry)))
  return (
    <fieldset className="line-who" aria-label={label}>
      {entries.length === 0 && <span>{none}</span>}
      {entries.map((entry) => (
        <span key={textOf(entry)} className="line-name">
          {nameOf(entry, naming, say)}
          <button
            type="button"
            className="policy-drop"
            aria-label={say('dropWho', { name: nameOf(entry, naming, say) })}
            onClick={() => onChange(withoutEntry(named, entry))}
          >
            ×
          </button>
        </span>
      ))}
      <select
        className="policy-blank line-add"
        aria-label={say('addWho', { label })}
        value=""
        onChange={(event) => {
          const chosen = free.find((entry) => textOf(entry) === event.target.value)
          if (chosen) onChange(withEntry(named, chosen))
        }}
      >
        <option value="">+ {say('add1')}</option>
        {free.map((entry) => (
          <option key={textOf(entry)} value={textOf(entry)}>
            {nameOf(entry, naming, say)}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
