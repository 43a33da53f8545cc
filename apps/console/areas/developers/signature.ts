/**
 * Finds out why the signature of a delivery does not match, in the browser. Every guess is proved: a reason is given only
 * when undoing it makes the signature match. Formats: docs/formats/webhook-signatures.md.
 */
export type Verdict =
  | 'ok'
  | 'previous'
  | 'secretSpace'
  | 'whitespace'
  | 'reserialized'
  | 'wrongSecret'
  | 'noMatch'
  | 'noSignature'
  | 'badSecret'

export interface Diagnosis {
  readonly verdict: Verdict
  readonly scheme: 'standard' | 'service' | null
  /** The time of the delivery is more than five minutes away. */
  readonly stale: boolean
}

export interface Arrived {
  readonly body: string
  /** Lines of `name: value`, or only a signature. */
  readonly headers: string
  readonly secrets: readonly string[]
  readonly now?: number
}

interface Claimed {
  readonly scheme: 'standard' | 'service'
  readonly signature: string
  readonly previous: boolean
  /** Stands before the body in what was signed. */
  readonly head: string
}

const utf8 = new TextEncoder()

function parseHeaders(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*"?([\w-]+)"?\s*:\s*"?(.*?)"?,?\s*$/.exec(line))
  const headers = new Map(
    lines.flatMap((line) => (line ? [[line[1]?.toLowerCase() ?? '', line[2] ?? ''] as const] : [])),
  )
  const bare = text.trim()
  if (/^[0-9a-f]{64}$/i.test(bare)) headers.set('x-service-signature', bare)
  return headers
}

function claimsOf(headers: ReadonlyMap<string, string>): Claimed[] {
  const claims: Claimed[] = []
  const [id, time] = [headers.get('webhook-id'), headers.get('webhook-timestamp')]
  const standard = (headers.get('webhook-signature') ?? '').split(' ').filter((each) => each.startsWith('v1,'))
  if (id && time) {
    for (const [at, signature] of standard.entries()) {
      claims.push({ scheme: 'standard', signature: signature.slice(3), previous: at > 0, head: `${id}.${time}.` })
    }
  }
  for (const [name, previous] of [
    ['x-service-signature', false],
    ['x-service-signature-previous', true],
  ] as const) {
    const signature = headers.get(name)?.trim().toLowerCase()
    if (signature) claims.push({ scheme: 'service', signature, previous, head: '' })
  }
  return claims
}

function keyOf(secret: string, scheme: Claimed['scheme']): Uint8Array | null {
  if (scheme === 'service') return utf8.encode(secret)
  try {
    return Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

async function matches(claim: Claimed, body: string, secret: string): Promise<boolean> {
  const bytes = keyOf(secret, claim.scheme)
  if (bytes === null || bytes.length === 0) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes as Uint8Array<ArrayBuffer>, algorithm, false, ['sign'])
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(claim.head + body)))
  const text =
    claim.scheme === 'standard'
      ? btoa(String.fromCharCode(...made))
      : Array.from(made, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text === claim.signature
}

const order = ['id', 'type', 'createdAt', 'data', 'deliveryAttempt']

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

/** What the server may have written, if this is the same content written by another program. */
function rewritings(body: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(body.replace(/^\uFEFF/, ''))
  } catch {
    return []
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  const members = value as Readonly<Record<string, unknown>> & { readonly data?: unknown }
  const inOrder = (data: unknown) =>
    Object.fromEntries(
      order.filter((name) => name in members).map((name) => [name, name === 'data' ? data : members[name]]),
    )
  return [members, inOrder(members.data), inOrder(sorted(members.data))].map((each) => JSON.stringify(each))
}

const respaced = (body: string): string[] => {
  const plain = body.replace(/^\uFEFF/, '')
  return [plain, plain.trim(), plain.replaceAll('\r\n', '\n'), plain.trim().replaceAll('\r\n', '\n'), `${plain}\n`]
}

export async function diagnose({ body, headers: text, secrets: given, now = Date.now() }: Arrived): Promise<Diagnosis> {
  const headers = parseHeaders(text)
  const claims = claimsOf(headers)
  const time = Number(headers.get('webhook-timestamp') ?? Number.NaN)
  const stale = Number.isFinite(time) && Math.abs(now / 1000 - time) > 300
  const result = (verdict: Verdict, scheme: Diagnosis['scheme'] = null): Diagnosis => ({ verdict, scheme, stale })
  if (claims.length === 0) return result('noSignature')
  const secrets = given.filter((each) => each.trim() !== '')
  const cleaned = secrets.map((each) => each.trim().replaceAll(/^['"]|['"]$/g, ''))
  if (!cleaned.some((each) => /^whsec_[A-Za-z0-9+/]+=*$/.test(each))) return result('badSecret')

  const find = async (bodies: readonly string[], keys: readonly string[]): Promise<Claimed | null> => {
    for (const secret of keys)
      for (const each of new Set(bodies))
        for (const claim of claims) if (await matches(claim, each, secret)) return claim
    return null
  }
  const exact = await find([body], secrets)
  if (exact) {
    // With two live secrets, the list of the standard has the newest first.
    return result(exact.previous ? 'previous' : 'ok', exact.scheme)
  }
  const guesses = [
    ['secretSpace', [body], cleaned],
    ['whitespace', respaced(body), cleaned],
    ['reserialized', rewritings(body), cleaned],
  ] as const
  for (const [verdict, bodies, keys] of guesses) {
    const found = await find(bodies, keys)
    if (found) return result(verdict, found.scheme)
  }
  // The server writes without spaces and in this order; whatever keeps that has hardly been parsed.
  const untouched = /^\{"id":".*","type":".*","createdAt":".*","data":.*,"deliveryAttempt":\d+\}$/s.test(body)
  return result(untouched ? 'wrongSecret' : 'noMatch')
}
