/** Checks a proof in this browser, with the same code as the verifier and the CLI. Runs in the worker. */
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { type ProofVerdict, verifyProof } from '@countersign/proof/verify-proof.ts'

export interface Checked {
  readonly verdict: ProofVerdict
  readonly ms: number
}

/** `policyText`: whom to trust, as this server publishes it. Another policy can be given on the page `/verify`. */
export function check(document: unknown, policyText: string): Checked {
  const begun = performance.now()
  const verdict = verifyProof(document, parsePolicy(policyText), { sandbox: true })
  return { verdict, ms: Math.max(1, Math.round(performance.now() - begun)) }
}
