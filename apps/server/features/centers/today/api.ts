/** What other features may use: appointments by day of the center's time zone. */
export { appointmentsByDay } from './queries.ts'
