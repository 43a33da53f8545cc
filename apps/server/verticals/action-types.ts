/**
 * The action types that a vertical starts with. A center that makes a template of its own for a type uses that one. A
 * type has a sentence only where the names in its input are ours: in the input of another agent it would have gaps.
 */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { ActionTemplate, LocalizedText } from '@countersign/proof/action-template.ts'

const both = (ko: string, en: string): LocalizedText => ({ ko, en })

const labels = {
  '/order': both('주문', 'Order'),
  '/won': both('금액(원)', 'Amount in won'),
  '/amount': both('금액', 'Amount'),
  '/to': both('받는 사람', 'Recipient'),
  '/about': both('내용', 'Subject'),
  '/client': both('이용자', 'Client'),
  '/sessions': both('횟수', 'Sessions'),
  '/patient': both('환자', 'Patient'),
  '/drug': both('약', 'Drug'),
  '/dose': both('용량', 'Dose'),
  '/sku': both('품목', 'Item'),
  '/boxes': both('상자 수', 'Boxes'),
  '/quantity': both('수량', 'Quantity'),
  '/booking': both('예약', 'Appointment'),
  '/learner': both('학습자', 'Learner'),
  '/lesson': both('수업', 'Lesson'),
  '/from': both('현재 일시', 'Present time'),
  '/until': both('변경 일시', 'New time'),
  '/resident': both('대상자', 'Resident'),
  '/day': both('날짜', 'Day'),
  '/customer': both('고객', 'Customer'),
} as const

function template(
  type: string,
  name: LocalizedText,
  named: readonly (keyof typeof labels)[],
  sentence: LocalizedText | null = null,
): ActionTemplate {
  return { type, name, sentence, labels: Object.fromEntries(named.map((pointer) => [pointer, labels[pointer]])) }
}

const refund = both('환불', 'Refund')
const refundOfOrder = both('주문 {/order}, {/won}원 환불', 'Refund {/won} won for order {/order}')

const everywhere: readonly ActionTemplate[] = [
  template('refund', refund, ['/order', '/won'], refundOfOrder),
  template('money.refund', refund, ['/order', '/won'], refundOfOrder),
  template('refund.issue', refund, ['/order', '/won', '/amount']),
  template('refund.pay', refund, ['/amount', '/to']),
  template(
    'money.transfer',
    both('송금', 'Transfer'),
    ['/to', '/won'],
    both('{/to} 앞으로 {/won}원 송금', 'Transfer {/won} won to {/to}'),
  ),
  template('message.send', both('메시지 보내기', 'Send a message'), ['/to', '/about']),
  template('booking.cancel', both('예약 취소', 'Cancel an appointment'), ['/booking', '/client', '/day']),
]

const plan = template('plan.adjust', both('계획 변경', 'Change a plan'), ['/client', '/sessions'])
const reorder = template('stock.reorder', both('재고 주문', 'Reorder stock'), ['/sku', '/boxes', '/quantity'])

const ofVertical: Readonly<Record<Vertical, readonly ActionTemplate[]>> = {
  rehabilitation: [plan],
  welfare: [plan, template('home.visit', both('가정 방문', 'Visit a home'), ['/resident', '/day'])],
  education: [
    plan,
    template('lesson.move', both('수업 시간 변경', 'Move a lesson'), ['/lesson', '/learner', '/from', '/until']),
  ],
  pharmacy: [reorder, template('dose.adjust', both('용량 변경', 'Change a dose'), ['/patient', '/drug', '/dose'])],
  commerce: [reorder, template('order.place', both('주문하기', 'Place an order'), ['/order', '/sku', '/amount'])],
  mentoring: [plan],
  interior: [template('estimate.send', both('견적 보내기', 'Send an estimate'), ['/customer', '/amount'])],
}

export const startingTemplates = (vertical: Vertical): readonly ActionTemplate[] => [
  ...everywhere,
  ...ofVertical[vertical],
]
