/** Whether a passkey of a person signed a statement, as the directory knows the passkey now. */
import { challengeOf } from '@countersign/proof/passkey.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PasskeyHost } from './host.ts'
import * as queries from './queries.ts'
import * as webauthn from './webauthn.ts'

interface Signed {
  readonly actorId: string
  readonly statement: Parameters<typeof challengeOf>[0]
  readonly assertion: Parameters<typeof webauthn.assertionOf>[3]
}

/** Verifies that a live key of this person has signed the statement. Returns its id. */
export async function verifyPasskey(
  { directory, host }: { readonly directory: Directory; readonly host: PasskeyHost },
  caller: Caller,
  { actorId, statement, assertion }: Signed,
): Promise<string> {
  const credential = Buffer.from(assertion.id, 'base64url')
  const key = await directory.identity(caller, (tx) => queries.livePasskeyOf(tx, credential), 'read')
  const isOwn = key?.actor_id === actorId && isHandle(assertion.userHandle, key.handle)
  if (!isOwn) throw new Problem('CONFLICT', 'This is no passkey of yours, or it was removed. Use another one.')
  const result = await webauthn.assertionOf(host, challengeOf(statement), key, assertion)
  if ('fault' in result) throw webauthn.refused(result.fault)
  const live = await directory.identity(caller, (tx) => queries.noteUse(tx, key.id, result.counter))
  if (!live) throw new Problem('CONFLICT', 'This passkey was removed. Use another one.')
  return key.id
}

/** An authenticator may leave it out where it was asked for a named credential. */
const isHandle = (given: string | null | undefined, handle: Buffer): boolean =>
  given === undefined || given === null || given === webauthn.base64url(handle)
