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

/** Of the chains, in words of an office. */
const chainNames: Readonly<Record<string, { readonly ko: string; readonly en: string }>> = {
  proof: { ko: '결정', en: 'decisions' },
  dpu: { ko: '증빙', en: 'proof units' },
  history: { ko: '변경 이력', en: 'changes' },
}
const chainName = (domain: string, language: 'ko' | 'en'): string => chainNames[domain]?.[language] ?? line(domain)

interface AlarmFacts {
  readonly centerName: string
  readonly domain: string
  /** Counted from one, as people do. */
  readonly entry: number
  readonly url: string
}

export const integrityAlarm: Template<AlarmFacts> = {
  ko: ({ centerName, domain, entry, url }) => ({
    subject: `[${line(centerName)}] 봉인 기록에서 문제가 발견되었습니다`,
    paragraphs: [
      `${line(centerName)}의 ${chainName(domain, 'ko')} 체인이 ${entry}번째 항목에서 맞지 않습니다. 기록이 서비스 밖에서 바뀌었을 수 있습니다.`,
      '운영자가 원인을 확인할 때까지 이 체인에는 아무것도 봉인되지 않습니다. 운영자에게도 알림이 갔습니다. 보관해 둔 영수증과 내보내기 파일은 그대로 증거가 됩니다.',
      url,
    ],
  }),
  en: ({ centerName, domain, entry, url }) => ({
    subject: `[${line(centerName)}] A problem was found in your sealed records`,
    paragraphs: [
      `The chain of ${chainName(domain, 'en')} of ${line(centerName)} does not hold at entry ${entry}. A record may have been changed outside the service.`,
      "Nothing is sealed onto this chain until the operator has found the cause; the operator was alerted too. Receipts and exports that you've kept still prove what they show.",
      url,
    ],
  }),
  sample: { centerName: '하늘재활센터', domain: 'proof', entry: 42, url: 'https://sample.example/c/haneul/chain' },
}

interface LossFacts {
  readonly centerName: string
  readonly domain: string
  /** The first and the last lost entry, counted from one. */
  readonly from: number
  readonly to: number
  readonly url: string
}

export const integrityLoss: Template<LossFacts> = {
  ko: ({ centerName, domain, from, to, url }) => ({
    subject: `[${line(centerName)}] 봉인된 항목 ${to - from + 1}개를 잃었습니다`,
    paragraphs: [
      `운영자가 ${line(centerName)}의 ${chainName(domain, 'ko')} 체인에서 ${from}번째부터 ${to}번째까지 항목 ${to - from + 1}개를 잃었다고 신고했습니다. 데이터베이스를 이전 상태로 복원했기 때문일 수 있습니다.`,
      '영수증이나 내보내기 파일이나 웹훅을 보관했다면 그 항목이 봉인되었다는 증거가 됩니다. 그사이에 기록한 결정이 보이지 않으면 다시 기록하세요. 신고의 내용은 아래에서 볼 수 있습니다.',
      url,
    ],
  }),
  en: ({ centerName, domain, from, to, url }) => ({
    subject: `[${line(centerName)}] ${to - from + 1} sealed entries were lost`,
    paragraphs: [
      `The operator declared that entries ${from} to ${to} (${to - from + 1} in all) of the chain of ${chainName(domain, 'en')} of ${line(centerName)} were lost, usually because a database was restored to an earlier state.`,
      'If you kept receipts, exports or webhooks, they prove that these entries were sealed. If a decision from that time is missing, record it again. You can read the declaration here:',
      url,
    ],
  }),
  sample: {
    centerName: '하늘재활센터',
    domain: 'proof',
    from: 431,
    to: 663,
    url: 'https://sample.example/c/haneul/chain',
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
