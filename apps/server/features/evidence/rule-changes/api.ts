/** What other features may use: the effect of a decision about rules. */
export { effectOf } from './effect.ts'
