/** What was just done, for the message at the edge of the page. */
import { storeOf } from './store.ts'

export interface Done {
  readonly text: string
  /** What is read again after the change was taken back. */
  readonly names: readonly string[]
  /** Absent where it cannot be taken back. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

export interface DoneMessage extends Done {
  readonly key: number
}

let made = 0

/** The last one only: more would cover the page, and what an older button takes back would not be clear. */
export const doneStore = storeOf<DoneMessage | null>(null)

export function tell(done: Done): void {
  made += 1
  doneStore.set({ ...done, key: made })
}

/** What is done next may be what the button would take back, or build on it. */
export const forgetLast = (): void => doneStore.set(null)

export const forget = (key: number): void => {
  if (doneStore.get()?.key === key) doneStore.set(null)
}
