import { hash } from 'node:crypto'

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex')

/** Through a binary string: twice as fast as a Buffer, which allocates memory for each hash. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  const digest = hash('sha256', bytes, 'binary')
  const copy = new Uint8Array(32)
  for (let at = 0; at < 32; at++) copy[at] = digest.charCodeAt(at)
  return copy
}
