/** What the drafts of welfare say, in English and Korean. */
import type { CaseCheck, Cases, OpenCase, Rhythm } from './welfare.ts'

export const caseWords = {
  en: {
    title: 'Case check',
    basis: (cases: Cases, check: CaseCheck, tag: string) => [
      `${cases.openInAll} open cases of the last 90 days: decisions tagged «${tag}» that nobody has approved or rejected`,
      `median age ${check.medianDays} days, oldest ${check.oldestDays} days`,
      `${cases.newCases} new in this period (${cases.newCasesBefore} in the week before), ${cases.decided} of them decided`,
      `${cases.unreviewed} drafts that nobody has reviewed for a week or more`,
    ],
    overdue: ({ id, action, days }: OpenCase) => `overdue: ${action}, open for ${days} days (${id})`,
    risky: ({ id, action, days, risk }: OpenCase) => `high risk ${risk}: ${action}, open for ${days} days (${id})`,
    decide: ['Who takes each overdue case, and by when?', 'Can a case of high risk wait for its turn?'],
  },
  ko: {
    title: '사례 점검',
    basis: (cases: Cases, check: CaseCheck, tag: string) => [
      `최근 90일의 미결 사례 ${cases.openInAll}건: 「${tag}」 태그 결정 중 승인도 반려도 되지 않은 것`,
      `경과일 중앙값 ${check.medianDays}일, 최장 ${check.oldestDays}일`,
      `기간 중 신규 ${cases.newCases}건(직전 주 ${cases.newCasesBefore}건), 그중 결정 ${cases.decided}건`,
      `일주일 이상 검토되지 않은 초안 ${cases.unreviewed}건`,
    ],
    overdue: ({ id, action, days }: OpenCase) => `기한 초과: ${action}, ${days}일째 미결 (${id})`,
    risky: ({ id, action, days, risk }: OpenCase) => `고위험 ${risk}: ${action}, ${days}일째 미결 (${id})`,
    decide: ['기한을 넘긴 사례를 누가 언제까지 맡을지', '고위험 사례를 순서대로 기다리게 해도 되는지'],
  },
}

export const visitWords = {
  en: {
    title: 'Before the visit',
    none: 'no visit is booked in this center',
    basis: (rhythm: NonNullable<Rhythm>) => [
      `visit booked for ${rhythm.day}, resident ${rhythm.resident}`,
      `${rhythm.visitsBefore} visits in the 90 days before, ${rhythm.visitsInQuarterBefore} in the 90 days before those, by ${rhythm.workers} case workers`,
    ],
    first: 'the first visit that is known',
    since: (days: number, longest: number | null) =>
      `${days} days since the last visit${longest === null ? '' : `; longest gap so far ${longest} days`}`,
    decide: ['What has to be asked or brought along?', 'Is the rhythm of visits right?'],
  },
  ko: {
    title: '방문 전 확인',
    none: '이 센터에 예약된 방문이 없음',
    basis: (rhythm: NonNullable<Rhythm>) => [
      `${rhythm.day} 방문 예약, 대상자 ${rhythm.resident}`,
      `이전 90일 방문 ${rhythm.visitsBefore}회, 그 전 90일 ${rhythm.visitsInQuarterBefore}회, 담당자 ${rhythm.workers}명`,
    ],
    first: '기록상 첫 방문',
    since: (days: number, longest: number | null) =>
      `마지막 방문 후 ${days}일${longest === null ? '' : `, 지금까지 가장 긴 공백 ${longest}일`}`,
    decide: ['무엇을 묻고 준비해야 하는지', '방문 주기가 적절한지'],
  },
}
