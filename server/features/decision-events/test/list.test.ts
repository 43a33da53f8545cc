import { afterAll, beforeAll } from 'vitest'
import { type EventHouse, openHouse } from './house.ts'
import { listCases } from './list.cases.ts'
import { liveTotalCases } from './list-live.cases.ts'

let house: EventHouse
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

listCases(() => house)
liveTotalCases(() => house)
