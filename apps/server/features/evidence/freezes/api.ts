/** The entry point of this feature. */
export { coversOf } from './freeze.ts'
export { liftAsOperator, stopAsOperator } from './outside.ts'
