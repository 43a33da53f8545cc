/** What the commands of the operator and the search use. */
export { closeAsOperator } from './closing.ts'
export { type Template, templateOf } from './templates.ts'
