/** Passkeys in the browser: what is signed is computed here from what the page shows. */
import { type GivenHere, isChallengeOf, isShown } from '@countersign/proof/deciding.ts'
import type { ApprovalStatement } from '@countersign/proof/passkey-statement.ts'
import { type Answer, call, keepSession } from './api.ts'
import { button, type Child } from './dom.ts'
import { words } from './page.ts'
import type { Assertion, CreationOptions, RequestOptions } from './passkey-types.ts'
import type { Decision, Me, SignedIn } from './types.ts'

type Failed = Exclude<Answer<never>, { ok: true }>

/** Only in a secure context, and in browsers that read the options of a server. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Null: the person did not want to, or has no such passkey here. */
export async function assertWith(options: RequestOptions): Promise<Assertion | null> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    const { id, response } = credential.toJSON() as AuthenticationResponseJSON
    const { authenticatorData, clientDataJSON, signature, userHandle = null } = response
    return { id, authenticatorData, clientDataJSON, signature, userHandle }
  } catch {
    return null
  }
}

export type Created = { readonly attestation: object } | { readonly fault: 'passkeyCanceled' | 'passkeyTaken' }

export async function create(options: CreationOptions): Promise<Created> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const { id, response } = credential.toJSON() as RegistrationResponseJSON
    const { clientDataJSON, attestationObject, transports } = response
    return { attestation: { id, clientDataJSON, attestationObject, transports } }
  } catch (error) {
    return { fault: (error as Error).name === 'InvalidStateError' ? 'passkeyTaken' : 'passkeyCanceled' }
  }
}

export function signInWithPasskey(done: () => void, fault: (text: string) => void): HTMLElement | null {
  if (!hasPasskeys()) return null
  const enter = async () => {
    fault('')
    const begun = await call<{ publicKey: RequestOptions }>('POST', '/auth/passkeys/login/options')
    if (!begun.ok) return fault(begun.status === 409 ? words().passkeysOff : words().noAnswer)
    const assertion = await assertWith(begun.data.publicKey)
    if (!assertion) return fault(words().passkeyCanceled)
    const answer = keepSession(await call<SignedIn>('POST', '/auth/passkeys/login', { assertion }))
    if (answer.ok) done()
    else fault(answer.status === 0 ? words().noAnswer : words().passkeyRefused)
  }
  return button(words().withPasskey, 'first', enter, words().working)
}

export type Signed = { readonly assertion: Assertion } | { readonly fault: () => Child } | { readonly refusal: Failed }

export interface Challenge {
  readonly statement: ApprovalStatement
  readonly reasonSalt: string | null
  readonly publicKey: RequestOptions
}

export async function signApproval(address: string, decision: Decision, me: Me, given: GivenHere): Promise<Signed> {
  if (!hasPasskeys()) return { fault: () => words().passkeysUnable }
  const begun = await call<Challenge>('POST', `${address}/approvals/challenge`, given)
  if (!begun.ok) return { refusal: begun }
  const { statement, publicKey } = begun.data
  if (!isShown(begun.data, decision, me.actorId, given) || !isChallengeOf(statement, publicKey, location.hostname)) {
    return { fault: () => words().challengeOther }
  }
  const assertion = await assertWith(publicKey)
  return assertion ? { assertion } : { fault: () => words().passkeyCanceled }
}
