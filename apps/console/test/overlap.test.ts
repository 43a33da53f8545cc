import { expect, it } from 'vitest'
import { type Appointment, clashesOf, overlapsOf } from '../areas/family/overlap.ts'

const at = (hour: number) => `2027-05-03T${String(hour).padStart(2, '0')}:00:00.000Z`
let count = 0
const appointment = (from: number, to: number, more: Partial<Appointment> = {}): Appointment => ({
  ...{
    id: `bkg_${count++}`,
    centerDomain: 'one',
    centerName: 'One',
    childId: 'child',
    childName: 'Child',
    reason: null,
  },
  ...{ instructorId: 'instructor', instructorName: 'Instructor', status: 'booked', startsAt: at(from), endsAt: at(to) },
  ...more,
})

it.each([
  ['the same time', 10, 11, true],
  ['the end of it', 10.5, 12, true],
  ['all of it, and more', 9, 12, true],
  ['the hour before', 9, 10, false],
  ['the hour after', 11, 12, false],
])('%s', (_, from, to, meets) => {
  const taken = { ...appointment(10, 11), endsAt: '2027-05-03T11:00:00.000Z' }
  const span = { startsAt: new Date(Date.parse(at(0)) + from * 3_600_000).toISOString(), endsAt: at(to) }
  expect(clashesOf(span, 'child', [taken]).length).toBe(meets ? 1 : 0)
})

it('no clash with what was canceled, with a sibling, and with the appointment that is being moved', () => {
  const own = appointment(10, 11)
  const others = [appointment(10, 11, { status: 'canceled' }), appointment(10, 11, { childId: 'sibling' })]
  expect(clashesOf(own, 'child', [own, ...others], own.id)).toEqual([])
})

it('in a list, both sides of an overlap name each other, and only those of two centers do', () => {
  const [one, two] = [appointment(10, 12), appointment(11, 13, { centerDomain: 'two' })]
  const [beside, canceled] = [appointment(11, 12), appointment(10, 13, { centerDomain: 'two', status: 'canceled' })]
  const found = overlapsOf([one, two, beside, canceled])
  expect(found.get(one.id)).toEqual([two])
  expect(found.get(two.id)).toEqual([one, beside])
  expect(found.get(beside.id)).toEqual([two])
  expect(found.get(canceled.id)).toBeUndefined()
})
