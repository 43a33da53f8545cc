/** The mail to a member for whom decisions wait. Pure. */
import type { MailText } from '../../../mail/html.ts'

interface Waiting {
  readonly description: string
  readonly url: string
}

interface Notice {
  readonly centerName: string
  /** The newest, at most ten. */
  readonly shown: readonly Waiting[]
  readonly total: number
}

/** A description is text of a caller: one line, without control characters, and short. */
const line = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

const listOf = (shown: readonly Waiting[]): string =>
  shown.map(({ description, url }) => `- ${line(description)}\n  ${url}`).join('\n')

const ko = ({ centerName, shown, total }: Notice): MailText => ({
  language: 'ko',
  subject: `[${line(centerName)}] 승인을 기다리는 결정 ${total}건`,
  text: [
    `${line(centerName)}에서 회원님의 승인을 기다리는 결정이 ${total}건 있습니다.`,
    listOf(shown),
    ...(total > shown.length ? [`외 ${total - shown.length}건이 더 있습니다.`] : []),
    '링크를 열면 로그인한 뒤 내용을 읽고 결정할 수 있습니다. 링크를 여는 것만으로는 아무것도 승인되지 않습니다.',
    '이 안내는 10분에 한 번까지만 보냅니다.',
  ].join('\n\n'),
})

const en = ({ centerName, shown, total }: Notice): MailText => ({
  subject: `[${line(centerName)}] ${total === 1 ? 'A decision waits' : `${total} decisions wait`} for your approval`,
  text: [
    `${total === 1 ? 'A decision' : `${total} decisions`} of ${line(centerName)} ${total === 1 ? 'waits' : 'wait'} for your approval.`,
    listOf(shown),
    ...(total > shown.length ? [`There are ${total - shown.length} more.`] : []),
    'Open a link and sign in to read the decision and to decide. Opening a link approves nothing.',
    'You get this message at most once in ten minutes.',
  ].join('\n\n'),
})

/** In Korean where the locale of the center begins with `ko`, in English elsewhere. */
export const approvalNotice = (locale: string, notice: Notice): MailText =>
  locale.startsWith('ko') ? ko(notice) : en(notice)
