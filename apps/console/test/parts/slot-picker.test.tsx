import { describe, expect, it, vi } from 'vitest'
import { addDays, type Day, today } from '../../ui/day.ts'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { type Answers, show } from './stage.tsx'

const zone = 'Asia/Seoul'
const day = addDays(today(zone), 1)
const words = { date: 'Date', slots: 'Free times', none: 'Nothing is free.', before: 'Day before', after: 'Day after' }
const slot = (hour: number, instructorId = 'ins_1', on: Day = day) => ({
  startsAt: new Date(`${on}T${String(hour).padStart(2, '0')}:00:00+09:00`).toISOString(),
  endsAt: new Date(`${on}T${String(hour + 1).padStart(2, '0')}:00:00+09:00`).toISOString(),
  instructorId,
  instructorName: instructorId === 'ins_1' ? 'Kim' : 'Lee',
})
const free = (...slots: readonly ReturnType<typeof slot>[]): Answers => [[/slots$/, { timezone: zone, slots }]]

async function picker(answers: Answers, chosen: ReturnType<typeof slot> | null = null, on: Day = day) {
  const [onDay, onChoose] = [vi.fn(), vi.fn()]
  const shown = await show(
    () => (
      <SlotPicker center="north" day={on} onDay={onDay} chosen={chosen as never} onChoose={onChoose} words={words} />
    ),
    answers,
  )
  return { ...shown, onDay, onChoose }
}

describe('the free times of a day', () => {
  it('are one group of choices in the time of the center, each with its instructor', async () => {
    const { screen, onChoose } = await picker(free(slot(9), slot(9, 'ins_2'), slot(14)))
    const group = screen.getByRole('group', { name: new RegExp(words.slots) })
    await expect.element(group).toBeVisible()
    const choices = group.getByRole('radio')
    expect(choices.elements()).toHaveLength(3)
    await group.getByRole('radio', { name: /Lee/ }).click()
    expect(onChoose.mock.calls[0]?.[0]).toMatchObject({ instructorId: 'ins_2' })
    expect(group.element().textContent).toMatch(/9:00/)
  })

  it('mark the one that is chosen, of that instructor only', async () => {
    const { screen } = await picker(free(slot(9), slot(9, 'ins_2')), slot(9, 'ins_2'))
    await expect.element(screen.getByRole('radio', { name: /Lee/ })).toBeChecked()
    await expect.element(screen.getByRole('radio', { name: /Kim/ })).not.toBeChecked()
  })

  it('leave out what has begun', async () => {
    const { screen } = await picker(free(slot(9, 'ins_1', addDays(today(zone), -1))))
    await expect.element(screen.getByText(words.none)).toBeVisible()
    expect(screen.getByRole('radio').elements()).toEqual([])
  })

  it('do not go back before today', async () => {
    const { screen, onDay } = await picker(free(slot(9)), null, today(zone))
    await expect.element(screen.getByRole('button', { name: words.before })).toBeDisabled()
    await screen.getByRole('button', { name: words.after }).click()
    expect(onDay).toHaveBeenCalledWith(day)
  })

  it('that cannot be read say why, and are asked for again', async () => {
    let refused = true
    const { screen } = await picker([
      [
        /slots$/,
        () =>
          refused
            ? { status: 403, error: { code: 'FORBIDDEN', message: 'no', requestId: 'req_1' } }
            : { timezone: zone, slots: [slot(9)] },
      ],
    ])
    await expect.element(screen.getByRole('alert')).toBeVisible()
    refused = false
    await screen.getByRole('alert').getByRole('button').last().click()
    await expect.element(screen.getByRole('radio')).toBeVisible()
  })
})
