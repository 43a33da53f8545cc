import { type VerticalDefaults, weekdays } from './vertical.ts'

export const commerce: VerticalDefaults = {
  features: { booking: false, attendance: false, families: false, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 30, openingHours: { ...weekdays('10:00', '20:00'), sat: [{ from: '10:00', to: '20:00' }] } },
}
