/** Questions and answers about a decision. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named } from './common.ts'
import { TypedId } from './ids.ts'

export const Comment = named(
  'DecisionComment',
  {
    id: TypedId('comment', "The comment's ID."),
    author: named(
      'CommentAuthor',
      {
        id: described(ActorId, "The author's actor ID."),
        name: Type.String({ description: "The author's current name." }),
      },
      { description: 'The member who wrote the comment.' },
    ),
    text: Type.String({ description: 'What the author wrote.' }),
    createdAt: described(DateTime, 'When the comment was written.'),
  },
  { description: 'A question or an answer about a decision.' },
)
