/** What the drafts of mentoring say, in English and Korean. */
import type { Load } from './figures.ts'
import type { Balance, FollowUps, Loads, Pair } from './mentoring.ts'

export const followUpWords = {
  en: {
    title: 'Session follow-up',
    basis: ({ sessions, withNext, first }: FollowUps) => [
      `${sessions} pairs met; ${withNext} of them have a session booked in the next 30 days`,
      `${first} met for the first time in 90 days`,
    ],
    loose: ({ mentor, mentee, sessions }: Pair) =>
      `mentee ${mentee} with mentor ${mentor}: nothing booked, ${sessions} sessions in 90 days`,
    decide: ['Should the mentor propose a next session?', 'Has a mentoring reached its goal and ends here?'],
  },
  ko: {
    title: '세션 후속 조치',
    basis: ({ sessions, withNext, first }: FollowUps) => [
      `세션을 가진 ${sessions}쌍, 그중 앞으로 30일 안에 예약이 있는 ${withNext}쌍`,
      `90일 안에 처음 만난 ${first}쌍`,
    ],
    loose: ({ mentor, mentee, sessions }: Pair) =>
      `멘티 ${mentee}, 멘토 ${mentor}: 다음 예약 없음, 90일 동안 ${sessions}회`,
    decide: ['멘토가 다음 세션을 제안할지', '목표를 이루어 멘토링을 마칠지'],
  },
}

export const balanceWords = {
  en: {
    title: 'Mentor balance',
    basis: ({ mentors, mentees, once }: Loads, { sessions, mean, topShare }: Balance) => [
      `${sessions} sessions of ${mentees} mentees with ${mentors.length} mentors, ${mean} for each on average`,
      ...(topShare === null ? [] : [`the busiest fifth of the mentors holds ${topShare}% of the sessions`]),
      `${once} mentees had only one session`,
    ],
    heavy: ({ who, sessions, minutes }: Load) =>
      `mentor ${who}: ${sessions} sessions, ${minutes} minutes, far above the mean`,
    light: ({ who, sessions }: Load) => `mentor ${who}: ${sessions} sessions, far below the mean`,
    decide: ['Who can hand over mentees, and who can take some?', 'Do mentees with one session need another mentor?'],
  },
  ko: {
    title: '멘토 부담 점검',
    basis: ({ mentors, mentees, once }: Loads, { sessions, mean, topShare }: Balance) => [
      `멘토 ${mentors.length}명, 멘티 ${mentees}명, 세션 ${sessions}회, 멘토당 평균 ${mean}회`,
      ...(topShare === null ? [] : [`가장 바쁜 상위 20% 멘토가 세션의 ${topShare}% 담당`]),
      `세션이 한 번뿐인 멘티 ${once}명`,
    ],
    heavy: ({ who, sessions, minutes }: Load) => `멘토 ${who}: ${sessions}회, ${minutes}분, 평균보다 크게 많음`,
    light: ({ who, sessions }: Load) => `멘토 ${who}: ${sessions}회, 평균보다 크게 적음`,
    decide: ['누가 멘티를 넘기고 누가 맡을 수 있는지', '한 번만 만난 멘티에게 다른 멘토가 필요한지'],
  },
}
