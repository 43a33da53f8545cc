/** The form for a new center: the address is checked while it is typed, and the order number makes a second press harmless. */
import type { NewCenter, Vertical } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useSession } from '../../app/use-store.ts'
import { moneyText } from '../clock.ts'
import { ErrorLine } from '../error-panel.tsx'
import { Field } from '../field.tsx'
import { StatusWord } from '../status-word.tsx'
import './new-center.css'
import { VerticalField } from './vertical.tsx'
import { useNewCenterWords } from './words.ts'

const pattern = /^[a-z0-9-]{3,30}$/
const quietMs = 350
/** As the server says it; every other reason is a reserved name. */
const takenReason = 'This name is taken.'
/** The value, once the person stops typing for a moment. */
function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setQuiet, quietMs, value)
    return () => clearTimeout(timer)
  }, [value])
  return quiet
}

const useFree = (subdomain: string) => {
  const asked = useQuiet(subdomain)
  const { data, error } = useQuery({
    queryKey: ['subdomain', asked],
    enabled: pattern.test(asked),
    queryFn: ({ signal }) => api.provisioning.checkSubdomain({ subdomain: asked }, { signal }),
  })
  return asked === subdomain ? { data, error } : { data: undefined, error: null }
}

const kinds = ['CENTER', 'WORKSPACE'] as const
type Kind = (typeof kinds)[number]

interface Properties {
  /** A partner names the administrator by mail, and creates centers that open on their own domain. */
  readonly forPartner?: boolean
  readonly onMade: (subdomain: string, adminEmail?: string) => void
}

/** Without a partner, the person who creates the center is its first administrator. */
export function NewCenterForm({ forPartner = false, onMade }: Properties) {
  const say = useNewCenterWords()
  const language = useLanguage()
  const group = useId()
  const { session } = useSession()
  const { data: plans } = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => api.provisioning.listCenterPlans({ signal }),
    staleTime: 3_600_000,
  })
  const [orderId] = useState(() => `console-${crypto.randomUUID()}`)
  const [centerName, setCenterName] = useState('')
  const [subdomain, setSubdomain] = useState('')
  const [vertical, setVertical] = useState<Vertical>('rehabilitation')
  const [planId, setPlanId] = useState('')
  const [ownDomain, setOwnDomain] = useState(false)
  const [kind, setKind] = useState<Kind>('CENTER')
  const [adminEmail, setAdminEmail] = useState('')
  const [adminName, setAdminName] = useState('')
  const plan = planId || (plans?.[0]?.id ?? '')
  const fits = pattern.test(subdomain)
  const { data: free, error: unknown } = useFree(subdomain)
  const create = useChange<void, unknown>(
    ['centers'],
    async () => {
      const tenantType = ownDomain ? 'WHITE_LABEL' : 'CENTER'
      if (forPartner) {
        const named = adminName.trim() === '' ? {} : { adminName }
        return api.partner.createCenter({
          name: centerName,
          subdomain,
          planId: plan,
          vertical,
          tenantType,
          adminEmail,
          ...named,
        })
      }
      const order: NewCenter = {
        centerName,
        subdomain,
        planId: plan,
        orderId,
        adminActorId: session?.actor.id ?? '',
        vertical,
        ...(kind === 'WORKSPACE' && { tenantType: kind }),
      }
      return api.provisioning.createCenter(order)
    },
    { told: 'opens', onDone: () => onMade(subdomain, forPartner ? adminEmail : undefined) },
  )
  return (
    <form
      className="new-center"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      {!forPartner && (
        <fieldset className="choices">
          <legend className="label">{say('kind')}</legend>
          {kinds.map((each) => (
            <label key={each}>
              <input type="radio" name={`${group}-kind`} checked={kind === each} onChange={() => setKind(each)} />
              <span>
                <b>{say(`kind${each}`)}</b>
                <small>{say(`kind${each}Text`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Field
        label={say(kind === 'WORKSPACE' ? 'nameWORKSPACE' : 'name')}
        required
        maxLength={200}
        data-field="name"
        value={centerName}
        onChange={({ target }) => setCenterName(target.value)}
      />
      <div>
        <Field
          label={say(kind === 'WORKSPACE' ? 'subdomainWORKSPACE' : 'subdomain')}
          hint={say('subdomainHint')}
          required
          autoComplete="off"
          spellCheck={false}
          data-field="subdomain"
          value={subdomain}
          {...(subdomain !== '' && !fits && { fault: say('subdomainFault') })}
          onChange={({ target }) => setSubdomain(target.value.toLowerCase())}
        />
        <p role="status" className="small new-center-check">
          {fits && !free && !unknown && <span className="soft">{say('checking')}</span>}
          {fits && free?.available && <StatusWord tone="verified">{say('free', { subdomain })}</StatusWord>}
          {fits && free && !free.available && (
            <StatusWord tone="broken">
              {say(free.data.reason === takenReason ? 'taken' : 'reserved', { subdomain })}
            </StatusWord>
          )}
        </p>
        <ErrorLine error={fits ? unknown : null} />
      </div>
      <VerticalField value={vertical} onChange={setVertical} />
      {forPartner && (
        <>
          <Field
            label={say('adminEmail')}
            hint={say('adminEmailHint')}
            type="email"
            required
            data-field="adminEmail"
            value={adminEmail}
            onChange={({ target }) => setAdminEmail(target.value)}
          />
          <Field
            label={say('adminName')}
            maxLength={200}
            data-field="adminName"
            value={adminName}
            onChange={({ target }) => setAdminName(target.value)}
          />
        </>
      )}
      {forPartner && (
        <label className="new-center-tick">
          <input type="checkbox" checked={ownDomain} onChange={({ target }) => setOwnDomain(target.checked)} />
          <span>
            <b>{say('ownDomain')}</b>
            <small className="soft">{say('ownDomainText')}</small>
          </span>
        </label>
      )}
      <fieldset className="choices">
        <legend className="label">{say('plan')}</legend>
        {plans?.map(({ id, name, price, currency, seatLimit, staffLimit, billingCycle }) => (
          <label key={id}>
            <input type="radio" name={group} checked={plan === id} onChange={() => setPlanId(id)} />
            <span>
              <b>{name}</b>
              <small>
                {say(`cycle${billingCycle}`, { price: moneyText(price, currency, language) })} ·{' '}
                {staffLimit === null ? say('seats', { count: seatLimit }) : say('staff', { count: staffLimit })}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <button type="submit" className="btn first" disabled={!free?.available || create.isPending}>
          {say(kind === 'WORKSPACE' ? 'createWORKSPACE' : 'createIt')}
        </button>
      </div>
      <ErrorLine error={create.error} />
    </form>
  )
}
