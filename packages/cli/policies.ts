/** `policies apply | diff | export | test`: a center's rules for decisions, as a file in a repository. */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from './client.ts'
import { UsageError } from './command-line.ts'
import { exitOf, secondsIn, settled } from './decisions.ts'
import { type Given, safe } from './given.ts'
import { coloured, marks } from './progress.ts'

interface Change {
  readonly kind: 'policy' | 'actionType'
  readonly change: 'created' | 'changed' | 'ended'
  readonly name: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

interface TestResult {
  readonly name: string
  readonly passed: boolean
  readonly differences: readonly { readonly path: string; readonly expected: unknown; readonly actual: unknown }[]
}

interface Import {
  readonly revision: string
  readonly changes: readonly Change[]
  readonly loosens: readonly string[]
  readonly pending: { readonly eventId: string; readonly approvalUrl: string } | null
  readonly tests: readonly TestResult[]
}

function fileIn({ words: [file, ...more], say, command }: Given): { text: string; type: string } {
  if (file === undefined || more.length > 0) throw new UsageError(say('onePolicyFile'), command)
  try {
    const text = readFileSync(file === '-' ? 0 : file, 'utf8')
    return { text, type: /^\s*\{/.test(text) ? 'application/json' : 'application/yaml' }
  } catch (error) {
    throw new UsageError((error as Error).message, command)
  }
}

function send(given: Given, { text, type }: ReturnType<typeof fileIn>, query: string): Promise<Import> {
  return given.call<Import>('PUT', `/policies/import?${query}`, text, { type })
}

const signs = { created: '+', changed: '~', ended: '-' } as const
const colours = { created: 'yes', changed: 'unknown', ended: 'no' } as const

/** The innermost values that differ, by their places; a list of another length is one value. */
function differences(path: string, before: unknown, after: unknown): Difference[] {
  if (isDeepStrictEqual(before, after)) return []
  const both = [before, after]
  const areObjects = both.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  const areLists = both.every(Array.isArray) && (before as unknown[]).length === (after as unknown[]).length
  if (!areObjects && !areLists) return [{ path, before, after }]
  const [old, now] = both as [Record<string, unknown>, Record<string, unknown>]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) =>
    differences(`${path}/${name}`, old[name], now[name]),
  )
}

/** Every value that differs, as it is and as it will be. */
function changeLines({ kind, change, name, before, after }: Change, { say }: Given): string[] {
  const head = coloured(colours[change], `${signs[change]} ${say(`change ${kind}`)} ${safe(name)}`)
  if (change !== 'changed') return [head]
  const line = (sign: '-' | '+', path: string, value: unknown): string[] =>
    value === undefined
      ? []
      : [coloured(sign === '+' ? 'yes' : 'no', `    ${sign} ${safe(path)}: ${safe(JSON.stringify(value))}`)]
  const found = differences('', before ?? {}, after ?? {})
  return [head, ...found.flatMap((each) => [...line('-', each.path, each.before), ...line('+', each.path, each.after)])]
}

function diffLines({ changes, loosens }: Import, given: Given): string[] {
  const { say } = given
  if (changes.length === 0) return [say('noChanges')]
  const lines = changes.flatMap((each) => changeLines(each, given))
  return loosens.length === 0 ? lines : [...lines, coloured('unknown', say('loosens', { names: loosens.join(', ') }))]
}

const testLines = ({ tests }: Import): string[] =>
  tests.flatMap(({ name, passed, differences }) => [
    coloured(passed ? 'yes' : 'no', `${marks[passed ? 'yes' : 'no']} ${safe(name)}`),
    ...differences.flatMap(({ path, expected, actual }) => [
      coloured('no', `    - ${safe(path)}: ${safe(JSON.stringify(expected))}`),
      coloured('yes', `    + ${safe(path)}: ${safe(JSON.stringify(actual))}`),
    ]),
  ])

const failed = ({ tests }: Import): boolean => tests.some(({ passed }) => !passed)

/** 0: nothing would change. 1: something would. */
export async function diffPolicies(given: Given): Promise<number> {
  const found = await send(given, fileIn(given), 'dryRun=true')
  given.print(found, diffLines(found, given))
  return found.changes.length === 0 ? 0 : 1
}

export async function testPolicies(given: Given): Promise<number> {
  const found = await send(given, fileIn(given), 'dryRun=true')
  given.print(found.tests, found.tests.length === 0 ? [given.say('noTests')] : testLines(found))
  return failed(found) ? 1 : 0
}

export async function exportPolicies(given: Given): Promise<number> {
  const found = await given.call<{ revision: string; yaml: string }>('GET', '/policies/export')
  const file = given.text('out')
  if (file !== undefined) writeFileSync(file, found.yaml)
  if (file === undefined) given.print(found, [found.yaml.trimEnd()], 'exact')
  else given.print(found, [given.say('savedIn', { file })])
  return 0
}

/** 0: in force. 1: a test failed, or people refused it. 4: it waits for people. 5: somebody else changed the rules meanwhile. */
export async function applyPolicies(given: Given): Promise<number> {
  const { say, text, note } = given
  const file = fileIn(given)
  const planned = await send(given, file, 'dryRun=true')
  if (failed(planned)) {
    given.print(planned, [...testLines(planned), say('testsFailed')])
    return 1
  }
  const base = text('revision') ?? planned.revision
  try {
    const done = await send(given, file, new URLSearchParams({ revision: base }).toString())
    const waits = done.pending !== null && !(given.options.wait && done.pending)
    if (done.pending === null || waits) {
      given.print(done, [
        ...diffLines(done, given),
        ...(done.pending === null
          ? done.changes.length === 0
            ? []
            : [say('applied')]
          : [coloured('unknown', say('applyWaits')), safe(done.pending.approvalUrl)]),
      ])
      return done.pending === null ? 0 : 4
    }
    for (const line of diffLines(done, given)) note(line)
    const decision = await settled(given, done.pending.eventId, secondsIn(given, 'timeout'))
    const code = exitOf(decision)
    given.print({ ...done, decision }, [say(code === 0 ? 'applied' : code === 1 ? 'applyRefused' : 'applyWaits')])
    return code
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 409) throw error
    const now = await send(given, file, 'dryRun=true')
    if (now.revision === base) throw error
    given.print({ ...now, conflict: { base, now: now.revision } }, [
      coloured('no', say('applyStale')),
      ...diffLines(now, given),
    ])
    return 5
  }
}
