/**
 * The salts of a decision's unit as the database stores them: those of known paths as bytes, others by name. In rows of
 * earlier versions all are by name.
 */
import { saltPattern } from '@countersign/proof/commitment.ts'

/** The same list as `cell.packed_paths`, in the order in which an entry commits to the values. */
export const packedPaths: readonly string[] = [
  'actionSalt',
  ...['approval.approver.id', 'approval.approver.name', 'approval.identity.by', 'approval.onBehalfOf'],
  ...['approval.passkey.statement', 'approval.reason', 'approval.reasonSalt', 'approval.submittedBy'],
  ...['event.action.description', 'event.action.input', 'event.action.output', 'event.actor.id', 'event.actor.name'],
  ...['event.aiContext.agentVersion', 'event.aiContext.confidence', 'event.aiContext.model'],
  ...['event.aiContext.modelVersion', 'event.aiContext.promptDigest', 'event.aiContext.provider'],
  ...['event.aiContext.reasoning', 'event.aiContext.spanId', 'event.aiContext.toolCallId', 'event.aiContext.traceId'],
  ...['event.reason', 'event.recordedBy', 'event.riskScore', 'event.tags', 'control', 'country'],
  ...Array.from({ length: 15 }, (_, position) => `prior${position}`),
  ...['region', 'statement', 'vertical'],
]
const places = new Map(packedPaths.map((path, place) => [path, place]))

type Salts = Readonly<Record<string, string>>

export interface StoredSalts {
  readonly salts: Salts
  /** In hex, after `\\x`. */
  readonly packed_salts: string | null
}

const maskBytes = 8
const saltDigits = 32

export function packSalts(all: Salts): StoredSalts {
  const mask = Buffer.alloc(maskBytes)
  const found: string[] = []
  const named: [string, string][] = []
  for (const [path, salt] of Object.entries(all)) {
    const place = places.get(path)
    if (place === undefined || !saltPattern.test(salt)) {
      named.push([path, salt])
      continue
    }
    mask[place >> 3] = (mask[place >> 3] as number) | (1 << (place & 7))
    found[place] = salt
  }
  const salts = Object.fromEntries(named)
  if (found.length === 0) return { salts, packed_salts: null }
  return { salts, packed_salts: `\\x${mask.toString('hex')}${found.join('')}` }
}

/**
 * The salts by path. Two columns of other contents never have the same salts: what belongs to no path gets a name that no
 * entry commits to, so that verification reports it.
 */
export function saltsOf({ salts: named, packed_salts: packed }: StoredSalts): Salts {
  if (packed === null) return named
  const digits = packed.slice(2)
  const mask = Buffer.from(digits.slice(0, maskBytes * 2), 'hex')
  if (mask.length < maskBytes || mask.every((byte) => byte === 0)) return { ...named, '': digits }
  const salts = new Map<string, string>()
  let at = maskBytes * 2
  for (let place = 0; place < maskBytes * 8; place++) {
    if (((mask[place >> 3] as number) & (1 << (place & 7))) === 0) continue
    salts.set(packedPaths[place] ?? `place ${place}`, digits.slice(at, at + saltDigits))
    at += saltDigits
  }
  if (digits.length > at) salts.set('', digits.slice(at))
  for (const [path, salt] of Object.entries(named)) salts.set(salts.has(path) ? `${path} twice` : path, salt)
  return Object.fromEntries(salts)
}
