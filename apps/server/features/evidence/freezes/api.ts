/** The entry point of this feature. */
export { coversOf, enterFreezes } from './freeze.ts'
export { liftAsOperator, liftInAll, stopAsOperator, stopInAll } from './outside.ts'
