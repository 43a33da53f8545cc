import { webcrypto } from 'node:crypto'

/** SHA-256 of a text in the thread pool, in hex. For large texts: a small one is hashed faster than it is handed over. */
export async function sha256Aside(text: string): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
}
