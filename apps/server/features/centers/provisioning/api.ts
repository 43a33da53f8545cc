/** The entry point of this feature. */
export { addActiveAdministrator, administratorOf, foundCenter } from './founding.ts'
export { createProgram } from './program.ts'
export { nextCenterId } from './queries.ts'
