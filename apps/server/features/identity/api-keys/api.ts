/** The entry point of this feature: a key for the first program of a new sandbox. */
export { makeApiKey } from './make.ts'
