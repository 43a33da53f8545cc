/** What other features may use: a consumption, and what was sealed. */
export { consumptionItem } from './consume.ts'
export { readSealed } from './sealed.ts'
