/** What the drafts of education say, in English and Korean. */
import type { Attendance, Lessons, Missing, Month, Trend, Weighed } from './education.ts'

export const digestWords = {
  en: {
    title: 'Attendance digest',
    basis: ({ week, before: then }: Attendance, { unrecorded, changePoints }: Weighed) => [
      `${week.lessons} lessons booked, ${week.present} recorded as present, ${week.absent} as absent, ${unrecorded} not recorded`,
      week.rate === null
        ? 'no attendance was recorded, so there is no rate'
        : `attendance ${week.rate}%${changePoints === null ? '' : `, ${changePoints >= 0 ? '+' : ''}${changePoints} points against ${then.rate}% the week before`}`,
    ],
    low: (percent: number) => `attendance is below the minimum of ${percent}%`,
    unrecorded: (count: number) => `for ${count} lessons nobody has recorded who was there`,
    often: ({ learner, absences }: Missing) => `learner ${learner}: absent ${absences} times`,
    decide: ['Which guardians should be called?', 'Who completes the attendance that was not recorded?'],
  },
  ko: {
    title: '출결 요약',
    basis: ({ week, before: then }: Attendance, { unrecorded, changePoints }: Weighed) => [
      `예약 수업 ${week.lessons}회, 출석 ${week.present}건, 결석 ${week.absent}건, 미기록 ${unrecorded}건`,
      week.rate === null
        ? '출결 기록이 없어 출석률을 계산하지 않음'
        : `출석률 ${week.rate}%${changePoints === null ? '' : `, 직전 주 ${then.rate}% 대비 ${changePoints >= 0 ? '+' : ''}${changePoints}%p`}`,
    ],
    low: (percent: number) => `출석률이 기준 ${percent}%보다 낮음`,
    unrecorded: (count: number) => `출결이 기록되지 않은 수업 ${count}회`,
    often: ({ learner, absences }: Missing) => `학습자 ${learner}: 결석 ${absences}회`,
    decide: ['어느 보호자에게 연락할지', '기록되지 않은 출결을 누가 채울지'],
  },
}

export const termWords = {
  en: {
    title: 'Term report',
    basis: (all: Lessons, { changePercent, attendancePercent }: Trend) => [
      `${all.lessons} lessons (${all.hours} hours) of ${all.learners} learners with ${all.teachers} teachers`,
      `${all.lessonsBefore} lessons in the same number of days before${changePercent === null ? '' : `, a change of ${changePercent}%`}`,
      attendancePercent === null
        ? 'no attendance was recorded'
        : `attendance ${attendancePercent}% of what was recorded`,
    ],
    month: ({ month, lessons, learners }: Month) => `${month}: ${lessons} lessons, ${learners} learners`,
    decide: ['Is this what guardians should read about the term?', 'What changes in the next term?'],
  },
  ko: {
    title: '학기 보고서',
    basis: (all: Lessons, { changePercent, attendancePercent }: Trend) => [
      `교사 ${all.teachers}명, 학습자 ${all.learners}명의 수업 ${all.lessons}회(${all.hours}시간)`,
      `직전 같은 기간 ${all.lessonsBefore}회${changePercent === null ? '' : `, 증감 ${changePercent}%`}`,
      attendancePercent === null ? '출결 기록 없음' : `기록된 출결 기준 출석률 ${attendancePercent}%`,
    ],
    month: ({ month, lessons, learners }: Month) => `${month}: 수업 ${lessons}회, 학습자 ${learners}명`,
    decide: ['보호자에게 이대로 알려도 되는지', '다음 학기에 무엇을 바꿀지'],
  },
}
