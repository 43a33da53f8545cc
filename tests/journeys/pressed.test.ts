/**
 * Every control of the console pressed once: every address that an area lists, as people of the demo in each state, on a fresh page
 * for each control, with what opens in front of it. It fails on what the page could have known: a refusal that no field explains, an
 * error that is shown, an error of the page. In CI for half a minute in an order of the seed; all of them with TEST_LONG=1, and
 * those that match with TEST_PRESSED=<pattern>. TEST_KEEP=1 stores what a long run found in results/.
 */
import { writeFileSync } from 'node:fs'
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
  [/STEP_UP_REQUIRED/, 'Whoever does something grave shows again who they are; the page asks for it.'],
  [/^404 GET .*\/export NOT_FOUND/, 'Whether there is an export is asked by reading it.'],
  [/^401 .*\/session\/refresh/, 'Whether there is a session is asked by renewing it.'],
]

interface Visitor {
  readonly page: Page
  readonly listener: Listener
  open(path: string): Promise<void>
}

async function visitorOf(state: State): Promise<Visitor> {
  const person = personOf(demo, state)
  const page = await desk.visit(person, '/me')
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

it(
  'no control leads to an error that the page could have known',
  async () => {
    const chosen = shuffled(await visits()).filter(({ state, path }) => pattern.test(`${state.name} ${path}`))
    // In the full list a person's session is opened once, and the page on which they can leave the center is their last.
    const ordered = isLong
      ? chosen.toSorted(
          (a, b) => a.state.name.localeCompare(b.state.name) || Number(a.path === '/me') - Number(b.path === '/me'),
        )
      : chosen
    const began = performance.now()
    const isOver = () => !isLong && performance.now() - began > budgetMs
    const faults: Fault[] = []
    const frames = new Set<string>()
    let [pressed, pages] = [0, 0]
    let last = null as { readonly state: State; readonly visitor: Visitor } | null
    for (const { state, path } of ordered) {
      if (isOver()) break
      if (last?.state !== state) {
        await last?.visitor.page.context().close()
        last = { state, visitor: await visitorOf(state) }
      }
      const { visitor } = last
      const hasFrame = frames.has(state.name)
      const found = await walk({
        ...visitor,
        address: path,
        where: `${state.name}: ${path}`,
        open: () => visitor.open(path),
        skips: ({ kind }) => hasFrame && / (header|nav) /.test(`${kind} `),
        expected: (refusal) => expected.some(([pattern]) => pattern.test(refusal)),
        isOver,
      })
      frames.add(state.name)
      faults.push(...found.faults)
      pressed += found.pressed
      pages++
      if (isLong) {
        process.stdout.write(`${pages} of ${ordered.length}: ${state.name} ${path}: ${found.pressed}\n`)
        for (const fault of found.faults) process.stdout.write(`  ${fault.control}: ${fault.what}\n`)
      }
    }
    await last?.visitor.page.context().close()
    const seconds = Math.round((performance.now() - began) / 1000)
    process.stdout.write(`${pressed} controls on ${pages} of ${ordered.length} pages pressed in ${seconds} s\n`)
    if (isLong && process.env.TEST_KEEP) {
      const walked = [...new Set(ordered.map(({ state }) => state.name))]
      const at = new Date().toISOString()
      keepResult('journey', 'pressed', { at, seed: testSeed(), states: walked, pages, pressed, seconds, faults })
    }
    if (process.env.TEST_PRESSED_TO) writeFileSync(process.env.TEST_PRESSED_TO, JSON.stringify(faults, null, 2))
    expect(pressed).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
  isLong ? 7_200_000 : 120_000,
)
