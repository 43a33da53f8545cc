/** The API of this feature: whether an owner has proven an email domain. */
export { asciiDomain, domainOfAddress } from './domain-name.ts'
export { hasProven } from './queries.ts'
