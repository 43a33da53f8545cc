/** Erasing committed values, with a preview of what every later proof shows. */
import { companionsOf } from '@countersign/proof/companions.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useUiWords } from '../../ui/words.ts'
import { exportQuery, type ProofFile } from './data.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly dpuId: string
  readonly eventId: string
  onClose(): void
}

const longest = 120

/** The value behind a path such as `event.action.input`, in one line. */
function valueAt(evidence: ProofFile['evidence'], path: string): string {
  let value: unknown = evidence
  for (const name of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

export function RedactDialog({ dpuId, eventId, onClose }: Properties) {
  const say = useDecisionsWords()
  const ui = useUiWords()
  const { data, error: unread } = useQuery(exportQuery(dpuId))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [reason, setReason] = useState('')
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [error, setError] = useState<unknown>(null)
  const evidence = data?.document.evidence
  const paths = Object.keys(evidence?.disclosures ?? {}).toSorted()
  // The server erases these with the chosen ones, so the preview shows them too.
  const taken = companionsOf(chosen, (path) => paths.includes(path))
  const toggle = (path: string) =>
    setChosen((before) => (before.includes(path) ? before.filter((each) => each !== path) : [...before, path]))
  const erase = async () => {
    setState('busy')
    setError(null)
    try {
      await api.dpus.redact(dpuId, { paths: [...chosen], reason: reason.trim() })
      await queries.invalidateQueries({ queryKey: ['decisions', eventId] })
      await queries.invalidateQueries({ queryKey: ['decisions', dpuId] })
      setState('done')
    } catch (failure) {
      setError(failure)
      setState('open')
    }
  }
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {ui(state === 'done' ? 'close' : 'cancel')}
      </button>
      {state !== 'done' && (
        <button
          type="button"
          className="btn first"
          disabled={state === 'busy' || chosen.length === 0 || reason.trim() === ''}
          onClick={erase}
        >
          {say('redactDo', { count: chosen.length + taken.length })}
        </button>
      )}
    </>
  )
  return (
    <Dialog title={say('redactTitle')} onClose={onClose} actions={actions} className="decisions-redact">
      {state === 'done' ? (
        <p role="status">{say('redactDone')}</p>
      ) : (
        <>
          <p>{say('redactText')}</p>
          <p className="label">{say('redactPreview')}</p>
          {!evidence && !unread && <Skeleton rows={4} />}
          {evidence && paths.length === 0 && <p className="soft">{say('redactNone')}</p>}
          <ul>
            {evidence &&
              paths.map((path) => (
                <li key={path}>
                  <label>
                    <input
                      type="checkbox"
                      checked={chosen.includes(path) || taken.includes(path)}
                      disabled={taken.includes(path)}
                      onChange={() => toggle(path)}
                    />
                    <span className="mono">{path}</span>
                  </label>
                  {chosen.includes(path) || taken.includes(path) ? (
                    <span className="decisions-gone">{say(taken.includes(path) ? 'redactTaken' : 'redactGone')}</span>
                  ) : (
                    <span className="soft">{valueAt(evidence, path)}</span>
                  )}
                </li>
              ))}
          </ul>
          <Field
            label={say('redactReason')}
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      )}
      <ErrorLine error={error ?? unread} />
    </Dialog>
  )
}
