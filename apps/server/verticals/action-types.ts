/**
 * The action types that a vertical starts with. A center that makes a template of its own for a type uses that one. A
 * type has a sentence only where the names in its input are ours: in the input of another agent it would have gaps.
 */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { ActionTemplate, LocalizedText } from '@countersign/proof/action-template.ts'
import en from '@countersign/words/en/actions.json' with { type: 'json' }
import ko from '@countersign/words/ko/actions.json' with { type: 'json' }

const text = (key: keyof typeof ko): LocalizedText => ({ ko: ko[key], en: en[key] })

type Label = Extract<keyof typeof ko, `/${string}`>

function template(
  type: string,
  name: LocalizedText,
  named: readonly Label[],
  sentence: LocalizedText | null = null,
): ActionTemplate {
  return { type, name, sentence, labels: Object.fromEntries(named.map((pointer) => [pointer, text(pointer)])) }
}

const refund = text('refund')
const refundOfOrder = text('refund.sentence')

const everywhere: readonly ActionTemplate[] = [
  template('refund', refund, ['/order', '/won'], refundOfOrder),
  template('money.refund', refund, ['/order', '/won'], refundOfOrder),
  template('refund.issue', refund, ['/order', '/won', '/amount']),
  template('refund.pay', refund, ['/amount', '/to']),
  template('money.transfer', text('money.transfer'), ['/to', '/won'], text('money.transfer.sentence')),
  template('message.send', text('message.send'), ['/to', '/about']),
  template('booking.cancel', text('booking.cancel'), ['/booking', '/client', '/day']),
]

const plan = template('plan.adjust', text('plan.adjust'), ['/client', '/sessions'])
const reorder = template('stock.reorder', text('stock.reorder'), ['/sku', '/boxes', '/quantity'])

const ofVertical: Readonly<Record<Vertical, readonly ActionTemplate[]>> = {
  rehabilitation: [plan],
  welfare: [
    plan,
    template('home.visit', text('home.visit'), ['/resident', '/day']),
    template('service.end', text('service.end'), ['/client', '/service', '/day']),
  ],
  education: [
    plan,
    template('lesson.move', text('lesson.move'), ['/lesson', '/learner', '/from', '/until']),
    template(
      'tuition.refund',
      text('tuition.refund'),
      ['/learner', '/amount', '/dueOn'],
      text('tuition.refund.sentence'),
    ),
  ],
  pharmacy: [reorder, template('dose.adjust', text('dose.adjust'), ['/patient', '/drug', '/dose'])],
  commerce: [reorder, template('order.place', text('order.place'), ['/order', '/sku', '/amount'])],
  mentoring: [plan, template('mentor.change', text('mentor.change'), ['/client', '/mentor'])],
  interior: [template('estimate.send', text('estimate.send'), ['/customer', '/project', '/amount'])],
}

export const startingTemplates = (vertical: Vertical): readonly ActionTemplate[] => [
  ...everywhere,
  ...ofVertical[vertical],
]
