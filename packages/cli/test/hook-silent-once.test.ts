/** Lines that a version of the hook let pass. Each is asked about; the last ones are ordinary work of the same form, which isn't. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judged } from '../hook/rules.ts'

let folder: string
let home: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-silent-'))
  home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'true' } }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rulesOf = (effects: { shell: string } | { writes: string[] }): string[] => {
  const call = { session: 's', callId: 't', tool: 'Bash', input: {}, cwd: folder, effects }
  return judged(call, 'claude-code', { rules: [] }, { HOME: home, USER: 'kim' }).asks.map(({ rule }) => rule)
}
const shell = (line: string): string[] => rulesOf({ shell: line })

describe('a variable that the line can set', () => {
  it.each([
    ['USER=git; $USER push origin', 'unresolved'],
    ['USER=-rf; rm $USER dir', 'delete'],
    ['USER=publish; npm $USER', 'unresolved'],
    ['for USER in git; do $USER push; done', 'unresolved'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('a program by the name of its package', () => {
  it.each([
    ['npx wrangler@latest deploy', 'deploy'],
    ['npx -y vercel@latest --prod', 'deploy'],
    ['pnpm dlx wrangler@3 deploy', 'deploy'],
    ['npm exec wrangler@3 deploy', 'deploy'],
    ['npx prisma@5 db push', 'database'],
    ['bunx vercel@latest', 'deploy'],
    ['uvx twine@5 upload x', 'publish'],
    ['pipx run twine==5 upload x', 'publish'],
    ['git.exe push', 'git-push'],
    ['cargo +nightly publish', 'publish'],
    ['npx firebase-tools deploy', 'deploy'],
    ['npx netlify-cli deploy', 'deploy'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('ordinary work of the same form', () => {
  it.each([
    'echo $USER',
    'ls /home/$USER',
    'npx tsc@5 --noEmit',
    'npx -y create-vite@latest app',
    'npm install vercel@3',
    'cargo +nightly fmt',
  ])('%s', (line) => expect(shell(line)).toEqual([]))
})
