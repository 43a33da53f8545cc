/** The way to stop something, in the header of every page, and what is stopped in words. */
import type { Freeze } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useFreezes } from '../app/freezes.ts'
import { useRole } from '../app/role.ts'
import { useUiWords } from './words.ts'

export const StopSquare = () => <i className="stop-square" aria-hidden="true" />

export function StopControl({ center }: { readonly center: string }) {
  const say = useUiWords()
  const freezes = useFreezes(center)
  if (useRole(center) !== 'ADMIN') return null
  return (
    <Link to="/c/$center/stop" params={{ center }} search={{}} className="stop-control" activeProps={{}}>
      <StopSquare />
      {freezes.length > 0 ? say('stopCount', { count: freezes.length }) : say('stop')}
    </Link>
  )
}

export function stoppedText({ actorId, keyId, actionTypes }: Freeze, say: ReturnType<typeof useUiWords>): string {
  if (actorId !== undefined) return say('stoppedActor', { name: actorId })
  if (keyId !== undefined) return say('stoppedKey')
  return actionTypes ? say('stoppedTypes', { types: actionTypes.join(', ') }) : say('stoppedCenter')
}
