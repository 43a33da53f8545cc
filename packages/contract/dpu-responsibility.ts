/** Who decided what, when, where, why and how. */
import { Type } from 'typebox'
import { CenterId, DateTime, described, FreeObject, named, nullable } from './common.ts'
import { Text } from './decision-events.ts'
import { ChainDomain, EvidenceLevelSchema, VerticalSchema } from './enums.ts'
import { AppliedPolicy } from './evidence.ts'

const words = nullable(Text)

export const Responsibility = named(
  'Responsibility',
  {
    who: named(
      'ResponsibilityWho',
      {
        id: described(words, 'The ID of whoever decided. Null if it has been redacted.'),
        name: described(words, 'The name of whoever decided. Null if none was recorded.'),
        role: nullable(
          Type.String({ examples: ['ADMIN'], description: "The person's role in the center. Null for a program." }),
        ),
        type: described(words, "Whether a person or a program decided. Null if this wasn't recorded."),
      },
      { description: 'Who decided.' },
    ),
    what: named(
      'ResponsibilityWhat',
      {
        summary: described(words, 'The decision in a sentence. Null if there is none.'),
        action: described(words, "The action's type. Null if there was no action."),
        output: nullable(described(FreeObject, "The action's actual or proposed result. Null if there was none.")),
      },
      { description: 'What was decided.' },
    ),
    when: named(
      'ResponsibilityWhen',
      {
        decidedAt: nullable(described(DateTime, "When the decision was made. Null if the time wasn't recorded.")),
        sealedAt: nullable(described(DateTime, 'When the decision was sealed. Null until then.')),
      },
      { description: 'When the decision was made and sealed.' },
    ),
    where: named(
      'ResponsibilityWhere',
      {
        centerId: described(CenterId, 'The center where the decision was made.'),
        centerName: Type.String({ description: "The center's display name." }),
        vertical: VerticalSchema,
        domain: ChainDomain,
      },
      { description: 'Where the decision was made.' },
    ),
    why: named(
      'ResponsibilityWhy',
      {
        reason: nullable(Type.String({ description: 'The reason that was given. Null if none was given.' })),
        policies: Type.Array(AppliedPolicy, { description: 'The policies that applied.' }),
      },
      { description: 'Why the decision was made.' },
    ),
    how: named(
      'ResponsibilityHow',
      {
        method: described(
          words,
          "How the decision came about: its decision type, `workflow` or `manual`. Null if this wasn't recorded.",
        ),
        workflowId: described(words, 'The workflow that prepared the decision. Null if there was none.'),
        model: described(words, 'The model that was used. Null if no model was used.'),
        confidence: nullable(
          Type.Number({ description: "The model's confidence, from 0 to 1. Null if it wasn't recorded." }),
        ),
        evidenceLevel: EvidenceLevelSchema,
        provider: described(words, "Who runs the model. Null if this wasn't recorded."),
        promptHash: described(words, "The digest of the prompt. Null if it wasn't recorded."),
      },
      { description: 'How the decision was made.' },
    ),
  },
  { description: 'Who decided what, when, where, why and how.' },
)
