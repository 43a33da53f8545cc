/** Erasing committed values, found by their names and contents, with a preview of what every later proof shows. */
import { companionsOf } from '@countersign/proof/companions.ts'
import type { Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { dpuIdOf } from '../../decision/read.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { exportQuery } from './data.ts'
import { type Erasable, erasableIn, found, groups, matches } from './erasable.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly decision: Decision
  onClose(): void
}

const named = [
  'approver.id',
  'approver.name',
  'approver.role',
  'approver.roles',
  'identity.by',
  'reason',
  'onBehalfOf',
  'actionSalt',
  'reasonSalt',
  'statement',
  'output',
  'metadata',
] as const

export function RedactDialog({ decision, onClose }: Properties) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const dpuId = dpuIdOf(decision)
  const { data, error: unread } = useQuery(exportQuery(dpuId))
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [reason, setReason] = useState('')
  const evidence = data?.document.evidence
  const paths = useMemo(() => Object.keys(evidence?.disclosures ?? {}).toSorted(), [evidence])
  const all = useMemo(() => {
    if (!evidence) return []
    const labels = (path: string) => {
      const [, prior] = /^prior(\d+)$/.exec(path) ?? []
      if (prior !== undefined) return say('value prior', { number: Number(prior) + 1 })
      const tail = named.find((each) => `.${path}`.endsWith(`.${each}`) && !path.startsWith('event.'))
      return tail === undefined ? null : say(`value ${tail}`)
    }
    return erasableIn(evidence, paths, decision.actionType as never, labels, language)
  }, [evidence, paths, decision.actionType, say, language])
  const shownItems = found(all, search)
  // The server erases these with the chosen ones, so the preview shows them too.
  const taken = companionsOf(chosen, (path) => paths.includes(path))
  const toggle = (path: string) =>
    setChosen((before) => (before.includes(path) ? before.filter((each) => each !== path) : [...before, path]))
  const erase = useChange(['decisions'], () => api.dpus.redact(dpuId, { paths: [...chosen], reason: reason.trim() }), {
    told: 'shown',
  })
  const isDone = erase.isSuccess
  return (
    <Dialog
      title={say('redactTitle')}
      onClose={onClose}
      {...(!isDone && {
        action: {
          text: say('redactDo', { count: chosen.length + taken.length }),
          disabled: erase.isPending || chosen.length === 0 || reason.trim() === '',
          run: () => erase.mutate(),
        },
      })}
      className="decisions-redact"
    >
      {isDone ? (
        <p role="status">{say('redactDone')}</p>
      ) : (
        <>
          <p>{say('redactText')}</p>
          <Field
            label={say('redactFind')}
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {!evidence && !unread && <Skeleton rows={4} />}
          {evidence && paths.length === 0 && <p className="soft">{say('redactNone')}</p>}
          {evidence && paths.length > 0 && shownItems.length === 0 && (
            <p className="soft" role="status">
              {say('redactNotFound')}
            </p>
          )}
          <div className="decisions-redact-list">
            {groups.map((group) => {
              const items = shownItems.filter((each) => each.group === group)
              return items.length === 0 ? null : (
                <fieldset key={group}>
                  <legend>{say(`group ${group}`)}</legend>
                  {items.map((item) => (
                    <Item
                      key={item.path}
                      item={item}
                      search={search}
                      state={chosen.includes(item.path) ? 'chosen' : taken.includes(item.path) ? 'taken' : 'kept'}
                      onToggle={() => toggle(item.path)}
                    />
                  ))}
                </fieldset>
              )
            })}
          </div>
          <Field
            label={say('redactReason')}
            data-field="reason"
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      )}
      <ErrorLine error={erase.error ?? unread} />
    </Dialog>
  )
}

interface ItemProperties {
  readonly item: Erasable
  readonly search: string
  readonly state: 'kept' | 'chosen' | 'taken'
  readonly onToggle: () => void
}

const longest = 120
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

function Item({ item: { path, values }, search, state, onToggle }: ItemProperties) {
  const say = useDecisionsWords()
  const isOne = values.length === 1
  return (
    <div className="decisions-erasable" data-path={path}>
      <label>
        <input type="checkbox" checked={state !== 'kept'} disabled={state === 'taken'} onChange={onToggle} />
        <span>{isOne ? values[0]?.label : say('redactTogether', { count: values.length })}</span>
      </label>
      {state !== 'kept' && <p className="decisions-gone">{say(state === 'taken' ? 'redactTaken' : 'redactGone')}</p>}
      {isOne ? (
        <p className={state === 'kept' ? undefined : 'decisions-erased'}>{cut(values[0]?.text ?? '')}</p>
      ) : (
        <dl className={state === 'kept' ? undefined : 'decisions-erased'}>
          {values.map((value, place) => (
            <div key={place}>
              <dt>{value.label}</dt>
              <dd>{matches(value, search) ? <mark>{cut(value.text)}</mark> : cut(value.text)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
