/** A draft in the hands of its reviewers: their text beside its own, who is asked to review it, and its refusal. Ours. */
import { Type } from 'typebox'
import { ActorId, described, named } from './common.ts'
import { dpuOperation } from './dpu.ts'
import { DraftReview, Previous } from './draft-review.ts'
import { RecordParam } from './ids.ts'
import { operation } from './operation.ts'

const shared = { ...dpuOperation, tag: 'Decision proof units', store: 'sequenced', params: RecordParam } as const
const errors = ['DPU_NOT_FOUND', 'DPU_SEALED', 'CONFLICT', 'CHAIN_BROKEN'] as const
const replies = { 200: DraftReview }

export const editDraft = operation({
  ...shared,
  id: 'drafts.edit',
  method: 'PUT',
  path: '/dpu/{id}/draft',
  summary: "Edit a draft's text",
  description:
    "Puts your text in place of a draft's own. The draft's own text stays in the record and in its hash; the `history` chain gets your text with the digest of the draft's, so a review covers your text. If somebody has changed the record since `previous`, the response is 409 and your text isn't saved: read the record again, then decide which text to keep. Editing a refused draft opens it for review again. Send the draft's own text to remove yours.",
  body: named(
    'DraftText',
    {
      text: Type.String({
        minLength: 1,
        maxLength: 50_000,
        description: 'The whole text.',
        examples: ['Two sessions a week from December.'],
      }),
      previous: Previous,
    },
    {
      description: "The text to put in place of the draft's own.",
      examples: [{ text: 'Two sessions a week from December.', previous: `sha256:${'0'.repeat(64)}` }],
    },
  ),
  replies,
  errors,
})

export const sendDraft = operation({
  ...shared,
  id: 'drafts.send',
  method: 'POST',
  path: '/dpu/{id}/draft/send',
  summary: 'Send a draft for review',
  description:
    'Asks a member for the review of a draft. The member is told by email and push notification, and finds the draft on their first page and in their inbox. Anyone with the right to review it still can. The reviewer must be an active ADMIN or INSTRUCTOR of the center.',
  body: named(
    'DraftRequest',
    { reviewerId: described(ActorId, 'The actor ID of the member who should review the draft.'), previous: Previous },
    {
      description: 'Who should review the draft.',
      examples: [{ reviewerId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40', previous: `sha256:${'0'.repeat(64)}` }],
    },
  ),
  replies,
  errors: [...errors, 'NOT_FOUND'],
})

export const refuseDraft = operation({
  ...shared,
  id: 'drafts.refuse',
  method: 'POST',
  path: '/dpu/{id}/draft/refuse',
  summary: 'Refuse a draft',
  description:
    "Refuses a draft, with the reason. While it's refused, its evidence level can't be raised. Whoever edited it or sent it last is told. Edit the text to open it for review again, or run the workflow again.",
  body: named(
    'DraftRefusal',
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Why you refuse the draft.',
        examples: ['The week of the 9th is missing.'],
      }),
      previous: Previous,
    },
    {
      description: 'Why the draft is refused.',
      examples: [{ reason: 'The week of the 9th is missing.', previous: `sha256:${'0'.repeat(64)}` }],
    },
  ),
  replies,
  errors,
})
