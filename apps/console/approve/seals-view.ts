/** The boxes for the seals of a decision. */
import type { Decision } from '@countersign/sdk'
import { sealBoxes } from '../decision/seal-boxes.ts'
import { nodeOf } from './dom.ts'
import { say, spoken } from './page.ts'

export const sealsView = (decision: Decision, viewer: string): Node =>
  nodeOf(sealBoxes(decision, { say, language: spoken(), viewer }))
