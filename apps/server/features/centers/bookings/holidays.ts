/** Public holidays by country: data with its source, which a center adopts or ignores. */
import korea from './holidays-kr.json' with { type: 'json' }

export interface Holidays {
  readonly source: string
  readonly sourceUrl: string
  readonly comparedOn: string
  readonly days: readonly { readonly date: string; readonly ko: string; readonly en: string }[]
}

const byCountry: Readonly<Record<string, Holidays>> = { KR: korea }

export const holidaysOf = (country: string): Holidays | undefined => byCountry[country]
