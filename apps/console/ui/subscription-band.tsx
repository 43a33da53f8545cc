/** Says on every page of a center that its subscription ends, is overdue or has stopped: why, what stopped, and who can lift it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../app/api.ts'
import { useLanguage } from '../app/i18n.ts'
import { useRole } from '../app/role.ts'
import { timeText } from './clock.ts'
import { useUiWords } from './words.ts'

const everyMs = 300_000
/** Before that, the end of a trial is news only on the page of the subscription. */
const warnDays = 7

const daysUntil = (end: string | null): number => (Date.parse(end ?? '') - Date.now()) / 86_400_000

export function SubscriptionBand({ center }: { readonly center: string }) {
  const say = useUiWords()
  const language = useLanguage()
  const isAdmin = useRole(center) === 'ADMIN'
  const { data } = useQuery({
    queryKey: ['subscription', 'notice', center],
    queryFn: ({ signal }) => api.subscription.getNotice({ signal }),
    staleTime: everyMs,
    refetchInterval: everyMs,
  })
  if (!data) return null
  const { status, currentPeriodEnd, liftedBy } = data
  const isOver = status === 'SUSPENDED' || status === 'CANCELED'
  const isEnding = status === 'TRIAL' && daysUntil(currentPeriodEnd) < warnDays
  // What can still be paid in time concerns administrators only.
  if (!isOver && !(isAdmin && (isEnding || status === 'PAST_DUE'))) return null
  const day = currentPeriodEnd === null ? '' : timeText(currentPeriodEnd, language, 'day')
  const lift = liftedBy.includes('billing_system') ? 'liftedByBilling' : 'liftedByOperator'
  return (
    <div className="stop-band" role="status">
      <p className={isOver ? 'broken' : 'waiting'}>
        <b>
          <span aria-hidden="true">{isOver ? '✕ ' : '◷ '}</span>
          {say(`subscription${status as 'TRIAL' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'}`, { day })}
        </b>{' '}
        <span className="soft">{say(isAdmin ? lift : 'liftedByAdmin')}</span>
      </p>
      {isAdmin && (
        <Link to="/c/$center/subscription" params={{ center }} className="btn low" activeProps={{}}>
          {say('subscriptionOpen')}
        </Link>
      )}
    </div>
  )
}
