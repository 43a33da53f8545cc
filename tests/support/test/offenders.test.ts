import { expect, it } from 'vitest'
import { offenders } from '../offenders.ts'

it('lists each one that breaks the rule, with the reason, and goes on', async () => {
  const broken = await offenders([1, 2, 3, 4], String, async (each) => {
    expect(each % 2).toBe(0)
    if (each === 4) throw new Error('four is too many')
  })
  expect(broken).toEqual([
    expect.stringContaining('1: expected 1 to be'),
    expect.stringContaining('3: expected 1 to be'),
    '4: four is too many',
  ])
})

it('lists nothing where all keep it', async () => {
  expect(await offenders(['a', 'b'], String, () => {})).toEqual([])
})
