/** Every workflow of the product. A removed workflow no longer starts; its executions and their drafts remain. */
import type { Definition } from '../features/automation/workflows/api.ts'
import { paymentFailureReview, stockDecision } from './commerce.ts'
import { attendanceDigest, termReport, tuitionRefundReview } from './education.ts'
import { estimateReview, projectDigest } from './interior.ts'
import { mentorBalance, sessionFollowUp } from './mentoring.ts'
import { interventionReport, refillReview } from './pharmacy.ts'
import { sessionGaps, weeklyProgress } from './rehabilitation.ts'
import { caseCheck, visitBrief } from './welfare.ts'

export const definitions: readonly Definition[] = [
  ...[weeklyProgress, sessionGaps],
  ...[caseCheck, visitBrief],
  ...[attendanceDigest, termReport, tuitionRefundReview],
  ...[refillReview, interventionReport],
  ...[stockDecision, paymentFailureReview],
  ...[sessionFollowUp, mentorBalance],
  ...[estimateReview, projectDigest],
]
