/** What a stranger knows of a person, which no password may be, and the one place that stores a password. */
export { namesAround, storePassword, withdrawResets } from './queries.ts'
