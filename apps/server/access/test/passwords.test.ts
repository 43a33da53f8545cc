import { describe, expect, it } from 'vitest'
import { passwords } from '../passwords.ts'

describe('passwords', () => {
  it('are hashed with argon2id at 19 MiB and two passes, each with a salt of its own', async () => {
    const { hash } = passwords()
    const [one, two] = [await hash('secret'), await hash('secret')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
  })

  it('match only the same password', async () => {
    const { hash, verify } = passwords()
    const stored = await hash('Secret 1')
    expect(await verify('Secret 1', stored)).toBe(true)
    for (const other of ['secret 1', 'Secret 1 ', 'Secret', '']) expect(await verify(other, stored)).toBe(false)
  })

  it('match in every Unicode composition of a letter', async () => {
    const { hash, verify } = passwords()
    expect(await verify('caf\u0065\u0301', await hash('caf\u00e9'))).toBe(true)
  })

  it('never match an account that does not exist or a damaged hash', async () => {
    const { verify } = passwords()
    for (const hash of [null, '', 'secret', '$argon2id$v=19$m=19456,t=2,p=1$AAAA']) {
      expect(await verify('secret', hash)).toBe(false)
    }
  })

  it('are hashed two at a time with fifty waiting; further ones are refused with a retry time', async () => {
    const { verify } = passwords()
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => verify('secret', null)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(8)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 2 })
    expect(await verify('secret', null)).toBe(false)
  })
})
