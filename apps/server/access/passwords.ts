/**
 * argon2id with bounded concurrency: at most two hashes at a time and fifty waiting, so that a flood of logins
 * does not starve other requests of CPU. An unknown account costs the same hash as a wrong password.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { semaphore } from '../concurrency/semaphore.ts'
import { Problem } from '../lib/problem.ts'

const derive = promisify(argon2) as (kind: 'argon2id', options: object) => Promise<Buffer>

/** OWASP's first recommendation: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const maxRunning = 2
const maxWaiting = 50

export interface Passwords {
  hash(password: string): Promise<string>
  /** With a null hash (no such account) it takes as long and returns false. */
  verify(password: string, hash: string | null): Promise<boolean>
}

const tooMany = () =>
  new Problem('SERVICE_UNAVAILABLE', 'Too many people are signing in right now. Try again in a few seconds.', {
    retryAfter: 2,
  })

export function passwords(): Passwords {
  const hashes = semaphore(maxRunning)
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  async function run(password: string, nonce: Buffer, { memory, passes, parallelism } = cost): Promise<Buffer> {
    if (hashes.waiting() >= maxWaiting) throw tooMany()
    const options = { message: password.normalize('NFC'), nonce, parallelism, tagLength: 32, memory, passes }
    return hashes.run(() => derive('argon2id', options))
  }
  return {
    async hash(password) {
      const salt = randomBytes(16)
      const tag = await run(password, salt)
      return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${bare(salt)}$${bare(tag)}`
    },
    async verify(password, hash) {
      const match = hash === null ? null : form.exec(hash)
      if (!match) {
        await run(password, Buffer.alloc(16))
        return false
      }
      const [, memory, passes, parallelism, salt = '', tag = ''] = match
      const expected = Buffer.from(tag, 'base64')
      const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      return timingSafeEqual(await run(password, Buffer.from(salt, 'base64'), costs), expected)
    },
  }
}
