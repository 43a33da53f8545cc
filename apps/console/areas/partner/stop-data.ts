/** The stops in the centers of a partner, and the calls that make and lift one in several of them. */
import type { Freeze, NewFreeze, PartnerFreeze } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { failureOf } from '../../ui/failure.ts'

export const stopsQuery = queryOptions({
  queryKey: ['freezes', 'partner'],
  queryFn: ({ signal }) => api.partner.listFreezes({ signal }),
})

export const centersQuery = queryOptions({
  queryKey: ['centers', 'partner', 'chain'],
  queryFn: ({ signal }) => api.partner.getIntegrity({ signal }),
})

export interface Place {
  readonly centerId: number
  readonly name: string
}

export interface Made extends Place {
  readonly id: string
  /** What had started before, and can't be stopped. */
  readonly running: number
}

export interface Outcome {
  readonly made: readonly Made[]
  readonly failed: readonly Place[]
  /** Why the first one failed. */
  readonly error: unknown
}

const atOnce = 6

/** Runs in all places, and says where it failed. The first one alone: if it is refused for the person, so are the others. */
async function inAll<P, T>(places: readonly P[], run: (place: P) => Promise<T>) {
  const made: T[] = []
  const failed: { readonly place: P; readonly error: unknown }[] = []
  for (let at = 0; at < places.length; at += at === 0 ? 1 : atOnce) {
    const turn = places.slice(at, at === 0 ? 1 : at + atOnce)
    const results = await Promise.allSettled(turn.map(run))
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') made.push(result.value)
      else failed.push({ place: turn[index] as P, error: result.reason })
    })
    if (at === 0 && failed.length > 0 && failureOf(failed[0]?.error).status === 403) {
      for (const place of places.slice(1)) failed.push({ place, error: failed[0]?.error })
      break
    }
  }
  return { made, failed }
}

export async function stopIn(places: readonly Place[], body: NewFreeze): Promise<Outcome> {
  const { made, failed } = await inAll(places, async ({ centerId, name }): Promise<Made> => {
    const { id, running } = await api.partner.createFreeze(centerId, body)
    return { centerId, name, id, running: running.length }
  })
  if (made.length === 0) throw failed[0]?.error
  return { made, failed: failed.map(({ place }) => place), error: failed[0]?.error ?? null }
}

interface Lifted {
  readonly lifted: readonly Freeze[]
  readonly failed: number
}

export async function liftIn(
  stops: readonly Pick<PartnerFreeze, 'id' | 'centerId'>[],
  reason: string,
): Promise<Lifted> {
  const { made, failed } = await inAll(stops, ({ centerId, id }) =>
    api.partner.liftFreeze(centerId as number, id, { reason }),
  )
  if (made.length === 0) throw failed[0]?.error
  return { lifted: made, failed: failed.length }
}

/** Stops of the same thing elsewhere, which the partner may lift too. */
export const sameElsewhere = (stop: PartnerFreeze, all: readonly PartnerFreeze[]): readonly PartnerFreeze[] =>
  all.filter(
    (each) =>
      each.id !== stop.id &&
      each.rank !== 'operator' &&
      each.actorId === stop.actorId &&
      each.keyId === stop.keyId &&
      each.center === stop.center &&
      String(each.actionTypes) === String(stop.actionTypes),
  )
