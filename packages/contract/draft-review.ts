/** What stands in a draft's record beside its own text. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named, nullable } from './common.ts'

const hashPattern = '^sha256:[0-9a-f]{64}$'

export const Previous = Type.String({
  pattern: hashPattern,
  description:
    "The hash of the record's newest entry that you have seen, from `draft.previous`. If there's a newer one, the response is 409.",
  examples: ['sha256:6e9017076771b8cfab5088aed4c52ae8c7937aaa41a3b7180c1be4e485bf272e'],
})

const Person = named(
  'DraftPerson',
  { id: described(ActorId, "The member's actor ID."), name: Type.String({ description: "The member's name then." }) },
  { description: 'A member who did something with a draft.' },
)

export const DraftReview = named(
  'DraftReview',
  {
    previous: Type.String({
      pattern: hashPattern,
      description: "The hash of the record's newest entry. Send it with your change.",
    }),
    contentDigest: Type.String({
      pattern: hashPattern,
      description: "The SHA-256 hash of the draft's own text, in UTF-8. It's sealed together with a member's text.",
    }),
    text: nullable(
      Type.String({ description: "A member's text in place of the draft's own. Null if nobody has edited it." }),
    ),
    editedBy: nullable(described(Person, 'Who edited the text last. Null if nobody did.')),
    editedAt: nullable(described(DateTime, 'When the text was last edited. Null if nobody edited it.')),
    sentTo: nullable(described(Person, 'Who was asked for the review. Null if nobody was.')),
    sentBy: nullable(described(Person, 'Who asked for the review. Null if nobody did.')),
    sentAt: nullable(described(DateTime, 'When the review was asked for. Null if nobody asked.')),
    refused: nullable(
      named(
        'RefusedDraft',
        {
          reason: Type.String({ description: 'Why the draft was refused.' }),
          by: described(Person, 'Who refused it.'),
          at: described(DateTime, 'When it was refused.'),
        },
        { description: "The refusal of a draft. Null if it isn't refused." },
      ),
    ),
  },
  { description: "What the center's people have done with a draft." },
)

export const Reviewers = Type.Array(Person, {
  description: 'The members who can review the draft, without you. Empty if it has been reviewed.',
})

export const LabeledPerson = named(
  'LabeledPerson',
  {
    label: Type.String({ description: 'How the draft refers to the person.' }),
    name: Type.String({ description: "The person's current name." }),
  },
  { description: 'A person that a draft refers to.' },
)
