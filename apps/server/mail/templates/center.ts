/** Mails of a center to its people: invitations, and decisions that wait. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { line, type Template } from './template.ts'

/** How a person is addressed in a sentence; the names of the API stay in the API. */
const roleNames: Readonly<Record<ActorRole, { readonly ko: string; readonly en: string }>> = {
  ADMIN: { ko: '관리자', en: 'an administrator' },
  INSTRUCTOR: { ko: '강사', en: 'an instructor' },
  PARENT: { ko: '보호자', en: 'a parent' },
  CHILD: { ko: '이용자', en: 'a client' },
}

interface InvitationFacts {
  readonly centerName: string
  readonly inviter: string
  readonly role: ActorRole
  readonly url: string
}

export const invitation: Template<InvitationFacts> = {
  ko: ({ centerName, inviter, role, url }) => ({
    subject: `${line(centerName)}에서 초대합니다`,
    paragraphs: [
      `${line(inviter)} 님이 회원님을 ${line(centerName)}에 ${roleNames[role].ko}로 초대했습니다.`,
      '7일 안에 아래 링크에서 수락하십시오.',
      url,
      '예상하지 못한 초대라면 이 메일을 무시하십시오. 회원님이 수락하지 않으면 아무 일도 일어나지 않습니다.',
    ],
  }),
  en: ({ centerName, inviter, role, url }) => ({
    subject: `${line(centerName)} invites you`,
    paragraphs: [
      `${line(inviter)} invites you to ${line(centerName)} as ${roleNames[role].en}.`,
      'Accept within seven days:',
      url,
      'If you did not expect this, ignore this message: nothing happens without you.',
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    inviter: '김하늘',
    role: 'INSTRUCTOR',
    url: 'https://sample.example/invitations/csi_sample',
  },
}

/** The child is not named: the address may be wrong. */
export const guardianInvitation: Template<Omit<InvitationFacts, 'role'>> = {
  ko: ({ centerName, inviter, url }) => ({
    subject: `${line(centerName)}에서 보호자로 초대합니다`,
    paragraphs: [
      `${line(inviter)} 님이 회원님을 ${line(centerName)}에 다니는 아이의 보호자로 초대했습니다.`,
      '수락하면 아이의 예약과 출석을 보고, 아이를 위해 예약할 수 있습니다. 7일 안에 아래 링크에서 수락하십시오.',
      url,
      '보호자가 아니라면 이 메일을 무시하십시오. 회원님이 수락하지 않으면 아무 일도 일어나지 않습니다.',
    ],
  }),
  en: ({ centerName, inviter, url }) => ({
    subject: `${line(centerName)} invites you as a guardian`,
    paragraphs: [
      `${line(inviter)} invites you to ${line(centerName)} as the guardian of a child there.`,
      "If you accept, you see the child's appointments and attendance and can book for the child. Accept within seven days:",
      url,
      'If you are not the guardian, ignore this message: nothing happens without you.',
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    inviter: '김하늘',
    url: 'https://sample.example/invitations/csi_sample',
  },
}

interface WaitingFacts {
  readonly centerName: string
  /** Where to read the newest, at most ten. */
  readonly shown: readonly { readonly url: string }[]
  readonly total: number
}

/** A mail has no amounts and no names of clients: nothing is approved by mail, and others read it too. */
export const decisionsWait: Template<WaitingFacts> = {
  ko: ({ centerName, shown, total }) => ({
    subject: `[${line(centerName)}] 승인을 기다리는 결정 ${total}건`,
    paragraphs: [
      `${line(centerName)}에서 회원님의 승인을 기다리는 결정이 ${total}건 있습니다.`,
      shown.map(({ url }) => url).join('\n'),
      ...(total > shown.length ? [`외 ${total - shown.length}건이 더 있습니다.`] : []),
      '금액과 이름은 메일에 담지 않습니다. 링크를 열고 로그인하면 모든 값을 볼 수 있습니다. 이 메일만으로는 아무것도 승인되지 않습니다.',
      '이 안내는 10분에 한 번까지만 보냅니다.',
    ],
  }),
  en: ({ centerName, shown, total }) => ({
    subject: `[${line(centerName)}] ${total === 1 ? 'A decision is' : `${total} decisions are`} waiting for your approval`,
    paragraphs: [
      `${total === 1 ? 'A decision' : `${total} decisions`} at ${line(centerName)} ${total === 1 ? 'is' : 'are'} waiting for your approval.`,
      shown.map(({ url }) => url).join('\n'),
      ...(total > shown.length ? [`There are ${total - shown.length} more.`] : []),
      'We don’t put amounts or names in mail. Open a link and sign in to see every value. This message alone approves nothing.',
      'You get this message at most once in ten minutes.',
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    shown: [{ url: 'https://sample.example/approve/evt_1' }, { url: 'https://sample.example/approve/evt_2' }],
    total: 3,
  },
}
