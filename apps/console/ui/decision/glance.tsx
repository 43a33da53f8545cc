/** What a policy reads in a decision that waits, with its limit, and whose turn it is: the view of the decision in one line. */
import { useQuery } from '@tanstack/react-query'
import { decisionQuery } from './decide.ts'
import { Places } from './places.tsx'
import { useView } from './view.tsx'
import './decision.css'
import type { Decision } from '@countersign/sdk'

/** A longer value is read in the decision. */
const longest = 60

function Read({ decision }: { readonly decision: Decision }) {
  const [value] = useView(decision).read
  if (!value) return null
  const { text, label, limits } = value
  return (
    <>
      <span>
        <bdi>{label.join(' › ')}</bdi>{' '}
        <b className="ink">
          <bdi>{text.length > longest ? `${text.slice(0, longest)}…` : text}</bdi>
        </b>
      </span>
      {[...new Set(limits)].map((limit) => (
        <span key={limit}>{limit}</span>
      ))}
    </>
  )
}

/** Nothing until it was read: the row is complete without it. */
export function Glance({ eventId }: { readonly eventId: string }) {
  const { data } = useQuery({ ...decisionQuery(eventId), staleTime: 60_000 })
  if (!data) return null
  return (
    <>
      <Read decision={data} />
      <Places decision={data} />
    </>
  )
}
