/** What the commands of the operator, the search and the oversight use. */
export { closeAsOperator } from './closing.ts'
export { namesOfPolicies } from './rules.ts'
export { type Template, templateOf } from './templates.ts'
