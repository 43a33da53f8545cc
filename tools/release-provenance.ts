/** What was built from what: an in-toto statement with SLSA provenance, and its signed envelope (DSSE). */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Image } from './release/image.ts'

const payloadType = 'application/vnd.in-toto+json'

export interface Build {
  readonly version: string
  readonly commit: string
  /** The repository, such as https://git.example.org/countersign. */
  readonly source: string
  readonly files: readonly string[]
  readonly images: readonly Image[]
  readonly lockFile: string
  readonly builder: string
  readonly startedOn: string
  readonly finishedOn: string
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

export const statementOf = ({ version, commit, source, files, images, lockFile, ...run }: Build) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [
    ...files.map((file) => ({ name: basename(file), digest: { sha256: sha256(file) } })),
    ...images.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  ],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: `${source}/tools/release.ts@v1`,
      externalParameters: { version, source, commit },
      resolvedDependencies: [
        { uri: `git+${source}`, digest: { gitCommit: commit } },
        { name: 'package-lock.json', digest: { sha256: sha256(lockFile) } },
      ],
    },
    runDetails: {
      builder: { id: run.builder, version: { node: process.version } },
      metadata: { invocationId: `${commit}/${run.startedOn}`, startedOn: run.startedOn, finishedOn: run.finishedOn },
    },
  },
})

interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** The bytes that are signed, so that no signature is valid for another type. */
const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])

/** The hash of the public key names it. */
const keyId = (pem: string): string =>
  createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** `pem` is an Ed25519 private key (`openssl genpkey -algorithm ed25519`). */
export function signedEnvelope(statement: object, pem: string): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, signedBytes(payload), createPrivateKey(pem)).toString('base64')
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: keyId(pem), sig }] }
}

/** The statement of an envelope that this public key has signed; null where it has not. */
export function statementIn({ payloadType: type, payload, signatures }: Envelope, publicPem: string): object | null {
  const bytes = Buffer.from(payload, 'base64')
  const holds = signatures.some(({ sig }) =>
    verify(null, signedBytes(bytes), createPublicKey(publicPem), Buffer.from(sig, 'base64')),
  )
  return type === payloadType && holds ? JSON.parse(bytes.toString()) : null
}
