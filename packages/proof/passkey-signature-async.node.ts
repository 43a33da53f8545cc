/** The same check as `signatureHolds`, in the thread pool: a server answers other requests while it runs. */
import { verify } from 'node:crypto'
import { ed25519Input } from './ed25519.node.ts'
import type { PasskeySignature } from './passkey-key.ts'
import { es256Input, rs256Input } from './passkey-signature.node.ts'
import type { VerifyInput } from './public-key.node.ts'

export function signatureHoldsSoon(made: PasskeySignature): Promise<boolean> {
  const input = inputOf(made)
  if (input === null) return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    verify(...input, (error, holds) => (error ? reject(error) : resolve(holds)))
  })
}

function inputOf(made: PasskeySignature): VerifyInput | null {
  if (made.algorithm === 'ES256') return es256Input(made.x, made.y, made.message, made.signature)
  if (made.algorithm === 'EdDSA') return ed25519Input(made.point, made.message, made.signature)
  return rs256Input(made.modulus, made.message, made.signature)
}
