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
        id: described(words, 'The ID of whoever decided. Null if it was redacted.'),
        name: described(words, 'Their name. Null if none was recorded.'),
        role: nullable(
          Type.String({ examples: ['ADMIN'], description: 'Their role in the center. Null for a program.' }),
        ),
        type: described(words, "Whether it was a person or a program. Null if it wasn't recorded."),
      },
      { description: 'Who decided.' },
    ),
    what: named(
      'ResponsibilityWhat',
      {
        summary: described(words, 'The decision in a sentence. Null if nothing was written.'),
        action: described(words, 'The kind of action. Null if there was none.'),
        output: nullable(
          described(FreeObject, 'The result that the action produced or proposes. Null if there was none.'),
        ),
      },
      { description: 'What was decided.' },
    ),
    when: named(
      'ResponsibilityWhen',
      {
        decidedAt: nullable(described(DateTime, "When the decision was made. Null if it wasn't recorded.")),
        sealedAt: nullable(described(DateTime, 'When it was sealed. Null until then.')),
      },
      { description: 'When it was decided and sealed.' },
    ),
    where: named(
      'ResponsibilityWhere',
      {
        centerId: described(CenterId, 'The center where it was decided.'),
        centerName: Type.String({ description: "The center's name, as people see it." }),
        vertical: VerticalSchema,
        domain: ChainDomain,
      },
      { description: 'Where it was decided.' },
    ),
    why: named(
      'ResponsibilityWhy',
      {
        reason: nullable(Type.String({ description: 'The reason that was given. Null if there was none.' })),
        policies: Type.Array(AppliedPolicy, { description: 'The policies that applied.' }),
      },
      { description: 'Why it was decided.' },
    ),
    how: named(
      'ResponsibilityHow',
      {
        method: described(
          words,
          "How it came about: the decision's type, `workflow` or `manual`. Null if it wasn't recorded.",
        ),
        workflowId: described(words, 'The workflow that prepared it. Null if there was none.'),
        model: described(words, 'The model that was used. Null if there was none.'),
        confidence: nullable(
          Type.Number({ description: "The model's confidence, from 0 to 1. Null if it wasn't recorded." }),
        ),
        evidenceLevel: EvidenceLevelSchema,
        provider: described(words, "Who runs the model. Null if it wasn't recorded."),
        promptHash: described(words, "The digest of the prompt. Null if it wasn't recorded."),
      },
      { description: 'How it was decided.' },
    ),
  },
  { description: 'Who decided what, when, where, why and how.' },
)
