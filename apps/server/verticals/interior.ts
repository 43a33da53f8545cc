import { type VerticalDefaults, weekdays } from './vertical.ts'

export const interior: VerticalDefaults = {
  features: { booking: true, attendance: false, families: false, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 90, openingHours: { ...weekdays('10:00', '19:00'), sat: [{ from: '11:00', to: '17:00' }] } },
}
