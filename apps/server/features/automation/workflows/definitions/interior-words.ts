/** What the drafts of interior design say, in English and Korean. */
import type { Estimate, Review, Workload } from './interior.ts'

export const reviewWords = {
  en: {
    title: (project: string) => `Estimate review: ${project}`,
    basis: ({ lines, past }: Estimate, { total, budget, unreferenced }: Review, currency: string) => [
      `${lines.length} lines, ${total} ${currency} in total${budget > 0 ? `, budget ${budget} ${currency}` : ', no budget given'}`,
      ...(unreferenced > 0 ? [`${unreferenced} lines without a reference price were not compared`] : []),
      `of ${past.total} estimates in the 90 days before, ${past.approved} were approved and ${past.rejected} rejected`,
    ],
    over: (excess: number, currency: string) => `the total is ${excess} ${currency} above the budget`,
    dear: ({ item, overPercent, excess }: Review['dear'][number], currency: string) =>
      `${item}: ${overPercent}% above its reference price, about ${excess} ${currency}`,
    cheap: ({ item, overPercent }: Review['cheap'][number]) =>
      `${item}: ${-overPercent}% below its reference price; is something missing?`,
    decide: ['Can the estimate go to the client as it is?', 'Which prices are to be negotiated or explained?'],
  },
  ko: {
    title: (project: string) => `견적 검토: ${project}`,
    basis: ({ lines, past }: Estimate, { total, budget, unreferenced }: Review, currency: string) => [
      `${lines.length}개 항목, 합계 ${total} ${currency}${budget > 0 ? `, 예산 ${budget} ${currency}` : ', 예산 없음'}`,
      ...(unreferenced > 0 ? [`기준 단가가 없어 비교하지 않은 항목 ${unreferenced}개`] : []),
      `직전 90일의 견적 ${past.total}건 중 승인 ${past.approved}건, 반려 ${past.rejected}건`,
    ],
    over: (excess: number, currency: string) => `합계가 예산보다 ${excess} ${currency} 많음`,
    dear: ({ item, overPercent, excess }: Review['dear'][number], currency: string) =>
      `${item}: 기준 단가보다 ${overPercent}% 높음, 약 ${excess} ${currency}`,
    cheap: ({ item, overPercent }: Review['cheap'][number]) =>
      `${item}: 기준 단가보다 ${-overPercent}% 낮음, 빠진 것이 있는지 확인`,
    decide: ['이대로 고객에게 보내도 되는지', '어느 단가를 협의하거나 설명할지'],
  },
}

export const digestWords = {
  en: {
    title: 'Project digest',
    basis: ({ consultations, consultationsBefore, designers, openEstimates, oldestDays }: Workload) => [
      `${consultations} consultations with ${designers} designers, ${consultationsBefore} the week before`,
      `${openEstimates} open estimates of the last 90 days, the oldest ${oldestDays} days old`,
    ],
    late: (count: number, days: number) => `${count} estimates have waited for ${days} days or more`,
    unreviewed: (count: number) => `${count} drafts that nobody has reviewed for a week or more`,
    decide: ['Which estimates are answered this week, and by whom?', 'Who reviews the drafts that are left?'],
  },
  ko: {
    title: '프로젝트 요약',
    basis: ({ consultations, consultationsBefore, designers, openEstimates, oldestDays }: Workload) => [
      `디자이너 ${designers}명, 상담 ${consultations}회, 직전 주 ${consultationsBefore}회`,
      `최근 90일의 미결 견적 ${openEstimates}건, 가장 오래된 것 ${oldestDays}일`,
    ],
    late: (count: number, days: number) => `${days}일 이상 기다린 견적 ${count}건`,
    unreviewed: (count: number) => `일주일 이상 검토되지 않은 초안 ${count}건`,
    decide: ['이번 주에 어느 견적을 누가 답할지', '남은 초안을 누가 검토할지'],
  },
}
