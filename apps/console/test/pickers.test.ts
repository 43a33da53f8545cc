/** Times and time zones as people type them. */
import { expect, it } from 'vitest'
import { clockTime, halfHours } from '../ui/clock-time.ts'
import { zoneLabel, zoneOf, zonesIn } from '../ui/zones.ts'

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9:30', '09:30'],
  ['21.05', '21:05'],
  ['9시', '09:00'],
  ['9시 30분', '09:30'],
  ['24:00', '24:00'],
  [' 09:00 ', '09:00'],
  ['24:30', null],
  ['25', null],
  ['9:60', null],
  ['noon', null],
  ['', null],
  ['12345', null],
])('%j is the time %j', (typed, time) => {
  expect(clockTime(typed)).toBe(time)
})

it('half hours to the end of the day', () => {
  expect([halfHours[0], halfHours[19], halfHours.at(-1), halfHours.length]).toEqual(['00:00', '09:30', '24:00', 49])
})

it('a zone has a name in the language of the reader, and is found by its name, its id or its city', () => {
  expect(zoneLabel('Asia/Seoul', 'ko')).toBe('한국 표준시 (Asia/Seoul)')
  expect(zoneLabel('America/New_York', 'en')).toBe('Eastern Time (America/New York)')
  for (const language of ['ko', 'en'] as const) {
    const zones = zonesIn(language)
    expect(new Set(zones.map(({ label }) => label)).size).toBe(zones.length)
    for (const { id, label } of zones) expect([zoneOf(label, zones), zoneOf(id, zones)]).toEqual([id, id])
    expect(zoneOf('seoul', zones)).toBe('Asia/Seoul')
    expect(zoneOf('new york', zones)).toBe('America/New_York')
    for (const none of ['', 'Mars/Olympus', '__proto__', 'a']) expect(zoneOf(none, zones)).toBe(null)
  }
})
