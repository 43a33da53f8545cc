/** The API of this feature: what a person wants, for those who send by themselves, and the worker that tells of causes. */
export type { Notifications } from './notifications.ts'
export { tellInformedOf, tellWaiting } from './waiting.ts'
