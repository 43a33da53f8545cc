import type { Domain } from '@countersign/proof/chain.ts'

/**
 * The text of a chain entry as its row stores it: a template in which a control character stands for each hash, and these hashes.
 * Canonical JSON has no control characters. After it follows a letter for the name of the member whose whole value the hash is,
 * or a space. In a sealed decision, a second control character and a letter stand for a run of text that most of them have.
 * `cell.content_of` composes the same text.
 */
export interface StoredEntry {
  readonly template: string
  /** 64 hexadecimal digits for each place in the template, in order. */
  readonly digits: string
}

/** In the order of `cell.entry_names`. Rows name them by position, so none ever moves. */
export const entryNames = [
  ...['actionDigest', 'actionSalt', 'approval.approver.id', 'approval.approver.name', 'approval.identity.by'],
  ...['approval.onBehalfOf', 'approval.reason', 'approval.reasonSalt', 'approval.submittedBy', 'control', 'country'],
  ...['event.action.description', 'event.action.input', 'event.action.output', 'event.actor.id', 'event.actor.name'],
  ...['event.aiContext.agentVersion', 'event.aiContext.confidence', 'event.aiContext.model'],
  ...['event.aiContext.modelVersion', 'event.aiContext.promptDigest', 'event.aiContext.provider'],
  ...['event.aiContext.reasoning', 'event.aiContext.spanId', 'event.aiContext.toolCallId', 'event.aiContext.traceId'],
  ...['event.reason', 'event.recordedBy', 'event.riskScore', 'event.tags', 'prior0', 'prior1', 'prior2', 'prior3'],
  ...['region', 'statement', 'vertical', 'content', 'createdBy', 'evidenceLevel', 'metadata', 'referenceId'],
  ...['responsibility', 'tags', 'digest', 'previous', 'state', 'by', 'reason', 'paths', 'policy', 'output', 'binding'],
] as const

/** In the order of `cell.entry_phrases`; as with names, none ever moves. A phrase may have places of hashes. */
export const entryPhrases: readonly string[] = [
  ...[
    ',"approval":{"approvedAt":"',
    '","approver":{"type":"human"},"channel":',
    '","approver":{"type":',
    '},"channel":',
  ],
  ...[',"decidedAt":"', '","identity":{"level":', ',"identity":{"level":', '},"openedAt":"'],
  // The last one goes on with what every client data of a passkey begins with.
  ...['"passkey":{"authenticatorData":"', ',"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi'],
  ...['","historySize":', ',"signature":"', '},"result":"approved"},"commitments":{'],
  ...['","result":"approved"},"commitments":{', '},"result":"rejected"},"commitments":{'],
  ...['","result":"rejected"},"commitments":{', ',"commitments":{', '\x01",\x01#,\x01$,\x01%,'],
  ...['\x01),\x01*,\x01+,\x01,,\x01-,\x01.,\x01/,\x010,', '\x01*,\x01+,\x01,,\x01-,\x01.,\x01/,\x010,'],
  ...['\x012,\x013,\x016,\x017,', '},"decisionId":"', '},"decisionId":"dec_'],
  ...['","domain":"proof","event":{"action":{"type":"', '"},"actor":{"type":"ai_agent"},"occurredAt":"'],
  ...['"},"actor":{"type":"human"},"occurredAt":"', '"},"actor":{"type":"system"},"occurredAt":"', '","type":"'],
  ...['"},"evidenceLevel":"AUDIT_READY","id":"evd_', '"},"evidenceLevel":"', '","id":"evd_', '","index":', ',"log":"'],
  ...['","policies":[{', ',"id":"pol_', '","version":', '}],"v":"dpu-chain-v1"}', '","v":"dpu-chain-v1"}'],
]

const place = '\x01'
const phrase = '\x02'
const prefix = 'sha256:'
const length = 64
const isHash = /^[0-9a-f]{64}/
const unnamed = ' '
const unnamedCode = 32
const letterAt = (position: number): string => String.fromCharCode(unnamedCode + 1 + position)
const letters = new Map<string, string>(entryNames.map((name, position) => [name, letterAt(position)]))
/** The longest first: a phrase may begin with a shorter one. */
const marks = entryPhrases
  .map((text, position) => [text, phrase + letterAt(position)] as const)
  .toSorted(([a], [b]) => b.length - a.length)
/** By the code of the letter. */
const openings: readonly string[] = [
  ...Array.from({ length: unnamedCode + 1 }, () => `"":"${prefix}`),
  ...entryNames.map((name) => `"${name}":"${prefix}`),
]

function shortened(template: string): string {
  let short = template
  for (const [text, mark] of marks) if (short.includes(text)) short = short.replaceAll(text, mark)
  return short
}

/** What is no phrase stays, so that no byte is without effect. */
function written(template: string): string {
  let text = ''
  let from = 0
  for (let at = template.indexOf(phrase); at >= 0; at = template.indexOf(phrase, at + 1)) {
    const found = entryPhrases[template.charCodeAt(at + 1) - unnamedCode - 1]
    if (found === undefined) continue
    text += template.substring(from, at) + found
    from = at + 2
  }
  return text + template.substring(from)
}

/** Only a decision is stored with phrases: of an entry of the history, the database reads members in the template itself. */
export function splitEntry(content: string, domain?: Domain): StoredEntry {
  const [first = '', ...parts] = content.split(prefix)
  // The text since the last hash.
  let between = first
  let template = ''
  let digits = ''
  for (const part of parts) {
    if (!isHash.test(part)) {
      between += prefix + part
      continue
    }
    digits += part.slice(0, length)
    const quote = between.lastIndexOf('"', between.length - 4)
    const isValue = quote >= 0 && between.endsWith('":"') && part[length] === '"'
    const letter = isValue ? letters.get(between.slice(quote + 1, -3)) : undefined
    if (letter === undefined) {
      template += between + place + unnamed
      between = part.slice(length)
    } else {
      template += between.slice(0, quote) + place + letter
      between = part.slice(length + 1)
    }
  }
  template += between
  return { template: domain === 'proof' && digits !== '' ? shortened(template) : template, digits }
}

/** Null digits: the template is the text. Digits without a place follow at the end, so that none is without effect. */
export function entryText(stored: string, digits: string | null): string {
  if (digits === null) return stored
  const template = stored.includes(phrase) ? written(stored) : stored
  let text = ''
  let from = 0
  let used = 0
  for (let at = template.indexOf(place); at >= 0; at = template.indexOf(place, from)) {
    const code = template.charCodeAt(at + 1)
    const hash = digits.substring(used, used + length)
    text += template.substring(from, at)
    text += code === unnamedCode ? prefix + hash : `${openings[code] ?? `"":"${prefix}`}${hash}"`
    from = at + 2
    used += length
  }
  return text + template.substring(from) + digits.substring(used)
}
