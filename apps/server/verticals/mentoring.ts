import { type VerticalDefaults, weekdays } from './vertical.ts'

export const mentoring: VerticalDefaults = {
  features: { booking: true, attendance: true, families: false, customDomain: true, workflowSettings: true },
  booking: { slotMinutes: 60, openingHours: weekdays('18:00', '22:00') },
}
