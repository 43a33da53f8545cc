/** From the text of a file to what the page says about it. Pure: the browser only shows it. */
import { parseExactly } from '@countersign/proof/parse.ts'
import { parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type ProofVerdict, verifyProof } from '@countersign/proof/verify-proof.ts'

export interface Judged {
  readonly document: unknown
  readonly verdict: ProofVerdict
}

/** `declarations`: of lost entries. They count only under the policy. */
export function judge(document: unknown, policy: TrustPolicy | null, declarations: readonly unknown[] = []): Judged {
  return { document, verdict: verifyProof(document, policy, { declarations }) }
}

export type Headline =
  | 'Altered'
  | 'Contradicted'
  | 'Unvouched'
  | 'Unwitnessed'
  | 'Witnessed'
  | 'Signed'
  | 'Lost'
  | 'Sandbox'
  | 'RulesHidden'
  | 'Newer'
  | 'Intact'
export type Tone = 'good' | 'fair' | 'bad'

export const tones: Readonly<Record<Headline, Tone>> = {
  Altered: 'bad',
  Contradicted: 'bad',
  Unvouched: 'bad',
  // A log that signs two histories is found out by its witnesses and by nobody else.
  Unwitnessed: 'bad',
  Witnessed: 'good',
  Signed: 'good',
  // Vouched for, and not in the log any more.
  Lost: 'fair',
  // Vouched for, and test data.
  Sandbox: 'fair',
  // Vouched for, and not all that it was judged by is shown.
  RulesHidden: 'fair',
  // Nothing contradicts it, and that is all.
  Newer: 'fair',
  Intact: 'fair',
}

/** One sentence for four verdicts, and never a better one than the weakest of them allows. */
export function headlineOf({ intact, inChain, signed, witnessed, standing }: ProofVerdict): Headline {
  if (standing === 'newer') return 'Newer'
  if (intact.status !== 'yes') return 'Altered'
  if (standing === 'holds') return witnessed.status === 'yes' ? 'Witnessed' : 'Signed'
  if (standing === 'sandbox') return 'Sandbox'
  if (standing === 'lost') return 'Lost'
  if (standing === 'rules-hidden') return 'RulesHidden'
  if (standing !== 'unvouched') return 'Contradicted'
  if (signed.status === 'no') return 'Unvouched'
  return inChain.status === 'yes' && witnessed.status === 'no' ? 'Unwitnessed' : 'Intact'
}

/** What somebody dropped: a proof, what they trust, or declarations of lost entries. */
export type Read =
  | { readonly kind: 'declarations'; readonly documents: readonly unknown[] }
  | { readonly kind: 'proof'; readonly document: unknown }
  | { readonly kind: 'policy'; readonly text: string }
  /** `why` is a reason of the parser, or the key of a word. */
  | { readonly kind: 'unreadable'; readonly why: string }

export function read(text: string): Read {
  if (/^\s*(#|log\s|witness\s|group\s|quorum\s)/.test(text)) return { kind: 'policy', text }
  try {
    const document = parseExactly(text.replace(/^\uFEFF/, '').trim())
    const policy = policyIn(document)
    if (policy !== null) return { kind: 'policy', text: policy }
    const documents = declarationsIn(document)
    if (documents !== null) return { kind: 'declarations', documents }
    const { chain } = (document as { evidence?: { chain?: unknown } } | null)?.evidence ?? {}
    return typeof chain === 'object' && chain !== null && !Array.isArray(chain)
      ? { kind: 'proof', document }
      : { kind: 'unreadable', why: 'saysNoEntry' }
  } catch (error) {
    return { kind: 'unreadable', why: error instanceof Error ? error.message : String(error) }
  }
}

/** The well-known document of a log carries its policy. */
function policyIn(document: unknown): string | null {
  const { policy, logHost } = (document ?? {}) as { policy?: unknown; logHost?: unknown }
  return typeof policy === 'string' && typeof logHost === 'string' ? policy : null
}

/** One declaration, or the list of a chain's generations as a server shows it. */
function declarationsIn(document: unknown): readonly unknown[] | null {
  const { '@type': type, generations, data } = (document ?? {}) as Readonly<Record<string, unknown>>
  if (type === 'LogSuccession') return [document]
  const listed = generations ?? (data as { generations?: unknown } | null | undefined)?.generations
  return Array.isArray(listed) ? listed.map((each) => (each as { declaration?: unknown } | null)?.declaration) : null
}

/** Throws with the reason. Text from a mail or an editor of Windows is read all the same. */
export const policyOf = (text: string): TrustPolicy => parsePolicy(`${text.replaceAll('\r\n', '\n').trim()}\n`)

export type ProofRead = Exclude<Read, { kind: 'policy' | 'declarations' }>

export type Given = { readonly name: string; readonly text: string | null }

export interface Taken {
  readonly proofs: readonly { readonly name: string; readonly read: ProofRead }[]
  readonly declarations: readonly unknown[]
  /** To be asked about, never used unasked. */
  readonly policy: string | null
  /** A policy came together with a proof: whoever made the one could have made the other. */
  readonly refusedPolicy: boolean
}

/** Sorts what came in one drop, choice or paste. Files without a text are too large. */
export function taken(given: readonly Given[]): Taken {
  const reads = given.map(({ name, text }) => ({
    name,
    read: text === null ? ({ kind: 'unreadable', why: 'saysTooLarge' } as const) : read(text),
  }))
  const proofs = reads.flatMap(({ name, read: each }) =>
    each.kind === 'policy' || each.kind === 'declarations' ? [] : [{ name, read: each }],
  )
  const declarations = reads.flatMap(({ read: each }) => (each.kind === 'declarations' ? each.documents : []))
  const policies = reads.flatMap(({ read: each }) => (each.kind === 'policy' ? [each.text] : []))
  const together = proofs.length + declarations.length > 0 || policies.length > 1
  return {
    proofs,
    declarations,
    policy: together ? null : (policies[0] ?? null),
    refusedPolicy: together && policies.length > 0,
  }
}
