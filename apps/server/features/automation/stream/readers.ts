/** Who reads a stream, what they are notified of, and for how long. */
import type { Authenticator } from '../../../access/authenticate.ts'
import { type KeyPrincipal, type MemberPrincipal, requireGoodStanding } from '../../../access/principal.ts'
import { type Change, isToldTo } from './kinds.ts'

export interface Reader {
  readonly kind: 'person' | 'key'
  readonly cell: string
  readonly centerId: number
  /** Whose streams are counted together. */
  readonly owner: string
  readonly mostOfOwner: number
  /** Of these one stream stays, the newest; null where several may be open. */
  readonly replaces: string | null
  isTold(change: Change): boolean
  /** Throws as soon as the credential has ended. */
  again(): Reader | Promise<Reader>
}

export const mostOfPerson = 10
export const mostOfKey = 100

export function memberReader(authenticate: Authenticator, principal: MemberPrincipal): Reader {
  const { actorId, sessionId, entered } = principal
  return {
    kind: 'person',
    cell: entered.cell,
    centerId: entered.centerId,
    owner: actorId,
    mostOfOwner: mostOfPerson,
    replaces: sessionId,
    isTold: (change) => isToldTo(entered.roles, change),
    async again() {
      const known = await authenticate.again(principal)
      return memberReader(authenticate, { ...known, entered: requireGoodStanding(known.entered) })
    },
  }
}

/** A program that waits for one decision, which its key may read. `apiKey` is checked again as long as the stream is open. */
export function keyReader(
  authenticate: Authenticator,
  apiKey: string,
  { cell, centerId, keyId }: KeyPrincipal,
  eventId: string,
): Reader {
  const reader: Reader = {
    kind: 'key',
    cell,
    centerId,
    owner: keyId,
    mostOfOwner: mostOfKey,
    replaces: null,
    isTold: ({ kind, id }) => kind === 'decision' && (id === eventId || id === null),
    async again() {
      await authenticate.key(apiKey)
      return reader
    },
  }
  return reader
}
