/**
 * What is too long for every run of CI takes turns by the day, in UTC, and not by chance: two runs of a day run the same. Only
 * CI sets TEST_TURNS=today; every other command runs all.
 */
const day = Math.floor(Date.now() / 86_400_000)

/** Whether the item at this place has its turn in this run. */
export const hasTurn = (at: number, days: number): boolean =>
  process.env.TEST_TURNS !== 'today' || at % days === day % days

/** Each makes everything again that people install, which takes minutes. */
const inTurn = ['tests/journeys/image.test.ts', 'tests/journeys/packages.test.ts']

export const notInThisRun = inTurn.filter((_, at) => !hasTurn(at, inTurn.length))
