/** The API of this feature: whether an owner has proven an email domain. */
export { domainOfAddress } from './domain-name.ts'
export { hasProven } from './queries.ts'
