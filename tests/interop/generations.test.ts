/** The checker in Python gives every file of docs/formats/generations.json the same standing. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exitCodes } from './forged-files.ts'

const { policy, declaration, files } = JSON.parse(
  readFileSync(new URL('../../docs/formats/generations.json', import.meta.url), 'utf8'),
)
const folder = mkdtempSync(join(tmpdir(), 'countersign-generations-'))
beforeAll(() => {
  execFileSync('python3', ['--version'])
  writeFileSync(join(folder, 'policy'), policy)
  writeFileSync(join(folder, 'declaration.json'), JSON.stringify(declaration))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Vector {
  readonly name: string
  readonly declarations: boolean
  readonly standing: keyof typeof exitCodes
  readonly document: object
}

it.each<Vector>(files)('$name, with declarations: $declarations', ({ document, declarations, standing }) => {
  const given = declarations ? ['--declaration', join(folder, 'declaration.json')] : []
  const args = ['tests/interop/check_exports.py', '--trust', join(folder, 'policy'), ...given]
  const { status, stdout } = spawnSync('python3', args, { input: JSON.stringify(document), encoding: 'utf8' })
  expect([JSON.parse(stdout).standing, status]).toEqual([standing, exitCodes[standing]])
})
