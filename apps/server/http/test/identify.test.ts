import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey } from '../identify.ts'

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
const network = fc.tuple(group, group, group, group)
const host = fc.tuple(group, group, group, group)

/** A spelling of an IPv6 address: zeros omitted or not, letters in upper or lower case, leading zeros or not. */
const spelling = fc.record({ leaveOut: fc.option(fc.nat({ max: 7 })), capitals: fc.boolean(), padded: fc.boolean() })

function spell(
  groups: readonly number[],
  { leaveOut, capitals, padded }: { leaveOut: number | null; capitals: boolean; padded: boolean },
): string {
  const written = groups.map((value) => value.toString(16).padStart(padded ? 4 : 1, '0'))
  let text = written.join(':')
  if (leaveOut !== null && groups[leaveOut] === 0) {
    let end = leaveOut
    while (groups[end + 1] === 0) end++
    text = `${written.slice(0, leaveOut).join(':')}::${written.slice(end + 1).join(':')}`
  }
  return capitals ? text.toUpperCase() : text
}

describe('the rate limit key of an address', () => {
  it('is the same for the whole /64 of an IPv6 customer in every spelling', () => {
    fc.assert(
      fc.property(network, host, host, spelling, spelling, (net, one, other, first, second) => {
        expect(addressKey(spell([...net, ...one], first))).toBe(addressKey(spell([...net, ...other], second)))
      }),
      { numRuns: 3000 },
    )
  })

  it('differs between two /64', () => {
    fc.assert(
      fc.property(network, network, host, spelling, spelling, (net, other, rest, first, second) => {
        fc.pre(net.join() !== other.join())
        expect(addressKey(spell([...net, ...rest], first))).not.toBe(addressKey(spell([...other, ...rest], second)))
      }),
      { numRuns: 3000 },
    )
  })

  it('is the whole address for IPv4, also where a socket shows it as IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKey(address)).toBe(address)
        expect(addressKey(`::ffff:${address}`)).toBe(address)
        expect(addressKey(`::FFFF:${address}`)).toBe(address)
      }),
    )
  })

  it('exists even when the socket has closed and has no address', () => {
    expect(addressKey(undefined)).toMatch(/./)
  })

  it('has the notation of a network', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(addressKey('::1')).toBe('0:0:0:0::/64')
  })
})
