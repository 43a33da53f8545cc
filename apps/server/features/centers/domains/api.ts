/** The API of this feature: who has proven an email domain. */
export { domainOfAddress } from './domain-name.ts'
export { centersOfDomain, hasProven } from './queries.ts'
