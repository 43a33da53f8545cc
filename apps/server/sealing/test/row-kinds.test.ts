import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AnyKind } from '../sealed-rows.ts'

const server = new URL('../../', import.meta.url)
const files = globSync('{audit,features/*/*}/sealed-rows.ts', { cwd: server.pathname })

async function kindsIn(file: string): Promise<AnyKind[]> {
  const exported: unknown[] = Object.values(await import(new URL(file, server).href))
  return exported.filter(
    (value): value is AnyKind => typeof value === 'object' && value !== null && 'order' in value && 'namesOf' in value,
  )
}

it('gives every kind of sealed row a number and a name of its own, so that two batches do not deadlock', async () => {
  const kinds = (await Promise.all(files.map(kindsIn))).flat()
  expect(kinds.length).toBeGreaterThanOrEqual(14)
  for (const member of ['order', 'name'] as const) {
    const values = kinds.map((kind) => kind[member])
    expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([])
  }
})
