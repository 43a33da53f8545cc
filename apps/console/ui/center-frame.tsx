/** A center: its shell, or a sheet that says that another tab has left it. */
import { useEffect } from 'react'
import { kept, pushKey } from '../app/kept.ts'
import { useStream } from '../app/live.ts'
import { queries, useMe } from '../app/queries.ts'
import { switchCenter } from '../app/session.ts'
import { useSession } from '../app/use-store.ts'
import { Shell } from './shell.tsx'
import { Moved } from './standing.tsx'

export function CenterFrame({ center }: { readonly center: string }) {
  const { session } = useSession()
  const { data: me } = useMe()
  useStream(session?.center?.domain ?? '')
  const place = `${session?.actor.id} ${session?.center?.domain}`
  useEffect(() => {
    if (kept(pushKey) === null) return
    const taken = import('../app/push.ts').then(({ takeOver }) => takeOver())
    // Messages are a convenience: the next page tries again.
    taken.catch(() => {})
  }, [place])
  const elsewhere = session !== null && session.center?.domain !== center
  const own = me?.memberships.find(({ centerDomain }) => centerDomain === center)
  const back = async () => {
    if (!own) return
    await switchCenter(own.centerId)
    queries.clear()
  }
  return (
    <>
      {elsewhere && own && <Moved to={session.center?.name ?? ''} center={own.centerName} onReturn={back} />}
      <Shell place="center" center={center} />
    </>
  )
}
