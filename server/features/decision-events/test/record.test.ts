import { afterAll, beforeAll } from 'vitest'
import { type EventHouse, openHouse } from './house.ts'
import { recordCases } from './record.cases.ts'
import { recordRefusalCases } from './record-refusals.cases.ts'

let house: EventHouse
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

recordCases(() => house)
recordRefusalCases(() => house)
