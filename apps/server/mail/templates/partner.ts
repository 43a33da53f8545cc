/** Mails of a partner to the people who act for it. */
import type { PartnerRole } from '@countersign/contract/enums.ts'
import { line, type Template } from './template.ts'

const roleNames: Readonly<Record<PartnerRole, { readonly ko: string; readonly en: string }>> = {
  PARTNER_ADMIN: { ko: '파트너 관리자', en: 'an administrator' },
  PARTNER_OPERATOR: { ko: '파트너 운영자', en: 'an operator' },
}

interface PartnerInvitationFacts {
  readonly partnerName: string
  readonly inviter: string
  readonly role: PartnerRole
  readonly url: string
}

export const partnerInvitation: Template<PartnerInvitationFacts> = {
  ko: ({ partnerName, inviter, role, url }) => ({
    subject: `${line(partnerName)}에서 초대합니다`,
    paragraphs: [
      `${line(inviter)} 님이 회원님을 ${line(partnerName)}의 ${roleNames[role].ko}로 초대했습니다.`,
      '7일 안에 아래 링크에서 수락하십시오.',
      url,
      '예상하지 못한 초대라면 이 메일을 무시하십시오. 회원님이 수락하지 않으면 아무 일도 일어나지 않습니다.',
    ],
  }),
  en: ({ partnerName, inviter, role, url }) => ({
    subject: `${line(partnerName)} invites you`,
    paragraphs: [
      `${line(inviter)} invites you to act for ${line(partnerName)} as ${roleNames[role].en}.`,
      'Accept within seven days:',
      url,
      'If you did not expect this, ignore this message: nothing happens without you.',
    ],
  }),
  sample: {
    partnerName: '바다로 프랜차이즈',
    inviter: '김서연',
    role: 'PARTNER_OPERATOR',
    url: 'https://sample.example/invitations/csi_sample',
  },
}
