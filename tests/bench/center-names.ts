/**
 * Realistic Korean and English center names, deterministic by number. A few name parts are common and most are rare, and
 * brands combine parts, so the vocabulary keeps growing with the number of centers, as in production data
 * (about eight thousand words in ten thousand centers, 376,000 in a million).
 */
import { verticals } from '@countersign/contract/enums.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

const syllables =
  list(`하 늘 바 다 로 온 누 리 새 빛 한 마 음 해 솔 나 무 별 가 람 다 솜 아 름 미 래 도 담 소 망 은 혜 사 랑
  참 좋 은 푸 른 숲 길 샘 터 희 행 복 우 주 예 인 성 모 세 영 진 태 양 봄 여 울 서 연 민 재 준 지 현 윤 채 원 라 온 보 듬 별 꿈 결`)
const places =
  list(`강남 서초 송파 분당 해운대 마포 노원 수원 일산 부천 대전 광주 울산 제주 춘천 전주 청주 천안 창원 포항 김해 안양
  평촌 목동 잠실 동탄 판교 세종 인천 연수 부평 의정부 구리 하남 김포 파주 속초 강릉 원주 여수`)
const koreanKinds: Record<string, readonly string[]> = {
  rehabilitation: list('재활센터 발달센터 언어치료센터 감각통합연구소 물리치료실 재활의원'),
  welfare: list('복지관 요양센터 돌봄센터 쉼터 복지재단 주간보호센터'),
  education: list('학원 학습관 교육센터 어학원 수학교실 아카데미 공부방'),
  pharmacy: list('약국 온누리약국 한약국 메디팜'),
  commerce: list('상회 마켓 스토어 상점 몰'),
  mentoring: list('멘토링센터 코칭연구소 진로센터 상담실'),
  interior: list('인테리어 공간디자인 건축 리모델링'),
}
const beginnings =
  list(`Sun Moon River Green Bright Stone Oak Maple Blue Silver Golden North South West East Harbor Hill Lake Meadow
  Forest Spring Summer Autumn Winter Cedar Willow Rose Clear Swift Fair New Old High Deep Wide Still Red White Star Cloud Rain
  Snow Wind Fire Light Heart Hope Grace True Kind Wise Bold Calm Gentle Happy Merry`)
const endings =
  list(`flower rise field side view brook wood land ford gate bridge point path way stone leaf bloom light house ton
  well mere dale worth bury ham ley more wick stead hurst crest cliff shore haven port mont vale grove glen ridge bank fall
  water garden yard works craft hand minds steps bridge kin folk star crown ward`)
const surnames =
  list(`Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Hong Smith Baker Miller
  Carter Mason Fisher Turner Walker Cooper Parker Bennett Hughes Foster Griffin Sanders Coleman Jenkins Patterson Alexander`)
const englishKinds: Record<string, readonly string[]> = {
  rehabilitation: ['Rehabilitation Center', 'Therapy Clinic', 'Speech and Motion', 'Recovery House'],
  welfare: ['Care Home', 'Welfare Foundation', 'Community Center', 'Day Care'],
  education: ['Academy', 'Learning House', 'Language School', 'Music School', 'Tutoring Center'],
  pharmacy: ['Pharmacy', 'Drugstore', 'Family Pharmacy'],
  commerce: ['Market', 'General Store', 'Outlet', 'Trading'],
  mentoring: ['Mentoring', 'Coaching Studio', 'Career Center'],
  interior: ['Interior', 'Design Studio', 'Home Works', 'Remodeling'],
}
const remarks =
  list(`piano violin painting algebra reading writing swimming balance speech memory children adults seniors families
  evening weekend private small group experienced certified licensed free parking near station river park market first visit
  consultation online classes 상담 예약 주말 야간 무료 주차 아동 청소년 성인 어르신 가족 언어 운동 인지 미술 음악 수학 영어 과학 독서
  전문 경력 소수정예 맞춤 역세권 방문 가능 친절 깨끗한 새로운 첫 수업 체험`)

/** Uniform numbers in [0, 1), deterministic by seed (mulberry32). */
function evenNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface NamedCenter {
  readonly domain: string
  readonly name: string
  readonly vertical: string
  readonly description: string
}

export function namedCenter(number: number): NamedCenter {
  const even = evenNumbers(number)
  const any = (items: readonly string[]): string => items[Math.floor(items.length * even())] as string
  /** Picks early list items far more often than late ones, as word frequencies do. */
  const skewed = (items: readonly string[]): string => items[Math.floor(items.length * even() ** 2)] as string
  const vertical = skewed(verticals)
  const korean = even() < 0.6
  let name: string
  if (korean) {
    const brand = Array.from({ length: even() < 0.5 ? 2 : 3 }, () => skewed(syllables)).join('')
    const kind = any(koreanKinds[vertical] as readonly string[])
    name = even() < 0.5 ? `${brand}${kind}` : `${brand} ${kind}`
    if (even() < 0.5) name = `${skewed(places)} ${name}`
    if (even() < 0.1) name += ` ${Math.ceil(even() * 30)}호점`
  } else {
    const family = even() < 0.3
    const brand = family
      ? `${skewed(surnames)} ${any(beginnings)}${any(endings)}`
      : `${skewed(beginnings)}${skewed(endings)}`
    name = `${brand}${even() < 0.2 ? any(endings) : ''} ${any(englishKinds[vertical] as readonly string[])}`
  }
  const description = even() < 0.3 ? Array.from({ length: 6 }, () => skewed(remarks)).join(' ') : ''
  return { domain: `center-${number}`, name, vertical, description }
}
