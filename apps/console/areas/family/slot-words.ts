import { useFamilyWords } from './words.ts'

/** The words of the slot picker. */
export function useSlotWords() {
  const say = useFamilyWords()
  return { date: say('date'), slots: say('slots'), none: say('noSlots'), before: say('before'), after: say('after') }
}
