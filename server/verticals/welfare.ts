import { type VerticalDefaults, weekdays } from './vertical.ts'

export const welfare: VerticalDefaults = {
  terms: { instructor: 'case worker', client: 'resident', session: 'visit' },
  features: {
    booking: true,
    carePlans: true,
    guardianView: true,
    attendance: true,
    certificates: false,
    payments: false,
  },
  booking: { slotMinutes: 60, openingHours: weekdays('09:00', '18:00') },
  workflows: [
    {
      name: 'Benefit eligibility check',
      schedule: '0 7 * * 1',
      steps: ['collect-records', 'check-eligibility', 'ask-case-worker'],
    },
    { name: 'Wellbeing call list', schedule: '0 8 * * *', steps: ['find-absences', 'rank-by-risk', 'notify-team'] },
  ],
}
