/**
 * Keys with which test people sign. A key lives in this process only: it is made when a person first signs here, and bound in the
 * history of the sandbox. After a restart, or in another process, the person has another one, as after losing a phone.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  challengeOf,
  type PasskeyAssertion,
  type PasskeyKey,
  type RegisterStatement,
  thumbprintOf,
} from '@countersign/proof/passkey.ts'
import { LRUCache } from 'lru-cache'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { bindTestKey, type PasskeyHost } from '../passkeys/api.ts'

/** As many as are kept at a time; an older one is replaced by a new key. */
const mostKept = 1000

export interface TestSigner {
  readonly passkeyId: string
  readonly key: PasskeyKey
  sign(challenge: Uint8Array): PasskeyAssertion
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const present = 1
const verified = 4

function assertion(host: PasskeyHost, privateKey: KeyObject, challenge: Uint8Array): PasskeyAssertion {
  const client = Buffer.from(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: Buffer.from(challenge).toString('base64url'),
      origin: host.origin,
      crossOrigin: false,
    }),
  )
  const data = Buffer.concat([sha256(host.rpId), Buffer.from([present | verified, 0, 0, 0, 0])])
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
  return {
    authenticatorData: data.toString('base64url'),
    clientDataJSON: client.toString('base64url'),
    signature: signature.toString('base64url'),
  }
}

interface SignerNeeds {
  readonly passkeyHost: PasskeyHost
  readonly sequencer: Sequencer
}

export function testSigners({ passkeyHost: host, sequencer }: SignerNeeds) {
  const kept = new LRUCache<string, Promise<TestSigner>>({ max: mostKept })

  async function make(center: CenterProfile, caller: Caller, actorId: string): Promise<TestSigner> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = publicKey.export({ format: 'jwk' }) as unknown as PasskeyKey
    const [id, thumbprint] = [newUuid(), thumbprintOf(key)]
    const statement: RegisterStatement = {
      ...{ type: 'countersign-passkey-v1', rpId: host.rpId, actorId, thumbprint },
      nonce: randomBytes(32).toString('base64url'),
      issuedAt: now().toISOString(),
    }
    const bound = { id, actor_id: actorId, key, thumbprint, statement }
    await sequencer.seal({
      ...bindTestKey(caller, { ...bound, assertion: assertion(host, privateKey, challengeOf(statement)) }),
      center,
      caller,
    })
    return { passkeyId: id, key, sign: (challenge) => assertion(host, privateKey, challenge) }
  }

  return (center: CenterProfile, caller: Caller, actorId: string): Promise<TestSigner> => {
    const name = `${center.centerId} ${actorId}`
    const known = kept.get(name)
    if (known) return known
    const making = make(center, caller, actorId)
    kept.set(name, making)
    making.catch(() => kept.delete(name))
    return making
  }
}
