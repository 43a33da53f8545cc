/** For whom a page is, and how long it takes: the line under its title. */
import { groups } from './map.ts'
import type { Language, Words } from './words.ts'

const everyone: Words = { en: 'everyone', ko: '모든 분' }
const directors: Words = { en: 'directors', ko: '원장' }
const administrators: Words = { en: 'administrators of a center', ko: '센터 관리자' }
const approvers: Words = { en: 'approvers', ko: '결재하는 분' }
const partners: Words = { en: 'partners', ko: '파트너' }
const developers: Words = { en: 'developers', ko: '개발자' }
const operators: Words = { en: 'operators', ko: '운영자' }
const contributors: Words = { en: 'contributors', ko: '기여자' }
const choosers: Words = { en: 'people who compare products', ko: '제품을 비교하는 분' }
const verifierAuthors: Words = { en: 'authors of verifiers', ko: '검증 프로그램을 만드는 분' }

/** Where the reader isn't the one of the page's group. */
const own: Readonly<Record<string, Words>> = {
  index: everyone,
  platform: { en: 'people who choose a platform', ko: '플랫폼을 고르는 분' },
  'guides/pages': { en: 'people who use the console', ko: '콘솔을 쓰는 분' },
  'people/director': directors,
  'people/staff': { en: 'staff', ko: '직원' },
  'people/family': { en: 'families', ko: '가족' },
  'people/approver': approvers,
  'guides/approve': approvers,
  'guides/passkeys': approvers,
  'guides/policies': administrators,
  'guides/stop': administrators,
  'guides/members': administrators,
  'guides/bookings': administrators,
  'guides/workflows': administrators,
  'guides/redaction': administrators,
  'guides/sign-in': administrators,
  'guides/white-label': partners,
  'guides/partners': partners,
  'guides/billing': { en: 'administrators and operators', ko: '센터 관리자와 운영자' },
  'guides/coding-agents': { en: 'people who use coding agents', ko: '코딩 에이전트를 쓰는 분' },
  'guides/connect-agents': { en: 'people who use coding agents', ko: '코딩 에이전트를 쓰는 분' },
  'guides/command': { en: 'developers and auditors', ko: '개발자와 감사인' },
  'tutorials/witness': { en: 'witnesses', ko: '증인' },
  'operation/witness': { en: 'witnesses', ko: '증인' },
  'reference/settings': operators,
  'reference/cli': { en: 'developers and operators', ko: '개발자와 운영자' },
  'reference/messages': administrators,
  'reference/glossary': everyone,
  'formats/webhook-signatures': developers,
  'formats/center-export': administrators,
  'explanations/comparison': choosers,
  'explanations/delivery': developers,
  'explanations/hooks': { en: 'people who use coding agents', ko: '코딩 에이전트를 쓰는 분' },
  'changes/next': { en: 'developers and operators', ko: '개발자와 운영자' },
  'changes/first-release': { en: 'developers and operators', ko: '개발자와 운영자' },
}

const ofKind = { guide: everyone, reference: developers, format: verifierAuthors, background: contributors } as const

export function readerOf(slug: string): Words {
  const group = groups.find(({ pages }) => pages.some((page) => page.slug === slug))
  if (slug.startsWith('reference/api/')) return developers
  if (slug.startsWith('decisions')) return contributors
  return own[slug] ?? group?.reader ?? ofKind[group?.kind ?? 'guide']
}

/** Words of English a minute, and characters of Korean: blocks of code are read more slowly, so all of it counts. */
const perMinute = { en: 220, ko: 600 }
/** Nobody reads a longer page from its beginning to its end. */
const mostMinutes = 25

export function readersLine(slug: string, body: string, language: Language): string {
  const reader = readerOf(slug)
  const korean = /\p{Script=Hangul}/u.test(body.slice(0, 500))
  const length = korean ? body.replaceAll(/\s/g, '').length / perMinute.ko : body.split(/\s+/).length / perMinute.en
  const minutes = Math.max(1, Math.round(length))
  const time =
    minutes > mostMinutes
      ? { en: 'to look things up', ko: '필요한 곳만 찾아보세요' }
      : { en: `${minutes} min read`, ko: `읽는 데 ${minutes}분` }
  const line = language === 'ko' ? `${reader.ko} · ${time.ko}` : `For ${reader.en} · ${time.en}`
  return `<p class="reader">${line}</p>\n\n`
}
