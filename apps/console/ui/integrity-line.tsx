/** Says on every page of a center that its records do not hold or that some were lost, until an operator has mended it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../app/api.ts'
import { useRole } from '../app/role.ts'
import { useUiWords } from './words.ts'

const everyMs = 300_000

export function IntegrityLine({ center }: { readonly center: string }) {
  const say = useUiWords()
  const role = useRole(center)
  const { data } = useQuery({
    queryKey: ['chain', 'integrity'],
    queryFn: ({ signal }) => api.console.getIntegrity({ signal }),
    enabled: role === 'ADMIN' || role === 'INSTRUCTOR',
    staleTime: everyMs,
    refetchInterval: everyMs,
  })
  const broken = data?.chains.find(({ brokenAt }) => brokenAt !== null)
  const lost = data?.chains.find(({ generations }) => generations.length > 0)
  const found = broken ?? lost
  if (!found) return null
  return (
    <p className="pause broken" role="status">
      <span aria-hidden="true">✕ </span>
      {say(broken ? 'chainBroken' : 'chainLost')}{' '}
      <Link to="/c/$center/chain" params={{ center }} search={{ domain: found.domain }}>
        {say('chainOpen')}
      </Link>
    </p>
  )
}
