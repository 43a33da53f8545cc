/** Mails about an account: opening it, a new password, a new passkey. */
import { line, minute, type Template } from './template.ts'

export const openAccount: Template<{ readonly url: string }> = {
  ko: ({ url }) => ({
    subject: '계정을 여십시오',
    paragraphs: [
      '이 주소로 계정을 만들어 달라는 요청을 받았습니다.',
      '한 시간 안에 아래 링크에서 확인하고 비밀번호를 정하십시오.',
      url,
      '직접 요청하지 않았다면 이 메일을 무시하십시오. 회원님이 확인하지 않으면 계정은 만들어지지 않습니다.',
    ],
  }),
  en: ({ url }) => ({
    subject: 'Open your account',
    paragraphs: [
      'An account was requested for this address.',
      'Confirm it within an hour and choose a password:',
      url,
      'If it was not you, ignore this message: no account is opened without you.',
    ],
  }),
  sample: { url: 'https://sample.example/signup/csu_sample' },
}

export const accountExists: Template<{ readonly signInUrl: string; readonly passwordUrl: string }> = {
  ko: ({ signInUrl, passwordUrl }) => ({
    subject: '이미 계정이 있습니다',
    paragraphs: [
      '이 주소로 계정을 만들어 달라는 요청을 받았습니다. 이 주소에는 이미 계정이 있습니다.',
      `로그인:\n${signInUrl}`,
      `비밀번호를 잊었다면:\n${passwordUrl}`,
      '직접 요청하지 않았다면 이 메일을 무시하십시오. 아무것도 바뀌지 않았습니다.',
    ],
  }),
  en: ({ signInUrl, passwordUrl }) => ({
    subject: 'You have an account already',
    paragraphs: [
      'An account was requested for this address, which has one already.',
      `Sign in:\n${signInUrl}`,
      `If you forgot your password:\n${passwordUrl}`,
      'If it was not you, ignore this message: nothing has changed.',
    ],
  }),
  sample: { signInUrl: 'https://sample.example/account', passwordUrl: 'https://sample.example/password' },
}

export const newPassword: Template<{ readonly url: string }> = {
  ko: ({ url }) => ({
    subject: '새 비밀번호를 정하십시오',
    paragraphs: [
      '회원님의 계정에 새 비밀번호를 정하겠다는 요청을 받았습니다.',
      '한 시간 안에 아래 링크에서 정하십시오.',
      url,
      '직접 요청하지 않았다면 이 메일을 무시하십시오. 비밀번호는 그대로입니다.',
    ],
  }),
  en: ({ url }) => ({
    subject: 'Set a new password',
    paragraphs: [
      'A new password was requested for your account.',
      'Set it within an hour:',
      url,
      'If it was not you, ignore this message: your password stays as it is.',
    ],
  }),
  sample: { url: 'https://sample.example/password/csp_sample' },
}

export const passkeyAdded: Template<{ readonly name: string | null; readonly at: string }> = {
  ko: ({ name, at }) => ({
    subject: '계정에 패스키가 등록되었습니다',
    paragraphs: [
      `${minute(at)}에 회원님의 계정에 패스키${name === null ? '가' : ` "${line(name)}"이(가)`} 등록되었습니다.`,
      '이 패스키로 로그인하고, 센터의 관리자가 확인한 뒤에는 결정을 승인할 수 있습니다.',
      '직접 등록하지 않았다면 지금 로그인하여 그 패스키를 삭제하고 비밀번호를 바꾸십시오.',
    ],
  }),
  en: ({ name, at }) => ({
    subject: 'A passkey was added to your account',
    paragraphs: [
      `A passkey${name === null ? '' : ` "${line(name)}"`} was added to your account on ${minute(at)}.`,
      'It signs in, and it signs approvals once an administrator of your center has confirmed it.',
      'If it was not you, sign in now, remove the passkey and change your password.',
    ],
  }),
  sample: { name: '사무실 노트북', at: '2026-11-16T09:00:00.000Z' },
}
