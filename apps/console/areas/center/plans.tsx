/** Which plans there are and where the plan is changed, and the invoices that the billing system has stated. */
import type { Plan, Subscription } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { usePages } from '../../app/pages.ts'
import { centerQuery } from '../../app/queries.ts'
import { moneyText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useCenterWords } from './words.ts'

/** The billing system reads the center and the plan from the address. */
function billingAddress(billingUrl: string, center: number, plan?: string): string {
  const address = new URL(billingUrl)
  address.searchParams.set('center', String(center))
  if (plan !== undefined) address.searchParams.set('plan', plan)
  return address.href
}

export function Plans({ own, center }: { readonly own: Subscription; readonly center: string }) {
  const say = useCenterWords()
  const {
    data: plans,
    error,
    refetch,
  } = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => api.provisioning.listCenterPlans({ signal }),
    staleTime: 3_600_000,
  })
  const { data: known } = useQuery(centerQuery(center))
  const { billingUrl } = own
  return (
    <Part title={say('plans')}>
      <p className="soft">{say(billingUrl === null ? 'plansByOperator' : 'plansByBilling')}</p>
      {billingUrl !== null && known && (
        <p>
          <a className="btn first" href={billingAddress(billingUrl, known.id)}>
            {say('toBilling')}
          </a>
        </p>
      )}
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      <ul className="rows">
        {plans?.map((plan) => (
          <PlanRow key={plan.id} plan={plan} own={own}>
            {billingUrl !== null && known && plan.id !== own.planId && (
              <a className="btn plain low" href={billingAddress(billingUrl, known.id, plan.id)}>
                {say('choosePlan', { plan: plan.name })}
              </a>
            )}
          </PlanRow>
        ))}
      </ul>
    </Part>
  )
}

interface PlanRowProperties {
  readonly plan: Plan
  readonly own: Subscription
  readonly children: React.ReactNode
}

function PlanRow({ plan, own, children }: PlanRowProperties) {
  const say = useCenterWords()
  const language = useLanguage()
  const { id, name, price, currency, billingCycle, seatLimit, staffLimit } = plan
  const tooSmall = staffLimit === null ? own.seatUsed > seatLimit : own.staffUsed > staffLimit
  return (
    <li>
      <span>
        <b>{id === own.planId ? `${name} · ${say('planNow')}` : name}</b>
        <small>
          {say(`price${billingCycle}`, { price: moneyText(price, currency, language) })} ·{' '}
          {staffLimit === null ? say('planSeats', { count: seatLimit }) : say('planStaff', { count: staffLimit })}
        </small>
        {tooSmall && <small>{say('planTooSmall')}</small>}
      </span>
      {!tooSmall && children}
    </li>
  )
}

export function Invoices() {
  const say = useCenterWords()
  const language = useLanguage()
  const { rows, error, again, more } = usePages(['subscription', 'invoices'], ({ limit, page, signal }) =>
    api.subscription.listInvoices({ limit, page }, { signal }),
  )
  return (
    <Part title={say('invoices')}>
      <p className="soft">{say('invoicesText')}</p>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {rows?.length === 0 && <p className="soft">{say('noInvoices')}</p>}
      <ul className="rows">
        {rows?.map(({ number, amount, currency, paid, url, statedAt }) => (
          <li key={number}>
            <span>
              {url === null ? <b>{number}</b> : <a href={url}>{number}</a>}
              <small>
                {moneyText(Number(amount), currency, language)} · <Time at={statedAt} form="day" />
              </small>
            </span>
            <StatusWord tone={paid ? 'verified' : 'waiting'}>{say(paid ? 'invoicePaid' : 'invoiceOpen')}</StatusWord>
          </li>
        ))}
      </ul>
      <ListFoot more={more} />
    </Part>
  )
}
