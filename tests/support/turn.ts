/**
 * What is too long for every run of CI takes turns by the day, in UTC, and not by chance: two runs of a day run the same. Only
 * CI sets TEST_TURNS=today; every other command runs all.
 */
import { globSync } from 'node:fs'
import { tiers } from '../tiers.ts'

const day = Math.floor(Date.now() / 86_400_000)

/** Whether the item at this place has its turn in this run. */
export const hasTurn = (at: number, days: number): boolean =>
  process.env.TEST_TURNS !== 'today' || at % days === day % days

/** What every run has to say: who may do what, that nothing sealed can be changed unseen, what the tools themselves promise. */
const inEveryRun = [
  ...['apps/server/audit/', 'apps/server/sealing/', 'packages/proof/', 'packages/sdk/'],
  ...['tests/isolation/', 'tests/tamper/', 'tests/races/', 'tests/python/'],
  ...['approval', 'first-passkey', 'phone'].map((name) => `tests/journeys/${name}`),
]

/** The other files of the longer tiers, a third each day. By name, so that neighbors, which look at similar things, are on different days. */
const inThirds = [tiers.release, tiers.browser]
  .flatMap(({ include, exclude }) => globSync([...include], { exclude: [...exclude] }))
  .filter((file) => !inEveryRun.some((start) => file.startsWith(start)))
  .toSorted()

export const notInThisRun = inThirds.filter((_, at) => !hasTurn(at, 3))
