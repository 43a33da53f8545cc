/**
 * What nine people want to get done, each from the page that signing in leads to, by menus and buttons alone: clicks or taps
 * are counted, and each task has a limit. In CI a few by the seed; all with TEST_LONG=1, those that match with TEST_TASKS=<pattern>. TEST_KEEP=1 stores the table in results/.
 * A task more is one more entry in tasks/.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepResult } from '../bench/keep.ts'
import { random } from '../support/seed.ts'
import { forbidTyping, handAt } from './tasks/hand.ts'
import { tasksOfCenters } from './tasks/of-centers.ts'
import { tasksOfOthers } from './tasks/of-others.ts'
import { openPlace, type TaskPlace } from './tasks/place.ts'
import type { Role, Task } from './tasks/task.ts'

const pattern = new RegExp(process.env.TEST_TASKS ?? '')
const all = [...tasksOfCenters, ...tasksOfOthers].filter(({ role, what }) => pattern.test(`${role}: ${what}`))
const inCi = 8
const isLong = process.env.TEST_LONG !== undefined

let place: TaskPlace
beforeAll(async () => {
  place = await openPlace()
}, 240_000)
afterAll(() => place?.desk.close())

/** Others are skipped inside their test: the seed is known only there. */
let chosen: ReadonlySet<Task> | undefined
function isChosen(task: Task): boolean {
  if (isLong) return true
  if (!chosen) {
    const left = [...all]
    while (left.length > inCi) left.splice(Math.floor(random() * left.length), 1)
    chosen = new Set(left)
  }
  return chosen.has(task)
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
  readonly limit: number
  readonly clicks: number
  readonly seconds: number
  readonly onPhone: boolean
}
const rows: Row[] = []

describe('tasks of nine people', { timeout: 90_000 }, () => {
  it.each(all.map((task) => [`${task.role}: ${task.what}`, task] as const))('%s', async (_, task, ...more) => {
    const [context] = more as unknown as [{ skip(): void } | undefined]
    if (!isChosen(task)) return context?.skip()
    const { desk, people } = place
    await task.before?.(place)
    const who = task.who?.(place) ?? people[personOf[task.role] as keyof typeof people]
    const page = await desk.visit(task.begins ? null : who, task.begins ?? '/', task.onPhone ? phone : {})
    if (!task.begins) await page.waitForURL((url) => url.pathname !== '/')
    forbidTyping(page)
    // A control that isn't found within this time is one that a person doesn't find.
    page.setDefaultTimeout(20_000)
    const hand = handAt(page)
    const began = performance.now()
    await task.run(hand, place).catch((error: unknown) => {
      process.stdout.write(
        `${task.role}: ${task.what}: after ${hand.count()} clicks at ${page.url()}\n${String(error)}\n`,
      )
      throw error
    })
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const { role, what, limit, onPhone = false } = task
    rows.push({ role, what, limit, clicks: hand.count(), seconds, onPhone })
    expect(hand.count()).toBeLessThanOrEqual(limit)
    await page.context().close()
  })
})

it('prints the table', () => {
  const line = ({ role, what, clicks, limit, seconds, onPhone }: Row) =>
    `${role.padEnd(22)}${what.padEnd(60)}${String(clicks).padStart(3)} of ${String(limit).padEnd(4)}${String(seconds).padStart(6)} s${onPhone ? '  phone' : ''}`
  process.stdout.write(`${rows.map(line).join('\n')}\n`)
  expect(rows.length).toBeGreaterThanOrEqual(isLong ? all.length : 1)
  if (isLong && process.env.TEST_KEEP && !process.env.TEST_TASKS)
    keepResult('journey', 'tasks', { tasks: rows, at: new Date().toISOString() })
})
