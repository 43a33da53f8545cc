/** The published signatures, recomputed without our code: here, by the examples of the documentation, and in Python. */
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf, read, root } from '../../../../../../tests/docs/blocks.ts'

type Headers = Readonly<Record<string, string>>
interface Vectors {
  readonly about: string
  readonly accepted: readonly {
    readonly about: string
    readonly id: string
    readonly timestamp: string
    readonly attempt: number
    readonly secret: string
    readonly previousSecret: string | null
    readonly signedWith: 'secret' | 'previousSecret'
    readonly body: string
    readonly headers: Headers
  }[]
  readonly refused: readonly {
    readonly about: string
    readonly secret: string
    readonly receivedAt: string
    readonly body: string
    readonly headers: Headers
    readonly accepted: { readonly service: boolean; readonly standard: boolean }
  }[]
}
const file = 'docs/formats/webhook-signatures.json'
const vectors = JSON.parse(read(file)) as Vectors

const hex = (secret: string, body: string): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex')
const standard = (secret: string, id: string, seconds: number, body: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key)
    .update(Buffer.from(`${id}.${seconds}.${body}`, 'utf8'))
    .digest('base64')}`
}

describe('the published headers', () => {
  it.each(vectors.accepted)('of $about', (vector) => {
    const { id, timestamp, attempt, secret, previousSecret, signedWith, body, headers } = vector
    const signer = vector[signedWith] as string
    const other = signedWith === 'secret' ? previousSecret : secret
    const seconds = Math.floor(Date.parse(timestamp) / 1000)
    const live = previousSecret === null ? [secret] : [secret, previousSecret]
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-service-signature': hex(signer, body),
      ...(other !== null && { 'x-service-signature-previous': hex(other, body) }),
      'x-service-event-id': id,
      'x-service-delivery-attempt': String(attempt),
      'x-service-timestamp': timestamp,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': live.map((each) => standard(each, id, seconds, body)).join(' '),
    })
    const members = Object.entries(JSON.parse(body) as object)
    expect(members.map(([name]) => name)).toEqual(['id', 'type', 'createdAt', 'data', 'deliveryAttempt'])
    expect(members).toContainEqual(['id', id])
    expect(members).toContainEqual(['deliveryAttempt', attempt])
  })

  it('cover the inputs on which verifiers often fail', () => {
    const bodies = vectors.accepted.map(({ body }) => body)
    const features = [
      /[\uac00-\ud7a3]/,
      /\p{Emoji_Presentation}/u,
      /\u2028/,
      /\\u/,
      /"data":\{\}/,
      /\d{30}/,
      /1e400/,
      /\n/,
    ]
    for (const feature of features) expect(bodies.some((body) => feature.test(body))).toBe(true)
    const signers = new Set(
      vectors.accepted.map(({ previousSecret, signedWith }) => `${!previousSecret} ${signedWith}`),
    )
    expect(signers).toEqual(new Set(['true secret', 'false secret', 'false previousSecret']))
    expect(vectors.accepted.length).toBeGreaterThanOrEqual(12)
    expect(vectors.refused.length).toBeGreaterThanOrEqual(8)
  })
})

describe('the examples of the documentation', () => {
  const page = blocksOf(read('docs/formats/webhook-signatures.md'))
  async function example(label: string) {
    const source = page.find((block) => block.language === 'js' && block.label === label)?.text
    if (!source) throw new Error(`the page has no example "${label}"`)
    const module = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    return module.isOurs as (secret: unknown, body: Buffer, headers: Headers, now?: number) => boolean
  }

  it('accept and refuse what the vectors say', async () => {
    const [service, standardWebhooks] = await Promise.all([example('service'), example('standard')])
    for (const vector of vectors.accepted) {
      const { secret, previousSecret, body, headers, timestamp, signedWith } = vector
      const bytes = Buffer.from(body)
      const now = Date.parse(timestamp)
      expect(service(vector[signedWith], bytes, headers)).toBe(true)
      for (const known of [secret, ...(previousSecret ? [previousSecret] : [])]) {
        expect(standardWebhooks([known], bytes, headers, now)).toBe(true)
        expect(standardWebhooks([known], bytes, headers, now + 302_000)).toBe(false)
        expect(standardWebhooks([known], bytes, headers, now - 302_000)).toBe(false)
      }
    }
    for (const { secret, receivedAt, body, headers, accepted } of vectors.refused) {
      const bytes = Buffer.from(body)
      expect({
        service: service(secret, bytes, headers),
        standard: standardWebhooks([secret], bytes, headers, Date.parse(receivedAt)),
      }).toEqual(accepted)
      expect(Object.values(accepted)).toContain(false)
    }
  })
})

describe('the verifier in Python', () => {
  const checker = fileURLToPath(new URL('./verify_vectors.py', import.meta.url))
  const verify = (path: string) =>
    new Promise<{ code: number; faults: string[][] }>((resolve, reject) => {
      execFile('python3', [checker, path], (error, stdout, stderr) => {
        if (stderr !== '') return reject(new Error(stderr))
        const lines = stdout.trim().split('\n')
        const faults = lines.map((line) => (JSON.parse(line) as { faults: string[] }).faults)
        resolve({ code: error ? Number(error.code) : 0, faults })
      })
    })

  async function verifyChanged(change: (copy: Vectors) => Vectors) {
    const folder = await mkdtemp(join(tmpdir(), 'vectors-'))
    try {
      await writeFile(join(folder, 'changed.json'), JSON.stringify(change(structuredClone(vectors))))
      return await verify(join(folder, 'changed.json'))
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('agrees with every vector', async () => {
    const { code, faults } = await verify(`${root}${file}`)
    expect(faults).toEqual([...vectors.accepted, ...vectors.refused].map(() => []))
    expect(code).toBe(0)
  })

  it('detects a changed body at any position', async () => {
    const { code, faults } = await verifyChanged((copy) => ({
      ...copy,
      accepted: copy.accepted.map((each) => ({ ...each, body: each.body.replace('"data":{', '"data": {') })),
    }))
    expect(code).toBe(1)
    for (const found of faults.slice(0, vectors.accepted.length)) {
      expect(found).toEqual(expect.arrayContaining(['X-Service-Signature', 'webhook-signature']))
    }
  })

  it('detects a missing signature, a wrong order and a valid delivery listed as refused', async () => {
    const { code, faults } = await verifyChanged((copy) => ({
      ...copy,
      accepted: copy.accepted.map((each) => {
        const { 'x-service-signature-previous': _, ...headers } = each.headers
        const turned = headers['webhook-signature']?.split(' ').reverse().join(' ') ?? ''
        return { ...each, headers: { ...headers, 'webhook-signature': turned } }
      }),
      refused: copy.refused.map((each) => ({ ...each, accepted: { service: true, standard: true } })),
    }))
    expect(code).toBe(1)
    const expected = vectors.accepted.map(({ previousSecret }) =>
      previousSecret ? ['X-Service-Signature-Previous', 'webhook-signature, order'] : [],
    )
    expect(faults.slice(0, expected.length)).toEqual(expected)
    for (const found of faults.slice(expected.length)) expect(found).not.toEqual([])
  })
})
