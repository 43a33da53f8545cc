/** Some restores with TEST_LONG=1; `npm run chaos -- restore` makes all of them, again and again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { random } from '../support/seed.ts'
import { cases, nameOf, restoreOnce } from './restore.ts'
import { openRestoreSite, type RestoreSite } from './restore-setup.ts'

describe.runIf(process.env.TEST_LONG)('a restored database', { timeout: 300_000 }, () => {
  let site: RestoreSite
  beforeAll(async () => {
    site = await openRestoreSite()
  }, 120_000)
  afterAll(() => site?.close())

  it.each(
    cases.filter(({ store, behind }) => behind && store !== 'set back').map((each) => [nameOf(each), each] as const),
  )('seals nothing before an operator has decided: %s', async (_, each) => {
    expect(await restoreOnce(site, each, random)).toEqual([])
  })

  it('with a store that was set back to the same moment is found by the witness', async () => {
    const [snapshot] = cases.filter(({ way, store }) => way.name === 'a copy of the files' && store === 'set back')
    expect(await restoreOnce(site, snapshot as (typeof cases)[0], random)).toEqual([])
  })
})
