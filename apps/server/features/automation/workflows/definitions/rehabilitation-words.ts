/** What the drafts of rehabilitation say, in English and Korean. */
import type { Gap, Gaps, Pace, Progress } from './rehabilitation.ts'

export const weeklyWords = {
  en: {
    title: 'Weekly progress summary',
    basis: ({ sessions, clients, therapists, usualSessions, changePercent }: Progress) => [
      `${sessions} sessions of ${clients} clients with ${therapists} therapists`,
      `usually ${usualSessions} a week (the four weeks before)${changePercent === null ? '' : `, a change of ${changePercent}%`}`,
    ],
    slowed: ({ who, week, usual }: Pace) => `client ${who}: ${week} sessions, usually ${usual}`,
    paused: ({ who, usual }: Pace) => `client ${who}: no session, usually ${usual}`,
    decide: [
      'For each client listed: is the slower pace planned, or should the therapist get in touch?',
      'Does a care plan have to be changed?',
    ],
  },
  ko: {
    title: '주간 경과 요약',
    basis: ({ sessions, clients, therapists, usualSessions, changePercent }: Progress) => [
      `치료사 ${therapists}명, 이용자 ${clients}명의 치료 ${sessions}회`,
      `직전 4주 평균 주 ${usualSessions}회${changePercent === null ? '' : `, 증감 ${changePercent}%`}`,
    ],
    slowed: ({ who, week, usual }: Pace) => `이용자 ${who}: ${week}회, 평소 ${usual}회`,
    paused: ({ who, usual }: Pace) => `이용자 ${who}: 치료 없음, 평소 ${usual}회`,
    decide: ['목록의 이용자별로 계획된 변화인지, 치료사가 연락해야 하는지', '치료 계획을 바꿔야 하는지'],
  },
}

export const gapWords = {
  en: {
    title: 'Clients without a session',
    basis: ({ clients, booked }: Gaps, days: number) => [
      `${clients} clients had a session in this period; ${booked} of them have one booked in the next 30 days`,
      `listed: nothing booked, and no session for ${days} days or more`,
    ],
    gap: ({ who, lastDay, days, sessions }: Gap) =>
      `client ${who}: last on ${lastDay}, ${days} days ago, ${sessions} sessions in the period`,
    decide: ['Who calls whom, and until when?', 'Whose therapy has ended and should be closed?'],
  },
  ko: {
    title: '치료 공백 이용자',
    basis: ({ clients, booked }: Gaps, days: number) => [
      `기간 중 치료를 받은 이용자 ${clients}명, 그중 앞으로 30일 안에 예약이 있는 이용자 ${booked}명`,
      `목록 기준: 예약이 없고 ${days}일 이상 치료가 없음`,
    ],
    gap: ({ who, lastDay, days, sessions }: Gap) =>
      `이용자 ${who}: 마지막 ${lastDay}, ${days}일 전, 기간 중 ${sessions}회`,
    decide: ['누가 누구에게 언제까지 연락할지', '치료가 끝나 종결해야 할 이용자가 있는지'],
  },
}
