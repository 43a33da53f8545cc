import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentsIn } from '../documents.ts'

interface LinesVector {
  readonly about: string
  readonly bytes: string
  readonly lines: readonly (readonly [number, string])[]
}
const vectors = new URL('../../../docs/formats/proof-lines.json', import.meta.url)
const { files } = JSON.parse(readFileSync(vectors, 'utf8')) as { readonly files: readonly LinesVector[] }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function linesIn(bytes: Buffer) {
  const file = join(folder, 'proofs.ndjson')
  writeFileSync(file, bytes)
  const found = []
  for await (const each of documentsIn(file)) found.push([each.name, 'text' in each ? each.text : each.unread])
  return { file, found }
}

it.each(files)('of a file with a proof per line: $about', async ({ bytes, lines }) => {
  const { file, found } = await linesIn(Buffer.from(bytes, 'base64'))
  expect(found).toEqual(lines.map(([number, text]) => [`${file}:${number}`, text]))
})

it('of a file with a proof per line: a character on both sides of the end of what is read at once', async () => {
  const long = `{"a":"${'a'.repeat(64 * 1024 - 7)}한"}`
  const { found } = await linesIn(Buffer.from(`${long}\n${long}`))
  expect(found.map(([, text]) => text)).toEqual([long, long])
})
