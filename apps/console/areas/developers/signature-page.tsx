/** Why a signature does not match. Nothing that is typed here leaves the browser. */
import { type FormEvent, useId, useState } from 'react'
import { Part } from '../../ui/desk.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { DevPage } from './dev-desk.tsx'
import { type Diagnosis, diagnose } from './signature.ts'
import { useDeveloperWords } from './words.ts'

interface AreaProperties {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
}

function Area({ label, rows, value, onChange, placeholder }: AreaProperties) {
  const id = useId()
  return (
    <div className="labeled">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="field mono"
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

export function SignaturePage() {
  const say = useDeveloperWords()
  const [body, setBody] = useState('')
  const [headers, setHeaders] = useState('')
  const [secrets, setSecrets] = useState('')
  const [found, setFound] = useState<Diagnosis | null>(null)
  const check = async (event: FormEvent) => {
    event.preventDefault()
    setFound(await diagnose({ body, headers, secrets: secrets.split('\n') }))
  }
  const good = found?.verdict === 'ok' || found?.verdict === 'previous'
  return (
    <DevPage here="signature" title={say('signature')} lede={say('sigLede')}>
      <form className="dev-form" onSubmit={check}>
        <Area
          label={say('sigBody')}
          rows={6}
          value={body}
          onChange={setBody}
          placeholder='{"id":"evt_…","type":"dpu.sealed",…}'
        />
        <Area
          label={say('sigHeaders')}
          rows={4}
          value={headers}
          onChange={setHeaders}
          placeholder={'webhook-id: evt_…\nwebhook-timestamp: 1763110000\nwebhook-signature: v1,…'}
        />
        <Area label={say('sigSecrets')} rows={2} value={secrets} onChange={setSecrets} placeholder="whsec_…" />
        <button type="submit" className="btn first">
          {say('sigCheck')}
        </button>
      </form>
      <div aria-live="polite">
        {found && (
          <Part title={say('result')}>
            <p>
              <StatusWord tone={good ? 'verified' : 'broken'}>{say(`verdict${found.verdict}`)}</StatusWord>
            </p>
            <p className="dev-measure">{say(`next${found.verdict}`)}</p>
            {found.scheme && <p className="soft small">{say(`scheme_${found.scheme}`)}</p>}
            {found.stale && <p className="soft small">{say('staleTime')}</p>}
          </Part>
        )}
      </div>
    </DevPage>
  )
}
