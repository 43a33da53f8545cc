import { type VerticalDefaults, weekdays } from './vertical.ts'

export const pharmacy: VerticalDefaults = {
  features: { booking: true, attendance: false, families: false, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 15, openingHours: { ...weekdays('09:00', '20:00'), sat: [{ from: '09:00', to: '17:00' }] } },
}
