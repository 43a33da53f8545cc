/** Mails about sign-in with the account of an organization. */
import { line, type Template } from './template.ts'

export const linkAccount: Template<{ readonly provider: string; readonly url: string }> = {
  ko: ({ provider, url }) => ({
    subject: '계정을 연결하십시오',
    paragraphs: [
      `누군가 "${line(provider)}" 계정으로 이 주소에 로그인하려고 했습니다.`,
      '본인이라면 한 시간 안에 같은 브라우저에서 아래 링크를 열어 계정을 연결하십시오.',
      url,
      '본인이 아니라면 이 메일을 무시하십시오. 아무것도 바뀌지 않았습니다.',
    ],
  }),
  en: ({ provider, url }) => ({
    subject: 'Link your account',
    paragraphs: [
      `Somebody signed in with "${line(provider)}" as this address.`,
      'If it was you, link it to your account within an hour, in the same browser:',
      url,
      'If it was not you, ignore this message: nothing has changed.',
    ],
  }),
  sample: { provider: '하늘재활센터', url: 'https://sample.example/signin/link/csm_sample' },
}

export const noAccountToLink: Template<{ readonly provider: string }> = {
  ko: ({ provider }) => ({
    subject: '이 주소에는 계정이 없습니다',
    paragraphs: [
      `누군가 "${line(provider)}" 계정으로 이 주소에 로그인하려고 했습니다. 이 주소에는 계정이 없습니다.`,
      '먼저 센터에 초대를 부탁하십시오. 본인이 아니라면 이 메일을 무시하십시오.',
    ],
  }),
  en: ({ provider }) => ({
    subject: 'There is no account for this address',
    paragraphs: [
      `Somebody signed in with "${line(provider)}" as this address, which has no account here.`,
      'Ask your center for an invitation first. If it was not you, ignore this message.',
    ],
  }),
  sample: { provider: '하늘재활센터' },
}
