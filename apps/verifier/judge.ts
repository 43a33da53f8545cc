/** From the text of a file to what the page says about it. Pure: the browser only shows it. */
import { parseExactly } from '@countersign/proof/parse.ts'
import { parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type ProofVerdict, verifyProof } from '@countersign/proof/verify-proof.ts'

export interface Judged {
  readonly document: unknown
  readonly verdict: ProofVerdict
}

export function judge(document: unknown, policy: TrustPolicy | null): Judged {
  return { document, verdict: verifyProof(document, policy) }
}

export type Headline = 'Altered' | 'Refused' | 'Unwitnessed' | 'Witnessed' | 'Signed' | 'InLog' | 'Intact'
export type Tone = 'good' | 'fair' | 'bad'

export const tones: Readonly<Record<Headline, Tone>> = {
  Altered: 'bad',
  Refused: 'bad',
  // A log that signs two histories is found out by its witnesses and by nobody else.
  Unwitnessed: 'bad',
  Witnessed: 'good',
  Signed: 'good',
  InLog: 'fair',
  Intact: 'fair',
}

/** One sentence for four verdicts, and never a better one than the weakest of them allows. */
export function headlineOf({ intact, inChain, signed, witnessed, ok }: ProofVerdict): Headline {
  if (intact.status !== 'yes') return 'Altered'
  if (!ok)
    return signed.status === 'yes' && witnessed.code === 'quorum-not-met' && inChain.status === 'yes'
      ? 'Unwitnessed'
      : 'Refused'
  if (inChain.status !== 'yes') return 'Intact'
  if (signed.status !== 'yes') return 'InLog'
  return witnessed.status === 'yes' ? 'Witnessed' : 'Signed'
}

/** What somebody dropped: a proof, or what they trust. */
export type Read =
  | { readonly kind: 'proof'; readonly document: unknown }
  | { readonly kind: 'policy'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string }

export function read(text: string): Read {
  if (/^\s*(#|log\s|witness\s|group\s|quorum\s)/.test(text)) return { kind: 'policy', text }
  try {
    const document = parseExactly(text.replace(/^\uFEFF/, '').trim())
    const policy = policyIn(document)
    return policy === null ? { kind: 'proof', document } : { kind: 'policy', text: policy }
  } catch (error) {
    return { kind: 'unreadable', why: error instanceof Error ? error.message : String(error) }
  }
}

/** The well-known document of a log carries its policy. */
function policyIn(document: unknown): string | null {
  const { policy, logHost } = (document ?? {}) as { policy?: unknown; logHost?: unknown }
  return typeof policy === 'string' && typeof logHost === 'string' ? policy : null
}

/** Throws with the reason. Text from a mail or an editor of Windows is read all the same. */
export const policyOf = (text: string): TrustPolicy => parsePolicy(`${text.replaceAll('\r\n', '\n').trim()}\n`)
