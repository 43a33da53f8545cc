/** A client who is also staff: the lists of their own ask by name, because the server shows staff those of everybody. */
import { expect, it } from 'vitest'
import { useOwnAppointments, useOwnAttendance } from '../../areas/family/data.ts'
import { type Answers, show } from './stage.tsx'

const roles = ['INSTRUCTOR', 'CHILD']
/** What is asked for matters here, not what comes back. */
const refused = { status: 403, error: { code: 'FORBIDDEN', message: 'Not in this test.' } }
const answers = (me: () => Promise<unknown>): Answers => [
  [/auth\/me$/, me],
  [/(bookings|attendance)$/, refused],
  [/centers\/north$/, { name: 'North', settings: { features: {} } }],
]

function Lists() {
  useOwnAppointments('north')
  useOwnAttendance('north')
  return null
}

it('ask for nothing before the person is known, and then for what is theirs only', async () => {
  let know = (_: unknown) => {}
  const known = new Promise((resolve) => {
    know = resolve
  })
  const { asked } = await show(
    () => <Lists />,
    answers(() => known),
  )
  const lists = () => asked.filter(({ path }) => /(bookings|attendance)\?/.test(path)).map(({ path }) => path)
  await expect.poll(() => asked.map(({ path }) => path).join()).toMatch(/auth\/me/)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lists()).toEqual([])
  know({ actorId: 'kim', language: null, memberships: [{ centerDomain: 'north', role: roles[0], roles }] })
  await expect.poll(() => lists().length).toBe(2)
  for (const path of lists()) expect(new URL(path, location.origin).searchParams.get('clientId')).toBe('kim')
})
