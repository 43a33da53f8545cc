/** Quickstart with the address of this installation and a key of this center. */
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useDocs } from '../../app/docs.ts'
import { useLanguage } from '../../app/i18n.ts'
import { Copy } from '../../ui/copy.tsx'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Joint, Seal } from '../../ui/picture.tsx'
import { Attention } from './attention.tsx'
import { DevPage } from './dev-desk.tsx'
import { useDeveloperWords } from './words.ts'

const kinds = ['TypeScript', 'cURL', 'Python'] as const

/** In dollars or won, as the reader counts. */
const amounts = { en: 820, ko: 820_000 }

function codeOf(kind: (typeof kinds)[number], origin: string, key: string, amount: number): string {
  const decision = { agent: { id: 'agent-7' }, action: { type: 'refund.create', input: { amount } } }
  if (kind === 'cURL') {
    return `curl ${origin}/api/v1/agents/decide \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d '${JSON.stringify(decision)}'`
  }
  if (kind === 'Python') {
    return `import json, urllib.request, uuid

body = {"agent": {"id": "agent-7"}, "action": {"type": "refund.create", "input": {"amount": ${amount}}}}
request = urllib.request.Request(
    "${origin}/api/v1/agents/decide",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
print(urllib.request.urlopen(request).read().decode())`
  }
  return `import { Countersign } from '@countersign/sdk'

const countersign = new Countersign({
  baseUrl: '${origin}',
  apiKey: '${key}',
})

const decision = await countersign.agents.decide({
  agent: { id: 'agent-7' },
  action: { type: 'refund.create', input: { amount: ${amount} } },
})
console.log(decision.outcome)`
}

export function StartPage() {
  const docs = useDocs()
  const say = useDeveloperWords()
  const language = useLanguage()
  const [kind, setKind] = useState<(typeof kinds)[number]>('TypeScript')
  const make = useChange(
    ['api-keys'],
    () =>
      api.apiKeys.create({
        name: 'quickstart',
        scopes: ['decide'],
        actor: { id: 'agent-7', type: 'ai_agent' },
      }),
    { told: 'shown' },
  )
  const { origin } = location
  const code = codeOf(kind, origin, make.data?.key ?? 'csk_live_…', amounts[language])
  const margin = (
    <>
      <section>
        <h3>{say('startKey')}</h3>
        {make.data ? (
          <p>
            <code className="mono">{make.data.prefix}…</code> <Copy text={make.data.key} what={say('startKey')} />
          </p>
        ) : (
          <button type="button" className="btn low" disabled={make.isPending} onClick={() => make.mutate()}>
            {say('startMake')}
          </button>
        )}
        <p>{say('startKeyNote')}</p>
        <ErrorLine error={make.error} />
      </section>
      <section>
        <h3>{say('address')}</h3>
        <p>
          <code className="mono">{origin}</code>
        </p>
      </section>
      <section>
        <h3>{say('docs')}</h3>
        <p>
          <a className="link" href={docs}>
            docs
          </a>{' '}
          <a className="link" href="/openapi.json">
            openapi.json
          </a>
        </p>
      </section>
      <section>
        <h3>{say('noRequest')}</h3>
        <p>{say('noRequestText')}</p>
      </section>
    </>
  )
  return (
    <DevPage here="start" title={say('startHead')} lede={say('startLede')} margin={margin}>
      <Attention />
      <div className="dev-tabs">
        <div role="tablist" aria-label={say('code')}>
          {kinds.map((each) => (
            <button key={each} type="button" role="tab" aria-selected={each === kind} onClick={() => setKind(each)}>
              {each}
            </button>
          ))}
        </div>
        <Copy text={code} what={say('code')} />
      </div>
      <JsonView value={code} label={say('code')} />
      <Part title={say('startThen')}>
        <ol className="dev-then">
          <li>
            <span className="dev-box" aria-hidden="true" />
            <b>{say('thenStop')}</b>
            <span className="soft small">{say('thenStopText')}</span>
          </li>
          <li>
            <Seal name={say('person')} level="passkey" hash="quickstart" size={72} label="" />
            <b>{say('thenSeal')}</b>
            <span className="soft small">{say('thenSealText')}</span>
          </li>
          <li>
            <Joint hashA="quickstart" hashB="quickstart" size={72} label="" />
            <b>{say('thenProof')}</b>
            <span className="soft small">{say('thenProofText')}</span>
          </li>
        </ol>
      </Part>
    </DevPage>
  )
}
