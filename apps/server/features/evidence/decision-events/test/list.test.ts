import { afterAll, beforeAll } from 'vitest'
import { type EventFixture, openFixture } from './fixture.ts'
import { listCases } from './list.cases.ts'
import { liveTotalCases } from './list-live.cases.ts'

let fixture: EventFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

listCases(() => fixture)
liveTotalCases(() => fixture)
