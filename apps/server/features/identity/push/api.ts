/** The API of this feature: who queues messages, and a session that enters another center and keeps its browser. */
export type { Push } from './push.ts'
export { passOn as passOnPush } from './queries.ts'
