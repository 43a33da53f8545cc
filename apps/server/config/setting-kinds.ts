/** The kinds of settings: how each is read, and the accepted form as the error message states it. */
import { isUrl } from './setting-values.ts'

export interface Setting<T> {
  /** The accepted form, as the error message states it. */
  readonly form: string
  /** Undefined where the text does not have the accepted form. */
  readonly parse: (text: string) => T | undefined
  /** Parsed where the environment has no value. */
  readonly default?: string
  /** What applies without a value and without a default. */
  readonly unset?: string
  readonly doc: string
}

type Described = Pick<Setting<unknown>, 'doc' | 'default' | 'unset'>

export const matching = (form: string, fits: (text: string) => boolean, rest: Described): Setting<string> => ({
  form,
  parse: (text) => (fits(text) ? text : undefined),
  ...rest,
})

export const choice = <const T extends string>(values: readonly T[], rest: Described): Setting<T> => ({
  form: values.length > 1 ? `one of ${values.join(', ')}` : `only ${values[0]}`,
  parse: (text) => values.find((value) => value === text),
  ...rest,
})

export const integer = (least: number, most: number, rest: Described): Setting<number> => ({
  form: `a whole number from ${least} to ${most}`,
  parse: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  ...rest,
})

export interface Rate {
  readonly limit: number
  readonly seconds: number
}

export const rate = (rest: Described): Setting<Rate> => ({
  form: 'number/seconds, both greater than 0, such as 100/60',
  parse(text) {
    const [limit = 0, seconds = 0] = /^\d{1,9}\/\d{1,9}$/.test(text) ? text.split('/').map(Number) : []
    return limit > 0 && seconds > 0 ? { limit, seconds } : undefined
  },
  ...rest,
})

export const list = (form: string, fits: (item: string) => boolean, rest: Described): Setting<readonly string[]> => ({
  form: `${form}, separated by commas`,
  parse(text) {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
    return items.every(fits) ? items : undefined
  },
  default: '',
  ...rest,
})

export const address = (rest: Described): Setting<string> => ({
  form: 'a URL such as https://countersign.example',
  parse: (text) => (isUrl('http', 'https')(text) ? text.replace(/\/$/, '') : undefined),
  ...rest,
})

export const file = (rest: Described): Setting<string> => matching('the path of a readable file', () => true, rest)
export const secret = (form: string, rest: Described): Setting<string> => matching(form, () => true, rest)
export const shortText = (rest: Described): Setting<string> =>
  matching('at most 200 characters', (text) => text.length <= 200, rest)
