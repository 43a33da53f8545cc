import { type VerticalDefaults, weekdays } from './vertical.ts'

export const interior: VerticalDefaults = {
  terms: { instructor: 'designer', client: 'client', session: 'consultation' },
  features: {
    booking: true,
    carePlans: false,
    guardianView: false,
    attendance: false,
    certificates: false,
    payments: true,
  },
  booking: { slotMinutes: 90, openingHours: { ...weekdays('10:00', '19:00'), sat: [{ from: '11:00', to: '17:00' }] } },
  workflows: [
    { name: 'Quote approval', schedule: '0 9 * * *', steps: ['collect-quotes', 'compare-prices', 'ask-designer'] },
    {
      name: 'Milestone payment',
      schedule: '0 10 * * 5',
      steps: ['collect-milestones', 'check-delivery', 'ask-designer'],
    },
  ],
}
