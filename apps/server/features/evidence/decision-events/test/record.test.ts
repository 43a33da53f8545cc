import { afterAll, beforeAll } from 'vitest'
import { type EventFixture, openFixture } from './fixture.ts'
import { recordCases } from './record.cases.ts'
import { recordRefusalCases } from './record-refusals.cases.ts'

let fixture: EventFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

recordCases(() => fixture)
recordRefusalCases(() => fixture)
