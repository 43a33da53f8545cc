/** The API of this feature: what a person wants, for those who send by themselves, and the worker that tells of causes. */
export { type Settings, untouched, wants, wantsDigest } from './choices.ts'
export type { Notifications } from './notifications.ts'
export { insertDigestItem, storedSettings } from './queries.ts'
export { digestAt } from './times.ts'
