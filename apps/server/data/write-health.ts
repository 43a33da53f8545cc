/**
 * What keeps a database from committing, as its callers met it. A database whose disk is full or whose synchronous standby is away
 * answers every question about itself as if it were well, so readiness asks here.
 */
import type pg from 'pg'

export type WriteFault = 'disk' | 'standby'

/** What callers and load balancers get while a synchronous standby is away. */
export const standbyAway = "The service can't confirm changes right now"

/** A disk cannot be tried without writing much to it: the next caller tries it after this time. */
const diskMs = 10_000

export interface WriteHealth {
  failed(place: string, fault: WriteFault): void
  succeeded(place: string): void
  at(place: string): WriteFault | null
}

export function writeHealth(): WriteHealth {
  const faults = new Map<string, { readonly fault: WriteFault; readonly since: number }>()
  return {
    failed: (place, fault) => void faults.set(place, { fault, since: performance.now() }),
    succeeded(place) {
      // A small commit succeeds on a disk that has no room for a larger one.
      if (faults.get(place)?.fault === 'standby') faults.delete(place)
    },
    at(place) {
      const found = faults.get(place)
      if (found?.fault === 'disk' && performance.now() - found.since > diskMs) faults.delete(place)
      return faults.get(place)?.fault ?? null
    },
  }
}

/** Directory and cell are often one database. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host}${searchParams.get('host') ?? ''}${pathname}`
}

const watched = new WeakMap<pg.Pool, { readonly health: WriteHealth; readonly place: string }>()

export const watchWrites = (pool: pg.Pool, health: WriteHealth, url: string): void =>
  void watched.set(pool, { health, place: placeOf(url) })

export function writeFailed(pool: pg.Pool, fault: WriteFault): void {
  const known = watched.get(pool)
  known?.health.failed(known.place, fault)
}

export function writeSucceeded(pool: pg.Pool): void {
  const known = watched.get(pool)
  known?.health.succeeded(known.place)
}
