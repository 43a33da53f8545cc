/** Action types of a center: their names, and the sentence and labels with which people read what they decide. */
import { type TSchemaOptions, Type } from 'typebox'
import { DateTime, named, nullable } from './common.ts'
import { operation } from './operation.ts'

/** In one language or both. */
const perLanguage = (title: string, maxLength: number, options: TSchemaOptions = {}) => {
  const text = Type.Optional(Type.String({ minLength: 1, maxLength }))
  return named(title, { ko: text, en: text }, { minProperties: 1, ...options })
}

const Name = perLanguage('ActionTypeName', 60)
const Sentence = perLanguage('ActionTypeSentence', 300, {
  description:
    'The headline of a decision. `{/payment/won}` is replaced by the value of `action.input` that the JSON Pointer names; an absent value shows as a gap. Braces have no other use',
  examples: [{ ko: '{/to}에게 {/won}원 환불', en: 'Refund {/won} won to {/to}' }],
})
const Labels = Type.Record(Type.String(), perLanguage('ActionTypeLabel', 60), {
  title: 'ActionTypeLabels',
  maxProperties: 100,
  propertyNames: Type.String({ maxLength: 200, pattern: '^(/([^~/]|~[01])*)+$' }),
  description: 'By JSON Pointer (RFC 6901) below `action.input`: what a value is called',
  examples: [{ '/won': { ko: '금액(원)', en: 'Amount in won' } }],
})

const fields = {
  type: Type.String({ description: 'As it was sent when the version was made' }),
  version: Type.Integer({
    minimum: 0,
    description: '0 is the starting template of the vertical, which applies where the center has none of its own',
  }),
  digest: Type.String({
    description: '`sha256:` and the SHA-256 of the canonical form of `{type, name, sentence, labels}`',
  }),
  name: Name,
  sentence: nullable(Sentence),
  labels: Labels,
}

export const ActionTemplate = named('ActionTemplate', fields, {
  description:
    'The template of the action type as it is now; null where neither the center nor its vertical has one. Its digest names what was shown',
})

const ActionType = named('ActionType', {
  ...fields,
  createdAt: nullable(Type.String({ ...DateTime, description: 'Null for a starting template' })),
})

const TypeParam = Type.Object({
  type: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Action type, encoded for a path. Compared without case, blanks and invisible characters, in the Unicode form NFKC',
    examples: ['refund'],
  }),
})

const shared = { surface: 'platform', tag: 'Policies' } as const
const admin = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const
const staff = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const

export const listActionTypes = operation({
  ...shared,
  id: 'actionTypes.list',
  method: 'GET',
  path: '/action-types',
  access: staff,
  store: 'cell',
  summary: 'List the action types that have a template: those of the center, and those that its vertical starts with',
  replies: { 200: Type.Array(ActionType) },
})

export const getActionType = operation({
  ...shared,
  id: 'actionTypes.get',
  method: 'GET',
  path: '/action-types/{type}',
  access: staff,
  store: 'cell',
  summary: 'Get the template of an action type',
  params: TypeParam,
  replies: { 200: ActionType },
  errors: ['NOT_FOUND'],
})

export const putActionType = operation({
  ...shared,
  id: 'actionTypes.put',
  method: 'PUT',
  path: '/action-types/{type}',
  access: admin,
  store: 'sequenced',
  summary: 'Set the name of an action type, and the sentence and labels with which its decisions are shown',
  description:
    'Each call makes a new version, and an entry of the chain `history` that commits to it. The headline of a decision then comes from its values and this sentence, never from the description that an agent wrote. Texts are one line without control, invisible or direction characters. Types that begin with `countersign.` are reserved.',
  params: TypeParam,
  body: named(
    'NewActionType',
    { name: Name, sentence: Type.Optional(Sentence), labels: Type.Optional(Labels) },
    {
      examples: [
        {
          name: { ko: '환불', en: 'Refund' },
          sentence: { ko: '주문 {/order}에 {/won}원 환불', en: 'Refund {/won} won for order {/order}' },
          labels: { '/won': { ko: '금액(원)', en: 'Amount in won' }, '/order': { ko: '주문', en: 'Order' } },
        },
      ],
    },
  ),
  replies: { 200: ActionType },
  errors: ['CONFLICT', 'CHAIN_BROKEN'],
})

export const deleteActionType = operation({
  ...shared,
  id: 'actionTypes.delete',
  method: 'DELETE',
  path: '/action-types/{type}',
  access: admin,
  store: 'sequenced',
  summary: 'Withdraw the template of the center; that of the vertical applies again, where there is one',
  params: TypeParam,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})
