/**
 * One page of paper about a proof, in both languages: what the verification of this file showed, what it does not show, and the
 * number by which people compare it. The paper is a copy; the file is the proof. Pure.
 */
import en from '@countersign/words/en/certificate.json' with { type: 'json' }
import ko from '@countersign/words/ko/certificate.json' with { type: 'json' }
import { type Language, type Say, saying } from '@countersign/words/say.ts'
import { checkNumber } from './check-number.ts'
import type { ApprovalFacts } from './decision-facts.ts'
import { provedLevel } from './proved-level.ts'
import { shown } from './shown.ts'
import { summaryOf } from './summary.ts'
import type { ProofVerdict } from './verify-proof.ts'

/** A text in both languages: the first is large, the second small. */
export interface Bilingual {
  readonly ko: string
  readonly en: string
}

export interface Certificate {
  readonly number: string
  /** As a person reads it: a refusal is no approval. */
  readonly title: Bilingual
  readonly sentence: Bilingual
  readonly approvals: readonly {
    readonly level: ApprovalFacts['level']
    readonly refused: boolean
    readonly name: string
    readonly caption: Bilingual
  }[]
  readonly rows: readonly { readonly name: Bilingual; readonly value: Bilingual; readonly code: boolean }[]
  readonly notProved: readonly Bilingual[]
  readonly words: Readonly<Record<'numberName' | 'notProvedName' | 'copy' | 'checkedAt' | 'lead', Bilingual>>
}

export interface CertificateOptions {
  /** Where the file can be verified again; null for a page that was saved to a disk. */
  readonly address: string | null
  /** Whose word on the keys the verification rests on. */
  readonly trust: 'server' | 'reader'
  readonly time: (written: string, language: Language) => string
  /** When it was verified. */
  readonly now: string
}

type Word = keyof typeof ko

/**
 * Null where the file does not prove a decision under the policy that the reader trusts: altered, not vouched for, lost, of a
 * sandbox, with hidden rules, or of a newer version.
 */
export function certificateOf(
  document: unknown,
  verdict: ProofVerdict,
  { address, trust, time, now }: CertificateOptions,
): Certificate | null {
  const { decision, hash, sealedAt, index, id, decisionId, cosignedBy, log } = verdict.facts
  const number = checkNumber(hash)
  const proved = [verdict.intact, verdict.inChain, verdict.signed].every(({ status }) => status === 'yes')
  if (verdict.standing !== 'holds' || verdict.sandbox || !proved) return null
  if (decision === null || number === null || hash === null || index === null || sealedAt === null) return null

  const say: Readonly<Record<Language, Say<Word>>> = {
    ko: saying<Word>({ ko, en }, 'ko'),
    en: saying<Word>({ ko, en }, 'en'),
  }
  const both = (make: (language: Language) => string): Bilingual => ({ ko: make('ko'), en: make('en') })
  const word = (key: Word, values = {}) => both((language) => say[language](key, values))
  const same = (text: string) => ({ ko: text, en: text })
  const approvals = decision.approvals.flatMap((each) => {
    const level = provedLevel(each, verdict.standing)
    if (level === 'empty') return []
    const name = each.approver === null ? null : shown(each.approver.replace(/(.) \([^()]*\)$/su, '$1'))
    const refused = each.result === 'refused'
    return [{ level, refused, name: name ?? '', caption: word(refused ? `refused ${level}` : `level ${level}`) }]
  })
  const witnesses = verdict.witnessed.status === 'yes' ? cosignedBy.length : 0
  const passkeys = approvals.filter(({ level, refused }) => level === 'passkey' && !refused).length
  const checked = both((language) =>
    [
      say[language]('checkedContent'),
      ...(passkeys > 0 ? [say[language]('checkedPasskeys', { count: passkeys })] : []),
      ...(witnesses > 0 ? [say[language]('checkedWitnesses', { count: witnesses })] : []),
    ].join(', '),
  )
  const limits = verdict.limits.map((limit) => word(`limit ${limit}`))
  return {
    number,
    title: word(decision.result === 'refused' ? 'titleRefused' : 'title'),
    sentence: both((language) => summaryOf(document, verdict, language, { time: (at) => time(at, language) }).text),
    approvals,
    rows: [
      {
        name: word('sealed'),
        value: both((language) => `${time(sealedAt, language)} · ${say[language]('entry', { index: index + 1 })}`),
        code: false,
      },
      { name: word('checked'), value: checked, code: false },
      { name: word('trust'), value: word(`trust ${trust}`), code: false },
      ...(log === null ? [] : [{ name: word('log'), value: same(shown(log)), code: true }]),
      ...(decisionId === null && id === null
        ? []
        : [{ name: word('decision'), value: same(shown(decisionId ?? id ?? '')), code: true }]),
      { name: word('hash'), value: same(hash.replace(/^sha256:/, '')), code: true },
    ],
    notProved: limits,
    words: {
      numberName: word('number'),
      notProvedName: word('notProved'),
      lead: word('lead'),
      copy: both((language) => say[language]('copy', { address: address ?? say[language]('anyPage') })),
      checkedAt: both((language) => say[language]('checkedAt', { time: time(now, language) })),
    },
  }
}
