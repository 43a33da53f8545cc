import { type VerticalDefaults, weekdays } from './vertical.ts'

export const education: VerticalDefaults = {
  terms: { instructor: 'teacher', client: 'learner', session: 'lesson' },
  features: {
    booking: true,
    carePlans: false,
    guardianView: true,
    attendance: true,
    certificates: true,
    payments: true,
  },
  booking: { slotMinutes: 50, openingHours: { ...weekdays('14:00', '22:00'), sat: [{ from: '10:00', to: '18:00' }] } },
  workflows: [
    {
      name: 'Attendance confirmation',
      schedule: '30 22 * * 1-6',
      steps: ['collect-attendance', 'find-gaps', 'notify-guardians'],
    },
    {
      name: 'Course completion',
      schedule: '0 6 * * *',
      steps: ['find-completions', 'draft-certificate', 'ask-teacher'],
    },
  ],
}
