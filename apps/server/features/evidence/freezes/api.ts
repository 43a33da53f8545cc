/** The entry point of this feature. */
export { coversOf, enterFreezes } from './freeze.ts'
export { liftAsOperator, liftInAll, stopAsOperator, stopInAll } from './outside.ts'
export type { ShownFreeze } from './queries.ts'
export { shown as shownFreeze } from './shown.ts'
