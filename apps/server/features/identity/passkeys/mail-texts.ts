/** The mail to a person whose account has a new passkey. Pure. */
import type { MailText } from '../../../mail/html.ts'

interface Added {
  readonly name: string | null
  readonly at: Date
}

/** A name is text of a caller: one line, without control characters. */
const line = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const ko = ({ name, at }: Added) => ({
  language: 'ko' as const,
  subject: '계정에 패스키가 등록되었습니다',
  text: [
    `${minute(at)}에 회원님의 계정에 패스키${name === null ? '가' : ` "${line(name)}"이(가)`} 등록되었습니다.`,
    '이 패스키로 로그인하고, 센터의 관리자가 확인한 뒤에는 결정을 승인할 수 있습니다.',
    '직접 등록하지 않았다면 지금 로그인하여 그 패스키를 삭제하고 비밀번호를 바꾸십시오.',
  ].join('\n\n'),
})

const en = ({ name, at }: Added) => ({
  language: 'en' as const,
  subject: 'A passkey was added to your account',
  text: [
    `A passkey${name === null ? '' : ` "${line(name)}"`} was added to your account on ${minute(at)}.`,
    'It signs in, and it signs approvals once an administrator of your center has confirmed it.',
    'If it was not you, sign in now, remove the passkey and change your password.',
  ].join('\n\n'),
})

/** In the language of the center that the person has entered; in both where there is none. */
export function addedNotice(locale: string | null, added: Added): MailText {
  if (locale !== null) return locale.startsWith('ko') ? ko(added) : en(added)
  const [korean, english] = [ko(added), en(added)]
  return { subject: `${korean.subject} / ${english.subject}`, text: `${korean.text}\n\n${english.text}` }
}
