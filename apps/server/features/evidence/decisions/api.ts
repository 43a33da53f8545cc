/** What the commands of the operator use. */
export { closeAsOperator } from './closing.ts'
