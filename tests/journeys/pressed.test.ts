/**
 * Every control of the console pressed once: every address that an area lists, as people of the demo in each state, each from the page as
 * it was opened, with what opens in front of it. It fails on what the page could have known: a refusal that no field explains, an
 * error that is shown, an error of the page. In CI for half a minute in an order of the seed; all of them with TEST_LONG=1, and
 * those that match with TEST_PRESSED=<pattern>. TEST_KEEP=1 stores what a long run found in results/; TEST_KEEP=<name>
 * stores that of a part under its name.
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, seedDemo } from '../../tools/demo-data.ts'
import { keepResult } from '../bench/keep.ts'
import { type ConsoleDesk, openConsole } from '../support/console.ts'
import { random, testSeed } from '../support/seed.ts'
import { calm, type Fault, type Listener, listen } from './pressing/press.ts'
import { personOf, type State, type Visit, visits } from './pressing/states.ts'
import { stock } from './pressing/stock.ts'
import { walk } from './pressing/walk.ts'

const budgetMs = 35_000
const isLong = process.env.TEST_LONG !== undefined
const pattern = new RegExp(process.env.TEST_PRESSED ?? '')

let desk: ConsoleDesk
let demo: Demo

beforeAll(async () => {
  desk = await openConsole({ MAX_POLICIES_PER_CENTER: '1000', MAX_INVITATIONS_PER_CENTER: '1000' })
  demo = await seedDemo(desk.server.services.config)
  await stock(desk, demo)
}, 240_000)
afterAll(() => desk?.close())

/** Answers that a page asks for on purpose and turns into something else than an error. */
const expected: readonly (readonly [refusal: RegExp, reason: string])[] = [
  [/FORBIDDEN stepUp/, 'Whoever does something grave shows again who they are; the page asks for it.'],
  [/^404 GET .*\/export NOT_FOUND/, 'Whether there is an export is asked by reading it.'],
  [/^503 GET \/docs\/|^503 GET \/docs /, 'The documentation is built apart.'],
  [
    /^409 POST .*\/leave CONFLICT lastAdmin/,
    'The dialog says so before: who else is an administrator is not part of a profile.',
  ],
  [/^401 .*\/session\/refresh/, 'Whether there is a session is asked by renewing it.'],
]

interface Visitor {
  readonly page: Page
  readonly listener: Listener
  open(path: string): Promise<void>
}

async function visitorOf(state: State): Promise<Visitor> {
  const person = personOf(demo, state)
  const page = await desk.visit(person, '/me', { options: { reducedMotion: 'reduce' } })
  const listener = listen(page)
  return {
    page,
    listener,
    async open(path) {
      await page.goto(desk.origin + path)
      await calm(page, listener)
      if (new URL(page.url()).pathname !== '/login') return
      // A control ended the session.
      await desk.signIn(page, person)
      await page.waitForURL((url) => url.pathname !== '/login')
      await page.goto(desk.origin + path)
    },
  }
}

function shuffled(all: readonly Visit[]): readonly Visit[] {
  const left = [...all]
  return Array.from({ length: left.length }, () => left.splice(Math.floor(random() * left.length), 1)[0] as Visit)
}

/** Centers walked at the same time; people of one center would change each other's pages. */
const lanes = 2

/** The people of a center one after the other, who can leave it on the last of their pages; partners and the operator at the end. */
async function inTurn(
  all: readonly Visit[],
  walkAll: (state: State, paths: readonly string[]) => Promise<void>,
): Promise<void> {
  const ofState = Map.groupBy(all, ({ state }) => state)
  const byCenter = Map.groupBy(ofState, ([{ center }]) => center)
  const outside = byCenter.get(null) ?? []
  byCenter.delete(null)
  const left = [...byCenter.values()].toSorted((a, b) => b.length - a.length)
  const people = async (each: readonly (readonly [State, readonly Visit[]])[]) => {
    const ordered = each.toSorted(([a], [b]) => Number(a.as.includes('ADMIN')) - Number(b.as.includes('ADMIN')))
    for (const [state, visited] of ordered) {
      const paths = visited.map(({ path }) => path).toSorted((a, b) => Number(a === '/me') - Number(b === '/me'))
      await walkAll(state, paths)
    }
  }
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await people(next)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await people(outside)
}

it(
  'no control leads to an error that the page could have known',
  async () => {
    const chosen = shuffled(await visits()).filter(({ state, path }) => pattern.test(`${state.name} ${path}`))
    const began = performance.now()
    const isOver = () => !isLong && performance.now() - began > budgetMs
    const faults: Fault[] = []
    const frames = new Set<string>()
    let [pressed, pages] = [0, 0]
    const walkAll = async (state: State, paths: readonly string[]) => {
      const visitor = await visitorOf(state)
      for (const path of paths) {
        if (isOver()) break
        const hasFrame = frames.has(state.name)
        frames.add(state.name)
        const found = await walk({
          ...visitor,
          where: `${state.name}: ${path}`,
          open: () => visitor.open(path),
          skips: ({ kind }) => hasFrame && / (header|nav) /.test(`${kind} `),
          expected: (refusal) => expected.some(([pattern]) => pattern.test(refusal)),
          isOver,
        })
        faults.push(...found.faults)
        pressed += found.pressed
        pages++
        if (isLong) {
          process.stdout.write(`${pages} of ${chosen.length}: ${state.name} ${path}: ${found.pressed}\n`)
          for (const fault of found.faults) process.stdout.write(`  ${fault.control}: ${fault.what}\n`)
        }
      }
      await visitor.page.context().close()
    }
    if (isLong) await inTurn(chosen, walkAll)
    else for (const { state, path } of chosen) if (!isOver()) await walkAll(state, [path])
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stdout.write(`${pressed} controls on ${pages} of ${chosen.length} pages pressed in ${seconds} s\n`)
    if (isLong && process.env.TEST_KEEP) {
      const walked = [...new Set(chosen.map(({ state }) => state.name))]
      const at = new Date().toISOString()
      const found = { states: walked.length, walked, pages, pressed, seconds, load: loadavg()[1], faults }
      keepResult('journey', process.env.TEST_KEEP === '1' ? 'pressed' : `pressed-${process.env.TEST_KEEP}`, {
        ...{ at, seed: testSeed() },
        ...found,
      })
    }
    if (process.env.TEST_PRESSED_TO) writeFileSync(process.env.TEST_PRESSED_TO, JSON.stringify(faults, null, 2))
    expect(pressed).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
  isLong ? 7_200_000 : 120_000,
)
