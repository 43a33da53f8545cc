/** The package's types, checked strictly for the oldest and the newest Python that it's for. */
import { spawnSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { folder, python } from './environment.ts'

let interpreter: string
beforeAll(async () => {
  interpreter = await python()
}, 600_000)

it.each(['3.10', '3.14'])('are right for Python %s', { timeout: 300_000 }, (version) => {
  const args = ['-m', 'pyright', '--pythonversion', version, '--pythonpath', interpreter, '-p', folder]
  const { status, stdout, stderr } = spawnSync(interpreter, args, { cwd: folder, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toContain('0 errors, 0 warnings')
})
