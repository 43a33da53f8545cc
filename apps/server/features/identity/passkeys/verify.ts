/** Whether a live key of a person has signed a statement. */
import type { Assertion as AssertionSchema } from '@countersign/contract/passkeys.ts'
import { challengeOf } from '@countersign/proof/passkey.ts'
import type { Static } from 'typebox'
import type { Caller, Directory, IdentityTx } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PasskeyHost } from './host.ts'
import * as queries from './queries.ts'
import * as webauthn from './webauthn.ts'

type Assertion = Static<typeof AssertionSchema>
export type NamedPasskey = Awaited<ReturnType<typeof queries.livePasskeyOf>>

interface Signed {
  readonly actorId: string
  readonly statement: Parameters<typeof challengeOf>[0]
  readonly assertion: Assertion
}

interface VerifyNeeds {
  readonly directory: Directory
  readonly host: PasskeyHost
}

/** The live key that an assertion names. */
export const namedPasskey = (tx: IdentityTx, { id }: Pick<Assertion, 'id'>): Promise<NamedPasskey> =>
  queries.livePasskeyOf(tx, Buffer.from(id, 'base64url'))

/** Verifies the signature by the key as the directory knows it now. Returns the id of the key. */
export async function verifyPasskey(needs: VerifyNeeds, caller: Caller, signed: Signed): Promise<string> {
  const key = await needs.directory.identity(caller, (tx) => namedPasskey(tx, signed.assertion), 'read')
  return verifyBy(needs, caller, key, signed)
}

/** A key without a counter notes its use at most once in this time: an approval then writes nothing to the directory. */
const notedForMs = 3_600_000

/** The same for a key that was just read. */
export async function verifyBy(
  { directory, host }: VerifyNeeds,
  caller: Caller,
  key: NamedPasskey,
  { actorId, statement, assertion }: Signed,
): Promise<string> {
  const isOwn = key?.actor_id === actorId && isHandle(assertion.userHandle, key.handle)
  if (!isOwn) throw new Problem('CONFLICT', 'This is no passkey of yours, or it was removed. Use another one.')
  const result = await webauthn.assertionOf(host, challengeOf(statement), key, assertion)
  if ('fault' in result) throw webauthn.refused(result.fault)
  const isNoted = key.last_used_at !== null && nowMs() - key.last_used_at.getTime() < notedForMs
  if (result.counter === 0 && isNoted) return key.id
  const live = await directory.identity(caller, (tx) => queries.noteUse(tx, key.id, result.counter))
  if (!live) throw new Problem('CONFLICT', 'This passkey was removed. Use another one.')
  return key.id
}

/** An authenticator may leave it out where it was asked for a named credential. */
const isHandle = (given: string | null | undefined, handle: Buffer): boolean =>
  given === undefined || given === null || given === webauthn.base64url(handle)
