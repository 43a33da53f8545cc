/**
 * What nine people want to get done, each from the page that signing in leads to, by menus and buttons alone: clicks or taps
 * are counted, and each task has a limit. Those of a desk are done a second time by keyboard alone. In CI a few by the seed; all with
 * TEST_LONG=1, those that match with TEST_TASKS=<pattern>. TEST_KEEP=1 stores the table in results/. A task more is one more entry in
 * tasks/.
 */
import { loadavg } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepResult } from '../bench/keep.ts'
import { random, testSeed } from '../support/seed.ts'
import { withoutPointer } from './keyboard.ts'
import { type By, forbidTyping, handAt } from './tasks/hand.ts'
import { tasksOfCenters } from './tasks/of-centers.ts'
import { tasksOfOthers } from './tasks/of-others.ts'
import { openPlace, type TaskPlace } from './tasks/place.ts'
import type { Role, Task } from './tasks/task.ts'

const pattern = new RegExp(process.env.TEST_TASKS ?? '')
interface Turn {
  readonly task: Task
  readonly by: By
}
const nameOf = ({ task, by }: Turn): string => `${task.role}: ${task.what}${by === 'keyboard' ? ', by keyboard' : ''}`
const turnsBy = (by: By): readonly Turn[] =>
  [...tasksOfCenters, ...tasksOfOthers]
    .filter(({ onPhone, limit }) => by === 'pointer' || (!onPhone && limit > 0))
    .map((task) => ({ task, by }))
    .filter((turn) => pattern.test(nameOf(turn)))
const [clicked, typed] = [turnsBy('pointer'), turnsBy('keyboard')]
const all = [...clicked, ...typed]
const isLong = process.env.TEST_LONG !== undefined

let place: TaskPlace
beforeAll(async () => {
  place = await openPlace()
}, 240_000)
afterAll(() => place?.desk.close())

const some = (turns: readonly Turn[], count: number): readonly Turn[] => {
  const left = [...turns]
  while (left.length > count) left.splice(Math.floor(random() * left.length), 1)
  return left
}
/** Others are skipped inside their test: the seed is known only there. */
let chosen: ReadonlySet<Turn> | undefined
function isChosen(turn: Turn): boolean {
  chosen ??= new Set(isLong ? all : [...some(clicked, 8), ...some(typed, 2)])
  return chosen.has(turn)
}

const personOf: Readonly<Partial<Record<Role, keyof TaskPlace['people']>>> = {
  director: 'director',
  'second administrator': 'second',
  instructor: 'instructor',
  parent: 'parent',
  client: 'client',
  partner: 'partner',
  operator: 'operator',
}
const phone = { width: 360, height: 740 }

interface Row {
  readonly role: Role
  readonly what: string
  readonly by: By
  readonly limit: number
  readonly clicks: number
  /** That a keyboard pressed besides typing. */
  readonly keys?: number
  readonly seconds: number
  readonly onPhone: boolean
}
const rows: Row[] = []

describe('tasks of nine people', { timeout: 90_000 }, () => {
  it.each(all.map((turn) => [nameOf(turn), turn] as const))('%s', async (_, turn, ...more) => {
    const [context] = more as unknown as [{ skip(): void } | undefined]
    if (!isChosen(turn)) return context?.skip()
    const { task, by } = turn
    const { desk, people } = place
    await task.before?.(place)
    const who = task.who?.(place) ?? people[personOf[task.role] as keyof typeof people]
    const page = await desk.visit(task.begins ? null : who, task.begins ?? '/', task.onPhone ? phone : {})
    if (!task.begins) await page.waitForURL((url) => url.pathname !== '/')
    forbidTyping(page)
    if (by === 'keyboard') await withoutPointer(page)
    // A control that isn't found within this time is one that a person doesn't find.
    page.setDefaultTimeout(20_000)
    const hand = handAt(page, by)
    const began = performance.now()
    await task.run(hand, place).catch((error: unknown) => {
      process.stdout.write(`${nameOf(turn)}: after ${hand.count()} clicks at ${page.url()}\n${String(error)}\n`)
      throw error
    })
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const { role, what, limit, onPhone = false } = task
    const keys = by === 'keyboard' ? { keys: hand.keys() } : {}
    rows.push({ role, what, by, limit, clicks: hand.count(), ...keys, seconds, onPhone })
    expect(hand.count()).toBeLessThanOrEqual(limit)
    expect(desk.complaints.splice(0).filter((each) => each.includes('a pointer was used'))).toEqual([])
    await page.context().close()
  })
})

it('prints the table', () => {
  const line = ({ role, what, clicks, limit, seconds, onPhone, keys }: Row) =>
    `${role.padEnd(22)}${what.padEnd(60)}${String(clicks).padStart(3)} of ${String(limit).padEnd(4)}${String(seconds).padStart(6)} s${onPhone ? '  phone' : ''}${keys === undefined ? '' : `  ${keys} keys`}`
  process.stdout.write(`${rows.map(line).join('\n')}\n`)
  expect(rows.length).toBeGreaterThanOrEqual(isLong ? all.length : 1)
  if (isLong && process.env.TEST_KEEP && !process.env.TEST_TASKS)
    keepResult('journey', 'tasks', { at: new Date().toISOString(), seed: testSeed(), load: loadavg()[1], tasks: rows })
})
