/**
 * Changes every covered column of the first, middle and last row of every kind of a table in three ways; the short form
 * changes the middle row in one way.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'
import { coveredWhere, type ProvenTable, uncovered } from './coverage.ts'
import { type Forger, openForger, type Target } from './forger.ts'
import { otherValues } from './mutations.ts'

/** The index at which a change is found; a head covers more than one entry, and each outcome has an entry of its own. */
function placeOf(table: ProvenTable, column: string, target: Target, value: string | null): number {
  if (target.outcomes && value !== null) return target.outcomes[column.split('_')[0] as string] ?? target.index
  if (table !== 'chain_heads') return target.index
  if (column === 'next_index') return Math.max(0, Math.min(target.index, Number(value ?? 0)))
  return column === 'domain' || column === 'center_id' ? 0 : target.index - 1
}

/** One row of each kind, for the short form. */
function isMiddle({ kind }: Target, at: number, all: readonly Target[]): boolean {
  const alike = all.filter((each) => each.kind === kind)
  return all[at] === alike[Math.floor(alike.length / 2)]
}

export function columnCases(tables: readonly ProvenTable[]): void {
  let forger: Forger
  beforeAll(async () => {
    forger = await openForger()
  }, 180_000)
  afterAll(() => forger.close())

  it('is valid before any change', async () => {
    for (const verdict of Object.values(await forger.verify()))
      expect(verdict).toMatchObject({ valid: true, reason: null })
  })

  describe.each(tables)('%s', (table) => {
    it('detects a change in every covered column', { timeout: 900_000 }, async () => {
      const all = await forger.targets(table)
      const targets = process.env.TEST_LONG ? all : all.filter(isMiddle)
      expect(new Set(targets.map(({ kind }) => kind)).size).toBeGreaterThan(table === 'approvals' ? 3 : 2)
      const missed: string[] = []
      const modes =
        table === 'entries' || table === 'chain_heads' ? (['chain', 'records'] as const) : (['records'] as const)
      let [forged, turn] = [0, 0]
      for (const { name, type } of await forger.columns(table)) {
        if (`${table}.${name}` in uncovered) continue
        const within = coveredWhere[`${table}.${name}`]
        const covered = within ? await forger.those(table, targets, within) : targets
        expect(covered.length).toBeGreaterThan(0)
        for (const target of some(covered, 2)) {
          const [row] = await forger.query<{ stored: string | null }>(
            `select ${name}::text as stored from cell.${table} where ${target.where}`,
          )
          const values = otherValues(type, (row as { stored: string | null }).stored)
          expect(values.length).toBe(type === 'boolean' ? 2 : 3)
          const tried = process.env.TEST_LONG ? values : [values[turn++ % values.length] as (typeof values)[0]]
          for (const value of tried) {
            await forger.query(`update cell.${table} set ${name} = $1::text::${type} where ${target.where}`, [value])
            const expected = placeOf(table, name, target, value)
            for (const mode of modes) {
              const verdict = (await forger.verify(mode))[target.domain]
              // Without the newest entry about a row, the one before it no longer explains the row, and is found first.
              const isHidden =
                ['domain', 'template', 'hashes', 'center_id'].includes(name) &&
                /doesn't match what was sealed/.test(verdict.reason ?? '')
              const isFound = isHidden ? (verdict.brokenAt ?? expected) <= expected : verdict.brokenAt === expected
              if (!isFound || verdict.valid || !verdict.reason) {
                const change = `${name} of ${target.kind} ${target.index} to ${value}`
                missed.push(`${mode}: ${change}: ${expected}, but ${JSON.stringify(verdict)}`)
              }
              // Resets the mark, so that the finding of one mode does not count for the other.
              await forger.query('update cell.chain_heads set broken_at = null')
            }
            forged++
            await forger.restore(table)
          }
        }
      }
      expect(missed).toEqual([])
      expect(forged).toBeGreaterThanOrEqual(targets.length)
    })
  })
}
