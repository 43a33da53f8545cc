import { hash } from 'node:crypto'

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex')

export const sha256Bytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(hash('sha256', bytes, 'buffer'))
