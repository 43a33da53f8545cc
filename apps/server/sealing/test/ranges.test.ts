/**
 * The protocol of several processes: two processes, four items, which may be four batches, and one crash at any moment, in all
 * orders. Prints the number of states. Without any one of its safeguards the same walk finds a fault; without the turns it finds none.
 */
import { describe, expect, it } from 'vitest'
import { courtesies, type Rule, type Step, safeguards } from '../ranges/protocol.ts'
import { explore } from './all-orders.ts'

const shown = (path: readonly Step[]) =>
  path
    .map((step) => `${step.do}${'by' in step ? ` ${step.by}` : ''}${'item' in step ? ` (${step.item})` : ''}`)
    .join(', ')

const three = { items: process.env.TEST_LONG ? 4 : 3, crashes: 1, restarts: false }
const two = { items: 2, crashes: 2, restarts: true }

function holds(name: string, limits: typeof three, left: readonly Rule[] = []): void {
  const { fault, states, transitions, sealedAll } = explore(limits, new Set(left))
  process.stdout.write(`ranges: ${name}: ${states} states, ${transitions} steps, ${sealedAll} ends with all sealed\n`)
  expect(fault && `${fault.what}: ${shown(fault.path)}`).toBeNull()
  expect(states).toBeGreaterThan(1000)
  expect(sealedAll).toBeGreaterThan(0)
}

describe('two processes and crashes', { timeout: 300_000 }, () => {
  it.each([
    ['three items', three],
    ['two items, and processes that start again', two],
  ])('never fork a chain, lose an item or seal one twice, in any order: %s', (name, limits) => holds(name, limits))

  it('stay right where both believe to have the range', () => holds('without turns', two, courtesies))

  it.each(safeguards)('need that %s', (safeguard) => {
    const { fault, states } = explore(three, new Set<Rule>([safeguard]))
    process.stdout.write(
      `ranges: without "${safeguard}": ${fault?.what} after ${fault?.path.length} steps, ${states} states\n`,
    )
    expect(fault).not.toBeNull()
  })
})
