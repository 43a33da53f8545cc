/**
 * The action types that a vertical starts with. A center that makes a template of its own for a type uses that one. A
 * type has a sentence only where the names in its input are ours: in the input of another agent it would have gaps.
 */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { ActionTemplate, LocalizedText } from '@countersign/proof/action-template.ts'
import en from '@countersign/words/en/actions.json' with { type: 'json' }
import ko from '@countersign/words/ko/actions.json' with { type: 'json' }
import { type Language, saying } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'

type Text = (key: keyof typeof ko) => LocalizedText

/** With the words of the vertical; a center's own words don't change what its decisions are shown with. */
function textsOf(vertical: Vertical): Text {
  const terms = tradeTerms(vertical)
  const said = (language: Language) => saying({ ko, en }, language, undefined, termValues(terms, language))
  const [korean, english] = [said('ko'), said('en')]
  return (key) => ({ ko: korean(key), en: english(key) })
}

type Label = Extract<keyof typeof ko, `/${string}`>

interface Start {
  readonly type: string
  /** The key of its name, where the type is not its own. */
  readonly name?: keyof typeof ko
  readonly sentence?: keyof typeof ko
  readonly labels: readonly Label[]
}

const refund = { name: 'refund', sentence: 'refund.sentence', labels: ['/order', '/won'] } as const

const everywhere: readonly Start[] = [
  { type: 'refund', ...refund },
  { type: 'money.refund', ...refund },
  { type: 'refund.issue', name: 'refund', labels: ['/order', '/won', '/amount'] },
  { type: 'refund.pay', name: 'refund', labels: ['/amount', '/to'] },
  { type: 'money.transfer', sentence: 'money.transfer.sentence', labels: ['/to', '/won'] },
  { type: 'message.send', labels: ['/to', '/about'] },
  { type: 'booking.cancel', labels: ['/booking', '/client', '/day'] },
]

const plan: Start = { type: 'plan.adjust', labels: ['/client', '/sessions'] }
const reorder: Start = { type: 'stock.reorder', labels: ['/sku', '/boxes', '/quantity'] }

const ofVertical: Readonly<Record<Vertical, readonly Start[]>> = {
  rehabilitation: [plan],
  welfare: [
    plan,
    { type: 'home.visit', labels: ['/resident', '/day'] },
    { type: 'service.end', labels: ['/client', '/service', '/day'] },
  ],
  education: [
    plan,
    { type: 'lesson.move', labels: ['/lesson', '/learner', '/from', '/until'] },
    { type: 'tuition.refund', sentence: 'tuition.refund.sentence', labels: ['/learner', '/amount', '/dueOn'] },
  ],
  pharmacy: [reorder, { type: 'dose.adjust', labels: ['/patient', '/drug', '/dose'] }],
  commerce: [reorder, { type: 'order.place', labels: ['/order', '/sku', '/amount'] }],
  mentoring: [plan, { type: 'mentor.change', labels: ['/client', '/mentor'] }],
  interior: [{ type: 'estimate.send', labels: ['/customer', '/project', '/amount'] }],
}

export function startingTemplates(vertical: Vertical): readonly ActionTemplate[] {
  const text = textsOf(vertical)
  return [...everywhere, ...ofVertical[vertical]].map(({ type, name = type as keyof typeof ko, sentence, labels }) => ({
    type,
    name: text(name),
    sentence: sentence ? text(sentence) : null,
    labels: Object.fromEntries(labels.map((pointer) => [pointer, text(pointer)])),
  }))
}
