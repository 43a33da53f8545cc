import { useBookingsWords } from './words.ts'

/** The words of the slot picker. */
export function useSlotWords() {
  const say = useBookingsWords()
  return { date: say('date'), slots: say('slotsOf'), none: say('noSlots'), before: say('before'), after: say('after') }
}
