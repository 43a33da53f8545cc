/** What other features may use: starting executions for an event, in the transaction that causes it. */
export type { Catalogue } from './catalogue.ts'
export { type Happening, type Starting, startForEvent } from './start.ts'
