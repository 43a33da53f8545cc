/** The people, centers and partners of the demo. Pure data. */
import type {
  ActorRole,
  MembershipStatus,
  SubscriptionStatus,
  TenantType,
  Vertical,
} from '@countersign/contract/enums.ts'
import type { Settings } from '@countersign/server/verticals/vertical.ts'
import { weekdays } from '@countersign/server/verticals/vertical.ts'

export interface Profile {
  readonly specialties: readonly string[]
  /** Null: all opening hours of the center. */
  readonly hours: Settings['booking']['openingHours'] | null
}

/** A person of one center who is not in the output. */
export interface Extra {
  readonly key: string
  readonly name: string
  readonly role: ActorRole
  readonly status?: MembershipStatus
  readonly profile?: Profile
  /** The `key` of an earlier person in the same center. */
  readonly parent?: string
}

export interface DemoCenter {
  readonly domain: string
  readonly name: string
  readonly vertical: Vertical
  readonly tenantType: TenantType
  readonly description: string
  /** Absent: a direct customer. */
  readonly partner?: string
  readonly planId: string
  /** Transitions of the subscription after all members are active. */
  readonly moves: readonly SubscriptionStatus[]
  readonly people: readonly Extra[]
}

export interface Account {
  readonly name: string
  /** The index in the list of centers. */
  readonly memberships: readonly {
    readonly center: 0 | 1
    readonly role: ActorRole
    readonly status: MembershipStatus
  }[]
  readonly profile?: Profile
  readonly partner?: { readonly name: string; readonly role: 'PARTNER_ADMIN' | 'PARTNER_OPERATOR' }
  readonly operator?: boolean
}

const ownPartner = 'Onnuri Partners'
const otherPartner = 'Haedoji Franchise'

export const partners = [
  { name: ownPartner, kind: 'white_label' },
  { name: otherPartner, kind: 'franchise' },
] as const

const mornings = weekdays('10:00', '13:00')
const afternoons = weekdays('14:00', '18:00')
const evenings = weekdays('18:00', '21:00')
const skilled = (specialties: readonly string[], hours: Profile['hours'] = null): Profile => ({ specialties, hours })

/** A family and staff for a center without shared people. */
const staffAndFamily = (
  admin: string,
  instructors: readonly [string, Profile][],
  parent: string,
  child: string,
): Extra[] => [
  { key: 'admin', name: admin, role: 'ADMIN' },
  ...instructors.map(([name, profile], index): Extra => {
    return { key: `instructor${index + 1}`, name, role: 'INSTRUCTOR', profile }
  }),
  { key: 'parent', name: parent, role: 'PARENT' },
  { key: 'child', name: child, role: 'CHILD', parent: 'parent' },
]

/** The accounts are members of the first two centers. */
export const centers: readonly DemoCenter[] = [
  {
    domain: 'haneul',
    name: 'Haneul Rehabilitation Center',
    vertical: 'rehabilitation',
    tenantType: 'CENTER',
    description: '하늘재활센터 · Physical and occupational therapy in Seoul',
    partner: ownPartner,
    planId: 'center-growth',
    moves: ['ACTIVE'],
    people: [
      { key: 'seoyeon', name: '김서연', role: 'INSTRUCTOR', profile: skilled(['운동치료', '보행 훈련'], mornings) },
      { key: 'haeun', name: '정하은', role: 'CHILD' },
      { key: 'rejected', name: '윤지호', role: 'INSTRUCTOR', status: 'REJECTED' },
    ],
  },
  {
    domain: 'badaro',
    name: 'Badaro Learning Center',
    vertical: 'education',
    tenantType: 'CENTER',
    description: '바다로학습센터 · Math and language classes in Busan',
    partner: ownPartner,
    planId: 'center-starter',
    moves: [],
    people: [
      { key: 'doyun', name: '이도윤', role: 'INSTRUCTOR', profile: skilled(['수학', 'Math']) },
      { key: 'jia', name: '최지아', role: 'CHILD' },
    ],
  },
  {
    domain: 'nuri',
    name: '누리종합복지관 Nuri Welfare House',
    vertical: 'welfare',
    tenantType: 'WHITE_LABEL',
    description: '대구의 종합복지관 · Day care and family counseling in Daegu',
    partner: otherPartner,
    planId: 'center-growth',
    moves: ['ACTIVE', 'PAST_DUE'],
    people: staffAndFamily(
      '박정우',
      [
        ['Grace Lim', skilled(['Family counseling', '가족 상담'], mornings)],
        ['한소라', skilled(['주간 보호'])],
      ],
      '오세훈',
      '오다은',
    ),
  },
  {
    domain: 'pureun',
    name: '푸른약국 Pureun Pharmacy',
    vertical: 'pharmacy',
    tenantType: 'CENTER',
    description: '인천의 동네 약국 · Prescriptions and advice in Incheon',
    partner: otherPartner,
    planId: 'center-scale',
    moves: [],
    people: staffAndFamily('서민재', [['Helen Bae', skilled(['복약 상담', 'Medication review'])]], '강유진', '강하준'),
  },
  {
    domain: 'dalbit',
    name: '달빛상회 Dalbit Market',
    vertical: 'commerce',
    tenantType: 'WORKSPACE',
    description: '전주의 공예품 가게 · Crafts by local makers in Jeonju',
    partner: otherPartner,
    planId: 'center-starter',
    moves: ['ACTIVE', 'PAST_DUE', 'SUSPENDED'],
    people: staffAndFamily('문가영', [['Leo Hwang', skilled(['고객 응대', 'Customer service'])]], '조은비', '조시우'),
  },
  {
    domain: 'ieum',
    name: '이음멘토링 Ieum Mentoring Program',
    vertical: 'mentoring',
    tenantType: 'PROGRAM',
    description: '대학 진학을 준비하는 학생 멘토링 · Mentoring for first-generation university students',
    planId: 'center-growth',
    moves: ['ACTIVE'],
    people: staffAndFamily(
      '배수지',
      [['Daniel Ko', skilled(['진로 상담', 'Career advice'], evenings)]],
      '임태경',
      '임나라',
    ),
  },
  {
    domain: 'daon',
    name: '다온인테리어 Daon Interior Studio',
    vertical: 'interior',
    tenantType: 'CENTER',
    description: '광주의 주거 인테리어 · Home interiors in Gwangju',
    planId: 'center-starter',
    moves: ['CANCELED'],
    people: staffAndFamily('권도현', [['Nora Jeon', skilled(['공간 설계', 'Space planning'])]], '신예린', '신유찬'),
  },
]

const one = (center: 0 | 1, role: ActorRole, status: MembershipStatus = 'ACTIVE') => [{ center, role, status }]

export const accounts: Readonly<Record<string, Account>> = {
  admin: { name: 'Ara Kim', memberships: one(0, 'ADMIN') },
  // A passkey is confirmed by another administrator.
  secondAdmin: { name: 'Bora Yun', memberships: one(0, 'ADMIN') },
  instructor: {
    name: 'Ian Park',
    memberships: one(0, 'INSTRUCTOR'),
    profile: skilled(['작업치료', 'Occupational therapy'], afternoons),
  },
  parent: { name: 'Petra Lee', memberships: one(0, 'PARENT') },
  child: { name: 'Chan Lee', memberships: one(0, 'CHILD') },
  invited: { name: 'Ines Choi', memberships: one(0, 'INSTRUCTOR', 'INVITED') },
  pending: { name: 'Paul Jung', memberships: one(0, 'INSTRUCTOR', 'PENDING') },
  suspended: { name: 'Sua Han', memberships: one(0, 'INSTRUCTOR', 'SUSPENDED') },
  ended: { name: 'Erik Moon', memberships: one(0, 'INSTRUCTOR', 'ENDED') },
  multi: {
    name: 'Mina Seo',
    memberships: [...one(0, 'INSTRUCTOR'), ...one(1, 'INSTRUCTOR')],
    profile: skilled(['언어치료', 'Speech therapy']),
  },
  outsider: { name: 'Olaf Yoon', memberships: [] },
  otherAdmin: { name: 'Oda Kang', memberships: one(1, 'ADMIN') },
  partnerAdmin: { name: 'Pia Shin', memberships: [], partner: { name: ownPartner, role: 'PARTNER_ADMIN' } },
  partnerOperator: { name: 'Per Oh', memberships: [], partner: { name: ownPartner, role: 'PARTNER_OPERATOR' } },
  otherPartnerAdmin: { name: 'Ola Ryu', memberships: [], partner: { name: otherPartner, role: 'PARTNER_ADMIN' } },
  operator: { name: 'Opal Nam', memberships: [], operator: true },
}
