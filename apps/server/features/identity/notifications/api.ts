/** The API of this feature: what a person wants, for those who send by themselves, and the worker that tells of causes. */
export { untouched, wants } from './choices.ts'
export type { Notifications } from './notifications.ts'
export { storedSettings } from './queries.ts'
export { tellWaiting } from './waiting.ts'
