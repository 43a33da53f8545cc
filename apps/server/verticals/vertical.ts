/** What a vertical brings along: how its people are called, what is switched on and when it opens. */
import type { CenterSettings } from '@countersign/contract/centers.ts'
import type { Static } from 'typebox'

export type Settings = Static<typeof CenterSettings>

export interface VerticalDefaults {
  /** How this line of work calls its people and appointments. */
  readonly terms: { readonly instructor: string; readonly client: string; readonly session: string }
  readonly features: Readonly<Record<string, boolean>>
  readonly booking: Settings['booking']
}

export const weekdays = (from: string, to: string): Settings['booking']['openingHours'] => {
  const day = [{ from, to }]
  return { mon: day, tue: day, wed: day, thu: day, fri: day }
}
