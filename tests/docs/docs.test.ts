import { existsSync, globSync, readdirSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { type Definition, fullPath, type Operation } from '@countersign/contract/operation.ts'
import { definitions, operations } from '@countersign/contract/operations.ts'
import { isApiKey, newApiKey } from '@countersign/server/access/api-key-format.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { offenders } from '../support/offenders.ts'
import { blocksOf, markdownFiles, read, root, withoutBlocks } from './blocks.ts'

let pages: { file: string; text: string }[]
beforeAll(async () => {
  pages = (await markdownFiles()).map((file) => ({ file, text: read(file) }))
})

/** The name under which the contract exports each definition, by its id. */
async function exportNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for await (const file of glob('packages/contract/*.ts', { cwd: root })) {
    const exported = (await import(`${root}${file}`)) as Record<string, Partial<Operation & Definition> | null>
    for (const [name, value] of Object.entries(exported))
      if (value?.id && (value.spec || value.mounts)) names.set(value.id, name)
  }
  return names
}

describe('links', () => {
  /** Anchors as GitHub generates them. */
  const anchorsOf = (text: string): Set<string> =>
    new Set(
      [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )

  it('point to files and headings that exist', () => {
    const broken: string[] = []
    let checked = 0
    for (const { file, text } of pages) {
      for (const [, target = ''] of withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        checked++
        const [path = '', anchor] = target.split('#')
        const place = path === '' ? file : normalize(join(dirname(file), path))
        if (!existsSync(join(root, place))) broken.push(`${file}: ${target}`)
        else if (anchor && !anchorsOf(read(place)).has(anchor)) broken.push(`${file}: ${target} (no such heading)`)
      }
    }
    expect(broken).toEqual([])
    expect(checked).toBeGreaterThan(100)
  })

  it('point from the index to every page', () => {
    const linked = new Set(
      [...read('docs/README.md').matchAll(/\]\(([^)#\s]+)/g)].map(([, path = '']) => normalize(join('docs', path))),
    )
    const wanted = pages.map(({ file }) => file).filter((file) => /^docs\/|\/features\//.test(file))
    expect(wanted.filter((file) => file !== 'docs/README.md' && !linked.has(file))).toEqual([])
  })
})

describe('commands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  it('of the form "npm run …" exist', () => {
    const unknown = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
        .map(([, name]) => name as string)
        // What an agent ran in an incident.
        .filter((name) => !scripts[name] && !(name === 'db:push' && file.endsWith('guides/incidents.md')))
        .map((name) => `${file}: npm run ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('in shell blocks that no test runs are npm scripts or name files that exist', () => {
    const run = [
      'README.md',
      'README.ko.md',
      'docs/durability.md',
      'docs/one-machine.md',
      'docs/runbook.md',
      'docs/guides/command.md',
      'docs/guides/errors.md',
      'docs/guides/execute.md',
      'docs/guides/guard.md',
      'docs/guides/idempotency.md',
      'docs/guides/incidents.md',
      'docs/guides/pagination.md',
      'docs/guides/passkeys.md',
      'docs/guides/policies.md',
      'docs/guides/python.md',
      'docs/guides/retries.md',
      'docs/guides/serverless.md',
      'docs/guides/testing.md',
      'docs/guides/verify.md',
      'docs/guides/going-live.md',
      'docs/guides/webhooks.md',
      'docs/guides/workflows.md',
      'docs/several-machines.md',
      'docs/tutorials/first-proof.md',
      'docs/tutorials/webhooks.md',
      'docs/tutorials/witness.md',
      'packages/cli/README.md',
      'packages/contract/README.md',
      'docs/guides/gateway.md',
      'docs/guides/agents.md',
      'packages/gateway/README.md',
      'packages/mcp/README.md',
      'packages/proof/README.md',
      'packages/sdk/README.md',
      'examples/README.md',
      'examples/next-agent/README.md',
      'packages/witness/README.md',
      'python/README.md',
    ]
    const strange = pages
      .filter(({ file }) => !run.includes(file.replace(/^docs\/ko\//, 'docs/')))
      .flatMap(({ text }) => blocksOf(text).filter(({ language }) => language === 'sh'))
      .flatMap(({ text }) => text.trim().split('\n'))
      .filter((line) => {
        const [, file] = /^npx vitest run (\S+)$/.exec(line) ?? []
        return !(file
          ? existsSync(join(root, file))
          : /^(eval "\$\(tools\/services\.sh\)" && )?npm (install|test|run [\w:-]+)$/.test(line))
      })
    expect(strange).toEqual([])
  })
})

describe('packages of ours', () => {
  const blocks = () => pages.flatMap(({ file, text }) => blocksOf(text).map((block) => ({ file, text: block.text })))

  it('are run by their full names: anybody could publish a bare one', () => {
    const bare = pages.flatMap(({ file, text }) => (/npx\s+(-y\s+)?countersign/.test(text) ? [file] : []))
    expect([...bare, ...(read('packages/contract/openapi.json').match(/npx\s+(-y\s+)?countersign/g) ?? [])]).toEqual([])
  })

  it('are installed from a clone, as no registry has them', () => {
    expect(
      blocks()
        .filter(({ text }) => /npm (i|install) .*@countersign\//.test(text))
        .map(({ file }) => file),
    ).toEqual([])
    const used = new Set(
      blocks()
        .filter(({ text }) => text.includes('npx @countersign/'))
        .map(({ file }) => file),
    )
    expect([...used].filter((file) => !read(file).includes('npm run pack -- --into'))).toEqual([])
    expect(used.size).toBeGreaterThan(4)
  })
})

describe('README.md', () => {
  const shellBlocks = (text: string) => blocksOf(text).filter(({ language }) => language === 'sh')

  it('has only shell blocks that the journey of a newcomer runs', () => {
    const [clone = '', ...others] = shellBlocks(read('README.md')).map(({ text }) => text.trim())
    expect(clone).toMatch(/^git clone \S+ && cd countersign && npm install$/)
    expect(others).toEqual([
      'npm run demo:agent -- --approve',
      'npm run countersign -- verify .dev/demo-agent/proof.json --trust .dev/demo-agent/countersign.policy',
      'npm run pack -- --into ../my-agent',
      // tests/python/journey.test.ts installs the package this way.
      "pip install '../countersign/python[langchain]'",
    ])
  })

  it('has a Korean version with the same code blocks, links and pictures', () => {
    const korean = read('README.ko.md')
    expect(blocksOf(korean)).toEqual(blocksOf(read('README.md')))
    const targets = (text: string) =>
      [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
        // A picture of a page may be in the language of its README.
        .map(([, target = '']) => target.replace(/-ko\.webp$/, '.webp'))
        .filter((to) => !/^README/.test(to))
    expect(targets(korean).toSorted()).toEqual(targets(read('README.md')).toSorted())
  })
})

describe('tutorials', () => {
  it('the first needs only git, npm, curl and node', () => {
    const blocks = blocksOf(read('docs/tutorials/first-proof.md'))
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh']))
    const programs = blocks.flatMap(({ text }) => [...text.matchAll(/(?:^|\$\(|\|\s+|&& )([a-z]+)\b/gm)])
    expect(new Set(programs.map(([, name]) => name))).toEqual(new Set(['git', 'cd', 'npm', 'curl', 'node']))
  })

  /** Their blocks are those of pages whose tests run them. */
  it.each([
    ['webhooks', ['docs/guides/webhooks.md']],
    ['witness', ['packages/witness/README.md', 'docs/guides/verify.md']],
  ])('%s has only code blocks that a test runs elsewhere', (name, sources) => {
    const elsewhere = sources.flatMap((file) => blocksOf(read(file)).map(({ text }) => text))
    const own = blocksOf(read(`docs/tutorials/${name}.md`)).map(({ text }) => text)
    expect(own).not.toEqual([])
    expect(own.filter((text) => !elsewhere.includes(text))).toEqual([])
  })
})

describe('Korean pages', () => {
  const korean = globSync('docs/ko/**/*.md', { cwd: root })

  it('have the code blocks of the English pages, in the same order', async () => {
    expect(korean).not.toEqual([])
    const different = await offenders(korean, String, (file) => {
      expect(blocksOf(read(file))).toEqual(blocksOf(read(file.replace(/^docs\/ko\//, 'docs/'))))
    })
    expect(different).toEqual([])
  })
})

describe('gaps', () => {
  const gaps = read('docs/gaps.md')
  const rows = gaps.split('\n').filter((line) => /^\| \d/.test(line))

  it('are each held by a test or planned', () => {
    expect(rows).not.toEqual([])
    expect(rows.filter((row) => !/\]\(\.\.\/[\w./-]+\.test\.ts\)|\| planned with /.test(row))).toEqual([])
  })

  it('name only tests that exist', () => {
    const named = [...gaps.matchAll(/\]\(\.\.\/([\w./-]+\.test\.ts)\)/g)].map(([, file]) => file as string)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

describe('feature folders', () => {
  const groups = readdirSync(join(root, 'apps/server/features'))
  const features = [
    'system',
    ...groups.flatMap((group) =>
      readdirSync(join(root, 'apps/server/features', group)).map((name) => `features/${group}/${name}`),
    ),
  ]

  it('have a page each', () => {
    expect(features.filter((name) => !existsSync(join(root, `apps/server/${name}/README.md`)))).toEqual([])
  })

  it('name every operation in the README beside its route', async () => {
    const named = await exportNames()
    const routesOf = (name: string) =>
      readdirSync(join(root, 'apps/server', name))
        .filter((file) => file.endsWith('routes.ts'))
        .map((file) => read(`apps/server/${name}/${file}`))
        .join('\n')
    const home = (id: string) =>
      features.find((name) => new RegExp(`([cC]ontract\\.|route\\((\\w+\\.)?)${named.get(id)}\\b`).test(routesOf(name)))
    const silent = definitions.filter(({ id }) => {
      const feature = home(id)
      return !feature || !read(`apps/server/${feature}/README.md`).includes(`\`${id}\``)
    })
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})

describe('paths of the API', () => {
  /** Paths of the server without an operation, of a witness, and of the worked example in CONTRIBUTING.md. */
  const others = new Set([
    ...['GET /docs', 'GET /metrics', 'GET /verify', 'POST /add-checkpoint', 'GET /api/center/card'],
    ...['GET /api/console/stream', 'GET /api/v1/decision-events/{}/stream'],
  ])
  const shape = (path: string) => path.replaceAll(/[:{$<][^/]*|\b[a-z]{3}_[0-9a-z]{26}\b/g, '{}')
  const known = new Set(operations.map(({ spec }) => `${spec.method} ${shape(fullPath(spec))}`))
  const wrong = (text: string) =>
    [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`'"\\?;,)]*)/g)]
      .map(([, method, path = '']) => `${method} ${path.replace(/[.:]$/, '')}`)
      .filter((named) => !others.has(named) && !others.has(shape(named)) && !known.has(shape(named)))

  it('are written in full, beginning with /api, on every page', () => {
    expect(pages.flatMap(({ file, text }) => wrong(withoutBlocks(text)).map((path) => `${file}: ${path}`))).toEqual([])
  })

  it('are written in full in the descriptions of operations and in messages of the server', async () => {
    expect(wrong(read('packages/contract/openapi.json'))).toEqual([])
    const found: string[] = []
    for await (const file of glob(['apps/server/**/*.ts', 'packages/contract/*.ts'], { cwd: root })) {
      if (/node_modules|\/test\//.test(file)) continue
      found.push(...wrong(read(file)).map((path) => `${file}: ${path}`))
    }
    expect(found).toEqual([])
  })

  it('are recognized as incomplete without /api', () => {
    expect(wrong('`POST /v1/agents/decide`, or GET /dpu/{id}/verify')).toEqual([
      'POST /v1/agents/decide',
      'GET /dpu/{id}/verify',
    ])
  })
})

describe('SECURITY.md', () => {
  it('gives scanners a pattern that fits every key and nothing shorter', () => {
    const pattern = blocksOf(read('SECURITY.md'))[0]?.text.trim() ?? ''
    expect(pattern).toMatch(/^csk_/)
    const scanner = new RegExp(`^${pattern}$`)
    for (const environment of ['live', 'test'] as const) {
      for (let i = 0; i < 200; i++) {
        const key = newApiKey(environment)
        expect(isApiKey(key)).toBe(true)
        expect(key).toMatch(scanner)
        expect(key.slice(0, -1)).not.toMatch(scanner)
      }
    }
  })
})

describe('LICENSE', () => {
  it('is Apache-2.0, as every package says', () => {
    expect(read('LICENSE')).toContain('Version 2.0, January 2004')
    for (const folder of ['', 'packages/contract/', 'apps/server/', 'tests/']) {
      expect(JSON.parse(read(`${folder}package.json`)).license).toBe('Apache-2.0')
    }
  })
})

it('no page mentions a machine path or the organization of the work', () => {
  const talkative = pages.filter(({ text }) => /\/work\/|\/tmp\/|\/opt\/|\bissue \d|\bhelper\b/i.test(text))
  expect(talkative.map(({ file }) => file)).toEqual([])
})
