/** Passkeys of the browser. */
import type { Answer } from './api.ts'
import type { Child } from './dom.ts'
import { words } from './page.ts'
import type { Decision, Me } from './types.ts'

export function signInWithPasskey(_done: () => void, _fault: (text: string) => void): HTMLElement | null {
  return null
}

export type Signed =
  | { readonly assertion: object }
  | { readonly fault: () => Child }
  | { readonly answer: Exclude<Answer<never>, { ok: true }> }

export async function signApproval(_address: string, _decision: Decision, _me: Me, _body: object): Promise<Signed> {
  return { fault: () => words().needPasskey }
}
