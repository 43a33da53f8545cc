/** The weekly hours of one instructor: the center's opening hours, or their own within them. */
import type { Instructor, WeekHours } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { HoursForm } from '../../ui/hours-form.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCenterHours } from './data.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly instructor: Instructor
}

export function InstructorHours({ center, instructor }: Properties) {
  const say = useBookingsWords()
  const done = useDoneWords()
  const { data } = useCenterHours(center)
  const [hours, setHours] = useState<WeekHours | null>(instructor.hours)
  const save = useChange(
    ['instructors', 'bookings'],
    () => api.instructors.setHours(center, instructor.id, { hours }),
    {
      told: () => done('hoursSaved', { name: instructor.name }),
      undo: () => async () => {
        await api.instructors.setHours(center, instructor.id, { hours: instructor.hours })
        setHours(instructor.hours)
      },
    },
  )
  if (!data) return <Skeleton rows={7} />
  const opening = data.settings.booking.openingHours
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label className="hours-open">
        <input
          type="checkbox"
          checked={hours === null}
          onChange={({ target }) => setHours(target.checked ? null : opening)}
        />
        {say('openingHoursToo', { name: instructor.name })}
      </label>
      {hours && <HoursForm title={say('hoursOf', { name: instructor.name })} value={hours} onChange={setHours} />}
      <SaveLine save={save} />
    </form>
  )
}
