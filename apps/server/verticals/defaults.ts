/** The seven verticals, and the settings that a new center starts with. */
import type { Vertical } from '@countersign/contract/enums.ts'
import { withOwnTerms } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { commerce } from './commerce.ts'
import { education } from './education.ts'
import { interior } from './interior.ts'
import { mentoring } from './mentoring.ts'
import { pharmacy } from './pharmacy.ts'
import { rehabilitation } from './rehabilitation.ts'
import type { Settings, VerticalDefaults } from './vertical.ts'
import { welfare } from './welfare.ts'

export const verticalDefaults: Readonly<Record<Vertical, VerticalDefaults>> = {
  rehabilitation,
  welfare,
  education,
  pharmacy,
  commerce,
  mentoring,
  interior,
}

/** Without the place of the center, which is not a setting of its own. */
export type OwnSettings = Omit<Settings, 'country' | 'region' | 'inherited'>

/** What a new center is stored with. Not the words of its vertical: a center that changed none has the newest ones. */
export function defaultSettings(vertical: Vertical): Omit<OwnSettings, 'terms'> {
  const { features, booking } = verticalDefaults[vertical]
  return {
    locale: 'ko-KR',
    timezone: 'Asia/Seoul',
    branding: { logo: '', description: '', primaryColor: '#1f5fbf', customDomain: null },
    features: { ...features },
    booking,
    sender: { name: null, address: null, replyTo: null },
  }
}

/** Stored with the settings of a center: what its partner gave it, and whether the center may change that. */
export interface Inherited {
  readonly branding: Readonly<Record<string, string>>
  readonly isFixed: boolean
}

export const inheritedOf = (stored: unknown): Inherited | undefined =>
  (stored as { readonly inherited?: Inherited }).inherited

/** The names of settings that are still as they were inherited. */
export function stillInherited(vertical: Vertical, stored: unknown): string[] {
  const branding: Readonly<Record<string, unknown>> = completeSettings(vertical, stored).branding
  const given = Object.entries(inheritedOf(stored)?.branding ?? {})
  return given.flatMap(([name, value]) => (branding[name] === value ? [`branding.${name}`] : []))
}

/** Stored settings, completed by the defaults: a center created before a setting existed has it too. */
export function completeSettings(vertical: Vertical, stored: unknown): OwnSettings {
  const { inherited: _, terms, ...own } = stored as Partial<OwnSettings> & { readonly inherited?: Inherited }
  const defaults = defaultSettings(vertical)
  return {
    ...defaults,
    ...own,
    branding: { ...defaults.branding, ...own.branding },
    features: { ...defaults.features, ...own.features },
    booking: { ...defaults.booking, ...own.booking },
    sender: { ...defaults.sender, ...own.sender },
    terms: withOwnTerms(tradeTerms(vertical), terms),
  }
}
