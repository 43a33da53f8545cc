/** A person with a phone, played by a program: registers a passkey, has it confirmed, and approves with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, CountersignPlatform } from '@countersign/sdk'
import { softwareAuthenticator } from '../../tests/support/authenticator.ts'
import type { DemoAccount } from '../demo-data.ts'

export interface Approver {
  approve(eventId: string, reason: string): Promise<void>
  /** Removes the passkey: its private key ends with the program, and a person has a limited number of passkeys. */
  leave(): Promise<void>
}

async function signedIn(baseUrl: string, { email, password, centerDomain }: DemoAccount): Promise<CountersignPlatform> {
  const platform = new CountersignPlatform({ baseUrl })
  await platform.auth.login({ email, password, ...(centerDomain && { centerDomain }) })
  return platform
}

/** Opens the decision: what an approval states to have been shown. */
export async function opened(platform: CountersignPlatform, eventId: string) {
  const { actionDigest, prior, waiting } = await platform.decisions.get(eventId)
  await platform.decisions.open(eventId, { actionDigest })
  const policies = (waiting?.policies ?? []).map(({ id, version }) => ({ id, version }))
  return { actionDigest, policies, prior }
}

/** `origin`: where the approval page is served, because a passkey belongs to that host. */
export async function approverWithPasskey(
  baseUrl: string,
  origin: string,
  { person, admin }: { readonly person: DemoAccount; readonly admin: DemoAccount },
): Promise<Approver> {
  const platform = await signedIn(baseUrl, person)
  const { publicKey: created } = await platform.passkeys.startRegistration()
  const device = softwareAuthenticator({ rpId: created.rp.id, origin })
  const answer = (challenge: string) => ({ id: device.credentialId, ...device.assert(challenge) })
  const { response, id } = device.register(created.challenge)
  const { publicKey: signed } = await platform.passkeys.attest({ attestation: { id, ...response } })
  const passkey = await platform.passkeys.register({ assertion: answer(signed.challenge) })
  const center = String(person.centerId)
  const confirming = (await signedIn(baseUrl, admin)).memberPasskeys
  await untilSealed(() => confirming.confirm(center, person.actorId, passkey.id, {}))
  return {
    async approve(eventId, reason) {
      const decision = { result: 'approved', reason, ...(await opened(platform, eventId)) } as const
      await untilSealed(async () => {
        const { publicKey } = await platform.decisions.challengeApproval(eventId, decision)
        await platform.decisions.approve(eventId, { ...decision, assertion: answer(publicKey.challenge) })
      })
    },
    leave: async () => void (await platform.passkeys.remove(passkey.id)),
  }
}

/** A job seals the binding of a new passkey in the center; until then its use is a conflict. */
async function untilSealed<T>(attempt: () => Promise<T>, withinMs = 30_000): Promise<T> {
  for (const end = Date.now() + withinMs; ; await sleep(500)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ConflictError) || Date.now() > end) throw error
    }
  }
}
