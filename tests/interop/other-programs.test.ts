import { expect, it } from 'vitest'
import { read } from '../docs/blocks.ts'

it('the page names every program that is pinned, and its version', () => {
  const pinnedInGo = read('tests/interop/go/go.mod').matchAll(/^\t(\S+) (v\S+)$/gm)
  const pinnedInPython = read('tests/interop/requirements.txt').matchAll(/^(\S+)==(\S+) --hash=sha256:[0-9a-f]{64}$/gm)
  // The rest of that file is what the toolkit needs.
  const [, toolkit] =
    read('tests/interop/agent-governance-requirements.txt').match(/^agent-governance-toolkit-core==(\S+)$/m) ?? []
  const { standardwebhooks } = JSON.parse(read('tests/package.json')).devDependencies as Record<string, string>
  const pinnedForMcp = read('tests/support/mcp.ts').matchAll(/'(@modelcontextprotocol\/\w+)@([^']+)'/g)
  const pinned = [
    // A module without a release is pinned by a commit.
    ...[...pinnedInGo].map(([, name = '', version = '']) => [
      name,
      /^v0\.0\.0-\d+-(\w+)$/.exec(version)?.[1] ?? version,
    ]),
    ...[...pinnedInPython].map(([, name, version]) => [`${name} from PyPI`, version]),
    ['agent-governance-toolkit-core from PyPI', toolkit],
    ['standardwebhooks from npm', standardwebhooks],
    ...[...pinnedForMcp].map(([, name, version]) => [`${name} from npm`, version]),
  ]
  const named = [...read('docs/formats/other-programs.md').matchAll(/^\| `(.+?) \| (\S+) \|/gm)]
    .map(([, name = '', version]) => [name.replaceAll('`', '').replace('/sumdb/note', ''), version])
    .filter(([name]) => name !== 'litewitness from filippo.io/torchwood')
  expect(named.toSorted()).toEqual(pinned.toSorted())
})
