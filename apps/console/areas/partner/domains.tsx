/** Domains: what to publish in the DNS, and what the name servers said last. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { queries } from '../../app/queries.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Copy } from '../../ui/copy.tsx'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { usePartnerWords } from './words.ts'

const key = ['domains', 'partner']

export function Domains() {
  const say = usePartnerWords()
  const isAdmin = usePartnerAdmin()
  const [name, setName] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.domains.listAsPartner({ signal }),
  })
  const add = useChange(
    ['domains'],
    () => api.domains.addAsPartner({ domain: name }),
    () => setName(''),
  )
  // The answer says what the name servers said; a new list would not.
  const check = useChange<string>([], async (id) => {
    const checked = await api.domains.checkAsPartner(id)
    queries.setQueryData(
      key,
      data?.map((each) => (each.id === id ? checked : each)),
    )
  })
  const remove = useChange<string>(['domains'], (id) => api.domains.removeAsPartner(id))
  return (
    <Part title={say('domains')}>
      <p className="soft">{say(isAdmin === false && data?.length === 0 ? 'none' : 'domainsText')}</p>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data?.map(({ id, domain, status, record, lastCheck, checkedAt }) => (
        <section key={id} className="partner-domain" aria-label={domain}>
          <h3>
            {domain}{' '}
            <StatusWord tone={status === 'proven' ? 'verified' : 'waiting'}>{say(`domain${status}`)}</StatusWord>
          </h3>
          <dl className="facts">
            <dt>{record.type}</dt>
            <dd className="mono">
              {record.name} <Copy text={record.name} what={say('recordName')} />
            </dd>
            <dt>{say('recordValue')}</dt>
            <dd className="mono">
              {record.value} <Copy text={record.value} what={say('recordValue')} />
            </dd>
            {checkedAt && (
              <>
                <dt>{say('checkedAt')}</dt>
                <dd>
                  <Time at={checkedAt} />
                </dd>
              </>
            )}
          </dl>
          <p role="status" className={lastCheck === 'present' ? 'verified' : 'waiting'}>
            {lastCheck && say(`check${lastCheck}`)}
          </p>
          {isAdmin && (
            <div className="button-line">
              <button type="button" className="btn low" disabled={check.isPending} onClick={() => check.mutate(id)}>
                {say('checkNow')}
              </button>
              <button
                type="button"
                className="btn plain low"
                disabled={remove.isPending}
                onClick={() => remove.mutate(id)}
              >
                {say('remove')}
              </button>
            </div>
          )}
        </section>
      ))}
      {isAdmin && (
        <form
          className="field-line"
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate()
          }}
        >
          <Field
            label={say('newDomain')}
            hint={say('newDomainHint')}
            required
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="btn" disabled={add.isPending}>
            {say('addDomain')}
          </button>
        </form>
      )}
      <ErrorLine error={add.error ?? check.error ?? remove.error} />
    </Part>
  )
}
