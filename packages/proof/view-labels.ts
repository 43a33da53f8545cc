/** How a value of a decision is called: in words, by its path, and whose words it is. Pure. */
import { digestedNames } from './decision-fields.ts'
import { type ViewLanguage, type ViewWord, viewWords } from './decision-view-words.ts'
import { pathText, type Step, textOf } from './view-values.ts'

export const isInput = ([root, member]: readonly Step[]): boolean => root === 'action' && member === 'input'

const saidFields: readonly string[] = digestedNames.filter((name) => name !== 'type' && name !== 'action')

/** What whoever recorded the decision says about it and about itself. */
export const isSaid = ([root, member]: readonly Step[]): boolean =>
  saidFields.includes(String(root)) || (root === 'action' && member === 'description')

/** Values of the input are named by their place in it; a colon is in no such name. */
export function placeOf(steps: readonly Step[]): string {
  if (isInput(steps) && steps.length > 2) return pathText(steps.slice(2))
  const [root, member] = steps
  const isPart = root === 'action' && (member === 'input' || member === 'output')
  return isPart ? `${member}:${pathText(steps.slice(2))}` : `${root}:${pathText(steps.slice(1))}`
}

/** `paidAt` and `paid_at` are read as “Paid at”; other names stay as they are. */
function inWords(step: Step): string {
  if (typeof step === 'number') return String(step + 1)
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(step)) return textOf(step)
  const spaced = step
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  const plain = spaced.replaceAll(/\b[A-Z](?=[a-z])/g, (char) => char.toLowerCase())
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** From the outermost name to the innermost. */
export function labelOf(steps: readonly Step[], language: ViewLanguage): readonly string[] {
  if (isInput(steps) && steps.length > 2) return steps.slice(2).map(inWords)
  const words = viewWords[language]
  const fixed = (key: string, step: Step): string =>
    Object.hasOwn(words, key) ? words[key as ViewWord] : inWords(step)
  const [root, ...rest] = steps
  const isAction = root === 'action' && rest.length > 0
  const [first, ...more] = isAction ? rest.slice(1) : rest
  const head = isAction ? fixed(`action.${rest[0]}`, rest[0] as Step) : fixed(`root.${root}`, root as Step)
  return first === undefined ? [head] : [head, fixed(`${root}.${first}`, first), ...more.map(inWords)]
}

const amounts =
  /^(amount|amounts|price|prices|total|subtotal|sum|fee|fees|cost|costs|won|krw|usd|eur|jpy|balance|refund|payment|tax|vat)$/
const parties =
  /^(name|names|recipient|recipients|payee|beneficiary|account|iban|email|phone|to|client|customer|patient|child|guardian|parent|member|user)$/
const koreanAmounts = /금액|가격|합계|요금|비용|수강료|잔액|세액/
const koreanParties = /이름|성명|받는|수신|계좌|연락처|전화|보호자|환자|고객|아동|회원/

const isNamed = (steps: readonly Step[], english: RegExp, korean: RegExp): boolean =>
  steps.some(
    (step) =>
      typeof step === 'string' &&
      (korean.test(step) ||
        inWords(step)
          .toLowerCase()
          .split(' ')
          .some((word) => english.test(word))),
  )

export const isAmountName = (steps: readonly Step[]): boolean => isNamed(steps.slice(-2), amounts, koreanAmounts)
export const isPartyName = (steps: readonly Step[]): boolean => isNamed(steps, parties, koreanParties)
