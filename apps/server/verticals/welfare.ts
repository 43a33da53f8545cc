import { type VerticalDefaults, weekdays } from './vertical.ts'

export const welfare: VerticalDefaults = {
  features: { booking: true, attendance: true, families: true, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 60, openingHours: weekdays('09:00', '18:00') },
}
