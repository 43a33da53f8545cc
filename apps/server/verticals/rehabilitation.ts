import { type VerticalDefaults, weekdays } from './vertical.ts'

export const rehabilitation: VerticalDefaults = {
  features: { booking: true, attendance: true, families: true, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 50, openingHours: { ...weekdays('09:00', '19:00'), sat: [{ from: '09:00', to: '14:00' }] } },
}
