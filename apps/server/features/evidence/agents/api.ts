/** What other features may use: the judgment of an agent's decision. */
export { type Decided, decisionItem, draftEvent, KnownOpen } from './decide.ts'
