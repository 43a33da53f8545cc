/** The defaults of a vertical: enabled features and opening hours. Its words are in packages/words. */
import type { CenterSettings } from '@countersign/contract/center-settings.ts'
import type { CenterFeature } from '@countersign/contract/promises.ts'
import type { Static } from 'typebox'

export type Settings = Static<typeof CenterSettings>

export interface VerticalDefaults {
  /** Only what the table in packages/contract/promises.ts enforces. */
  readonly features: Readonly<Record<CenterFeature, boolean>>
  readonly booking: Settings['booking']
}

export const weekdays = (from: string, to: string): Settings['booking']['openingHours'] => {
  const day = [{ from, to }]
  return { mon: day, tue: day, wed: day, thu: day, fri: day }
}

export type WeekHours = Settings['booking']['openingHours']
