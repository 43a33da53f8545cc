/** Mails of a center to its people: invitations, and decisions that wait. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import { line, minute, type Template } from './template.ts'

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

interface Waiting {
  readonly description: string
  readonly url: string
}

interface WaitingFacts {
  readonly centerName: string
  /** The newest, at most ten. */
  readonly shown: readonly Waiting[]
  readonly total: number
}

const listOf = (shown: readonly Waiting[]): string =>
  shown.map(({ description, url }) => `- ${line(description)}\n  ${url}`).join('\n')

export const decisionsWait: Template<WaitingFacts> = {
  ko: ({ centerName, shown, total }) => ({
    subject: `[${line(centerName)}] 승인을 기다리는 결정 ${total}건`,
    paragraphs: [
      `${line(centerName)}에서 회원님의 승인을 기다리는 결정이 ${total}건 있습니다.`,
      listOf(shown),
      ...(total > shown.length ? [`외 ${total - shown.length}건이 더 있습니다.`] : []),
      '링크를 열면 로그인한 뒤 내용을 읽고 결정할 수 있습니다. 링크를 여는 것만으로는 아무것도 승인되지 않습니다.',
      '이 안내는 10분에 한 번까지만 보냅니다.',
    ],
  }),
  en: ({ centerName, shown, total }) => ({
    subject: `[${line(centerName)}] ${total === 1 ? 'A decision waits' : `${total} decisions wait`} for your approval`,
    paragraphs: [
      `${total === 1 ? 'A decision' : `${total} decisions`} of ${line(centerName)} ${total === 1 ? 'waits' : 'wait'} for your approval.`,
      listOf(shown),
      ...(total > shown.length ? [`There are ${total - shown.length} more.`] : []),
      'Open a link and sign in to read the decision and to decide. Opening a link approves nothing.',
      'You get this message at most once in ten minutes.',
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    shown: [
      { description: '상담 에이전트가 820,000원 환불을 요청했습니다', url: 'https://sample.example/approve/evt_1' },
      { description: '이서준 님의 주간 계획을 조정합니다', url: 'https://sample.example/approve/evt_2' },
    ],
    total: 3,
  },
}

interface MayApproveFacts {
  readonly centerName: string
  /** The member who may approve from now on, or from a time on. */
  readonly name: string
  readonly role: ActorRole
  /** Whoever made them that; null for the service or a partner. */
  readonly maker: string | null
  /** Null: at once. */
  readonly countsFrom: string | null
  readonly url: string
}

/** To all administrators, and to the member: one text, so that nobody is told less than another. */
export const mayApprove: Template<MayApproveFacts> = {
  ko: ({ centerName, name, role, maker, countsFrom, url }) => ({
    subject: `[${line(centerName)}] ${line(name)} 님이 ${roleNames[role].ko}가 되었습니다`,
    paragraphs: [
      `${maker === null ? '' : `${line(maker)} 님의 처리로 `}${line(name)} 님이 ${line(centerName)}의 ${roleNames[role].ko}가 되었습니다.`,
      countsFrom === null
        ? '이 역할로 하는 승인은 지금부터 유효합니다.'
        : `이 역할로 하는 승인은 ${minute(countsFrom)}부터 유효합니다. 그 전에는 다른 관리자가 확인해야 합니다. 이 변경을 한 사람과 본인은 확인할 수 없습니다.`,
      '예상하지 못한 변경이라면 관리자가 구성원 화면에서 역할을 바꾸거나 이용을 정지할 수 있습니다.',
      url,
    ],
  }),
  en: ({ centerName, name, role, maker, countsFrom, url }) => ({
    subject: `[${line(centerName)}] ${line(name)} is now ${roleNames[role].en}`,
    paragraphs: [
      `${line(name)} is now ${roleNames[role].en} of ${line(centerName)}${maker === null ? '' : `, by ${line(maker)}`}.`,
      countsFrom === null
        ? 'Approvals in this role count from now on.'
        : `Approvals in this role count from ${minute(countsFrom)} on. Before then, another administrator has to confirm it: not the one who made the change, and not the member.`,
      'If you did not expect this, an administrator can change the role or suspend the member on the members page:',
      url,
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    name: '이서준',
    role: 'INSTRUCTOR',
    maker: '김하늘',
    countsFrom: '2026-11-17T09:00:00.000Z',
    url: 'https://sample.example/c/haneul/members',
  },
}
