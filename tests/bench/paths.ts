/** The requests whose path `npm run path` shows, and the part of docs/ARCHITECTURE.md that has them. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const page = new URL('../../docs/ARCHITECTURE.md', import.meta.url)
const root = new URL('../../', import.meta.url).pathname
const marks = ['<!-- paths:begin -->', '<!-- paths:end -->'] as const

export const requestNames = ['event', 'seal', 'decide', 'challenge', 'approval', 'consume', 'delivery'] as const

const titles: Readonly<Record<(typeof requestNames)[number], string>> = {
  event: 'a decision event is recorded',
  seal: 'an approval by an API key seals it',
  decide: "an agent's decision is sealed",
  challenge: 'a passkey challenge is created',
  approval: 'an approval by passkey seals it',
  consume: 'a sealed decision is taken for execution',
  delivery: 'a decision is sealed and its webhook delivered',
}

export interface PathFound {
  readonly path: string
  readonly files: number
  readonly story: number
  readonly proof: number
  readonly read: readonly string[]
}

/** Runs the program for one request, in a process of its own. */
export function pathOf(name: string): PathFound {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['tests/bench/path.ts', name], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm run path -- ${name} failed: ${stderr.slice(-2000)}`)
  const lines = stdout.trim().split('\n')
  return { ...(JSON.parse(lines.pop() ?? '') as Omit<PathFound, 'read'>), read: lines }
}

/** What the page says of each request. */
export function pathsOnPage(): Map<
  string,
  { readonly files: number; readonly story: number; readonly read: string[] }
> {
  const [, block = ''] = readFileSync(page, 'utf8').split(new RegExp(marks.join('|')))
  const rows = [...block.matchAll(/^\| `(\w+)`, [^|]+\| (\d+) \| (\d+) \|/gm)]
  const lists = new Map(
    [...block.matchAll(/^The story of `(\w+)`:\n\n((?:- `.+`\n)+)/gm)].map(([, name, list]) => [name, list ?? '']),
  )
  return new Map(
    rows.map(([, name = '', files, story]) => [
      name,
      {
        files: Number(files),
        story: Number(story),
        read: [...(lists.get(name) ?? '').matchAll(/`(.+)`/g)].map(([, file]) => file as string),
      },
    ]),
  )
}

export function writePaths(names: typeof requestNames): void {
  const found = names.map(pathOf)
  const rows = found.map(
    ({ path, files, story, proof }, at) =>
      `| \`${path}\`, ${titles[names[at] as keyof typeof titles]} | ${files} | ${story} | ${proof} |`,
  )
  const seal = found.find(({ path }) => path === 'seal')
  const block = [
    marks[0],
    '| request | files | in the story | in `packages/proof` |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    'The story of `seal`:',
    '',
    ...(seal?.read ?? []).map((file) => `- \`${file}\``),
    '',
    marks[1],
  ].join('\n')
  const text = readFileSync(page, 'utf8')
  const [before = '', , after = ''] = text.split(new RegExp(marks.join('|')))
  writeFileSync(page, `${before}${block}${after}`)
}
