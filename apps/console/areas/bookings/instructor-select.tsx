/** The instructor whose appointments are shown; none chosen, those of all. */
import { useInstructors } from './data.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly chosen: string | undefined
  /** One is always chosen. */
  readonly required?: boolean
  readonly onChoose: (id: string | undefined) => void
}

export function InstructorSelect({ center, chosen, required = false, onChoose }: Properties) {
  const say = useBookingsWords()
  const { data } = useInstructors(center)
  return (
    <select
      className="field"
      aria-label={say('instructor')}
      value={chosen ?? ''}
      onChange={({ target }) => onChoose(target.value || undefined)}
    >
      {!required && <option value="">{say('anyInstructor')}</option>}
      {data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
