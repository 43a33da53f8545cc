import { type VerticalDefaults, weekdays } from './vertical.ts'

export const education: VerticalDefaults = {
  features: { booking: true, attendance: true, families: true, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 50, openingHours: { ...weekdays('14:00', '22:00'), sat: [{ from: '10:00', to: '18:00' }] } },
}
