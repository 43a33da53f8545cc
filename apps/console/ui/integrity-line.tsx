/**
 * Says on every page of a center that its records do not match what was sealed, until an operator has cleared it, or that some were
 * lost, until the person has read it.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../app/api.ts'
import { keep, kept } from '../app/kept.ts'
import { useRole } from '../app/role.ts'
import { useUiWords } from './words.ts'

const everyMs = 300_000
/** The newest generation of each log whose loss was read in this browser. */
const readKey = (log: string) => `countersign-loss ${log}`

export function IntegrityLine({ center }: { readonly center: string }) {
  const say = useUiWords()
  const role = useRole(center)
  const [, setRead] = useState(0)
  const { data } = useQuery({
    queryKey: ['chain', 'integrity'],
    queryFn: ({ signal }) => api.console.getIntegrity({ signal }),
    enabled: role === 'ADMIN' || role === 'INSTRUCTOR',
    staleTime: everyMs,
    refetchInterval: everyMs,
  })
  const broken = data?.chains.find(({ brokenAt }) => brokenAt !== null)
  const lost = data?.chains.find(({ log, generations }) => generations.length > 0 && kept(readKey(log)) === null)
  const found = broken ?? lost
  if (!found) return null
  return (
    <p className="pause broken" role="status">
      <span aria-hidden="true">✕ </span>
      {say(broken ? 'chainBroken' : 'chainLost')}{' '}
      <Link to="/c/$center/chain" params={{ center }} search={{ domain: found.domain }}>
        {say('chainOpen')}
      </Link>
      {!broken && (
        <>
          {' '}
          <button
            type="button"
            className="quiet"
            onClick={() => {
              keep(readKey(found.log), 'read')
              setRead((count) => count + 1)
            }}
          >
            {say('chainLostRead')}
          </button>
        </>
      )}
    </p>
  )
}
