/**
 * The text of a chain entry as its row stores it: a template in which a control character stands for each hash, and these hashes.
 * Canonical JSON has no control characters. After it follows a letter for the name of the member whose whole value the hash is,
 * or a space. `cell.content_of` composes the same text.
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

const place = '\x01'
const prefix = 'sha256:'
const length = 64
const isHash = /^[0-9a-f]{64}/
const unnamed = ' '
const unnamedCode = 32
const letters = new Map<string, string>(
  entryNames.map((name, position) => [name, String.fromCharCode(unnamedCode + 1 + position)]),
)
/** By the code of the letter. */
const openings: readonly string[] = [
  ...Array.from({ length: unnamedCode + 1 }, () => `"":"${prefix}`),
  ...entryNames.map((name) => `"${name}":"${prefix}`),
]

export function splitEntry(content: string): StoredEntry {
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
  return { template: template + between, digits }
}

/** Null digits: the template is the text. Digits without a place follow at the end, so that none is without effect. */
export function entryText(template: string, digits: string | null): string {
  if (digits === null) return template
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
