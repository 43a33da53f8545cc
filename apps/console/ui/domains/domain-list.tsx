/** The domains of a center or a partner: add one, follow it until it works, check it again, remove it. */
import type { Domain } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useChange } from '../../app/change.ts'
import { queries } from '../../app/queries.ts'
import { Confirm } from '../confirm.tsx'
import { ErrorLine } from '../error-panel.tsx'
import { Field } from '../field.tsx'
import { Loaded } from '../loaded.tsx'
import { StatusWord } from '../status-word.tsx'
import { Time } from '../time.tsx'
import './domains.css'
import { useDoneWords } from '../done-words.ts'
import { DomainSteps } from './steps.tsx'
import { useDomainWords } from './words.ts'

export interface DomainCalls {
  readonly of: string
  list(signal: AbortSignal): Promise<readonly Domain[]>
  add(domain: string, purpose: Domain['purpose']): Promise<unknown>
  check(id: string): Promise<Domain>
  remove(domain: Domain): Promise<unknown>
}

interface Properties {
  readonly calls: DomainCalls
  readonly purpose: Domain['purpose']
  readonly canChange: boolean
  /** A further step of a domain. */
  readonly step?: (domain: Domain) => ReactNode
}

const worksOf = ({ site, status }: Domain): boolean => (site ? site.worksSince !== null : status === 'proven')

export function DomainList({ calls, purpose, canChange, step }: Properties) {
  const say = useDomainWords()
  const done = useDoneWords()
  const [name, setName] = useState('')
  const key = ['domains', calls.of]
  const found = useQuery({ queryKey: key, queryFn: ({ signal }) => calls.list(signal) })
  // The answer says what was found just now; a new list would not.
  const check = useChange<string>(
    [],
    async (id) => {
      const checked = await calls.check(id)
      queries.setQueryData<readonly Domain[]>(key, (all) => all?.map((each) => (each.id === id ? checked : each)))
    },
    { told: 'shown' },
  )
  const add = useChange(['domains', 'center'], () => calls.add(name.trim(), purpose), {
    told: () => done('added', { name: name.trim() }),
    onDone: () => setName(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  const isSite = purpose === 'site'
  return (
    <>
      <Loaded query={found} skeletonRows={3}>
        {(domains) =>
          domains
            .filter((each) => each.purpose === purpose)
            .map((domain) => (
              <OneDomain
                key={domain.id}
                domain={domain}
                canChange={canChange}
                isChecking={check.isPending && check.variables === domain.id}
                onCheck={() => check.mutate(domain.id)}
                onRemove={() => calls.remove(domain)}
              >
                {step?.(domain)}
              </OneDomain>
            ))
        }
      </Loaded>
      {canChange && (
        <form className="field-line domain-add" onSubmit={submit}>
          <Field
            label={say(isSite ? 'newSite' : 'newEmail')}
            hint={say(isSite ? 'newSiteHint' : 'newEmailHint')}
            required
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            data-field="domain"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="btn" disabled={add.isPending}>
            {say(isSite ? 'addSite' : 'add')}
          </button>
        </form>
      )}
      <ErrorLine error={add.error ?? check.error} />
    </>
  )
}

interface OneProperties {
  readonly domain: Domain
  readonly canChange: boolean
  readonly isChecking: boolean
  readonly onCheck: () => void
  readonly onRemove: () => Promise<unknown>
  readonly children?: ReactNode
}

function OneDomain({ domain, canChange, isChecking, onCheck, onRemove, children }: OneProperties) {
  const say = useDomainWords()
  const done = useDoneWords()
  const remove = useChange(['domains', 'center'], onRemove, {
    told: () => done('removed', { name: domain.domain }),
  })
  const [removing, setRemoving] = useState(false)
  const works = worksOf(domain)
  const state = domain.site ? (works ? 'live' : 'waiting') : domain.status
  const next = !domain.site
    ? 'nextEmail'
    : works
      ? 'nextLive'
      : domain.status === 'proven'
        ? 'nextWaiting'
        : 'nextPending'
  return (
    <section className="domain" aria-label={domain.domain}>
      <h3>
        {domain.domain} <StatusWord tone={works ? 'verified' : 'waiting'}>{say(state)}</StatusWord>
      </h3>
      <DomainSteps domain={domain}>{children}</DomainSteps>
      <p className="soft">{say(next)}</p>
      <p className="soft small" role="status">
        {isChecking ? (
          say('checking')
        ) : domain.checkedAt === null ? (
          say('checkunknown')
        ) : (
          <>
            {say('checkedAt')} <Time at={domain.checkedAt} />
          </>
        )}
      </p>
      {canChange && (
        <div className="button-line">
          <button type="button" className="btn" disabled={isChecking} onClick={onCheck}>
            {say('checkAgain')}
          </button>
          {domain.site && works && (
            <a className="btn plain" href={`https://${domain.domain}/`}>
              {say('open', { domain: domain.domain })}
            </a>
          )}
          <button type="button" className="btn plain" onClick={() => setRemoving(true)}>
            {say('remove')}
          </button>
        </div>
      )}
      {removing && (
        <Confirm
          title={say('removeSite', { domain: domain.domain })}
          action={say('remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync()}
        >
          <p>{say(domain.site ? 'removeSiteText' : 'removeEmailText', { domain: domain.domain })}</p>
        </Confirm>
      )}
    </section>
  )
}
