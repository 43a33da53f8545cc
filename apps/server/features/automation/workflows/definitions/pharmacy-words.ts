/** What the drafts of the pharmacy say, in English and Korean. */
import type { Acceptance, Due, Interventions, Refills, Supplies } from './pharmacy.ts'

export const refillWords = {
  en: {
    title: 'Refill reminder review',
    basis: ({ records, unreadable, lapsed }: Supplies, { overdue, due, supplied }: Refills, tag: string) => [
      `${records} dispensings tagged «${tag}»${unreadable > 0 ? `, ${unreadable} of them without a reference or days of supply` : ''}`,
      `the last one of each reference: ${overdue.length} have run out, ${due.length} run out soon, ${supplied} are supplied${lapsed > 0 ? `; ${lapsed} ran out more than 60 days ago and are not listed` : ''}`,
    ],
    overdue: ({ reference, runsOutOn, daysLeft }: Due) =>
      `${reference}: ran out on ${runsOutOn}, ${-daysLeft} days ago`,
    due: ({ reference, runsOutOn, daysLeft }: Due) => `${reference}: runs out on ${runsOutOn}, in ${daysLeft} days`,
    decide: ['Who is to be reminded today?', 'Whose therapy was changed or ended, so that no reminder is right?'],
  },
  ko: {
    title: '재조제 알림 검토',
    basis: ({ records, unreadable, lapsed }: Supplies, { overdue, due, supplied }: Refills, tag: string) => [
      `「${tag}」 태그 조제 기록 ${records}건${unreadable > 0 ? `, 그중 참조 번호나 일수가 없는 기록 ${unreadable}건` : ''}`,
      `참조 번호별 마지막 조제 기준: 소진 ${overdue.length}건, 곧 소진 ${due.length}건, 여유 ${supplied}건${lapsed > 0 ? `, 소진 후 60일이 지나 제외한 ${lapsed}건` : ''}`,
    ],
    overdue: ({ reference, runsOutOn, daysLeft }: Due) => `${reference}: ${runsOutOn} 소진, ${-daysLeft}일 경과`,
    due: ({ reference, runsOutOn, daysLeft }: Due) => `${reference}: ${runsOutOn} 소진 예정, ${daysLeft}일 남음`,
    decide: ['오늘 누구에게 알릴지', '처방이 바뀌거나 끝나 알리지 말아야 할 경우가 있는지'],
  },
}

export const interventionWords = {
  en: {
    title: 'Intervention report',
    basis: ({ now, before: then }: Interventions, { acceptedPercent, changePercent }: Acceptance) => [
      `${now.total} interventions: ${now.approved} accepted, ${now.rejected} rejected, ${now.open} open`,
      `${then.total} in the same number of days before${changePercent === null ? '' : `, a change of ${changePercent}%`}`,
      acceptedPercent === null
        ? 'none was decided, so there is no rate'
        : `accepted: ${acceptedPercent}% of those decided`,
    ],
    doubtful: ({ action, count, rejected }: Acceptance['doubtful'][number]) =>
      `${action}: ${rejected} of ${count} were rejected`,
    open: (count: number) => `${count} interventions wait for somebody to decide`,
    decide: ['Should a rule behind rejected interventions be changed?', 'Who decides about those that are open?'],
  },
  ko: {
    title: '중재 보고서',
    basis: ({ now, before: then }: Interventions, { acceptedPercent, changePercent }: Acceptance) => [
      `중재 ${now.total}건: 수용 ${now.approved}건, 거절 ${now.rejected}건, 미결 ${now.open}건`,
      `직전 같은 기간 ${then.total}건${changePercent === null ? '' : `, 증감 ${changePercent}%`}`,
      acceptedPercent === null ? '결정된 건이 없어 수용률 없음' : `결정된 건 기준 수용률 ${acceptedPercent}%`,
    ],
    doubtful: ({ action, count, rejected }: Acceptance['doubtful'][number]) =>
      `${action}: ${count}건 중 ${rejected}건 거절`,
    open: (count: number) => `결정을 기다리는 중재 ${count}건`,
    decide: ['거절된 중재의 기준을 바꿔야 하는지', '미결 건을 누가 결정할지'],
  },
}
