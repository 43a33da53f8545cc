/** The way to stop something, in the header of every page, and what is stopped now, below it. */
import type { Freeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { freezesQuery, inForce } from '../app/freezes.ts'
import { useLanguage } from '../app/i18n.ts'
import { useRole } from '../app/role.ts'
import { timeText } from './clock.ts'
import { useUiWords } from './words.ts'

function useFreezes(center: string) {
  const role = useRole(center)
  const { data } = useQuery({ ...freezesQuery(center), enabled: role === 'ADMIN' || role === 'INSTRUCTOR' })
  return { isAdmin: role === 'ADMIN', freezes: inForce(data) }
}

export const StopSquare = () => <i className="stop-square" aria-hidden="true" />

export function StopControl({ center }: { readonly center: string }) {
  const say = useUiWords()
  const { isAdmin, freezes } = useFreezes(center)
  if (!isAdmin) return null
  return (
    <Link to="/c/$center/stop" params={{ center }} search={{}} className="stop-control" activeProps={{}}>
      <StopSquare />
      {freezes.length > 0 ? say('stopCount', { count: freezes.length }) : say('stop')}
    </Link>
  )
}

/** Says on every page what is stopped, to everyone who works with decisions. */
export function StopBand({ center }: { readonly center: string }) {
  const say = useUiWords()
  const language = useLanguage()
  const { isAdmin, freezes } = useFreezes(center)
  const [newest] = freezes
  if (!newest) return null
  const to = { to: '/c/$center/stop', params: { center }, search: { freeze: newest.id } } as const
  return (
    <div className="stop-band" role="status">
      <StopSquare />
      <p>
        <b>{freezes.length > 1 ? say('stoppedMany', { count: freezes.length }) : stoppedText(newest, say)}</b>{' '}
        <span className="soft">
          {timeText(newest.madeAt, language)} · {say('stoppedSince')}
        </span>
      </p>
      {isAdmin && (
        <Link {...to} className="btn low" activeProps={{}}>
          {say('stoppedOpen')}
        </Link>
      )}
    </div>
  )
}

function stoppedText({ actorId, keyId, actionTypes }: Freeze, say: ReturnType<typeof useUiWords>): string {
  if (actorId !== undefined) return say('stoppedActor', { name: actorId })
  if (keyId !== undefined) return say('stoppedKey')
  return actionTypes ? say('stoppedTypes', { types: actionTypes.join(', ') }) : say('stoppedCenter')
}
