/** Action types of a center: their names, and the sentence and labels that approvers read. */
import { type TSchemaOptions, Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { operation } from './operation.ts'

/** A text in Korean, English or both. */
const perLanguage = (title: string, maxLength: number, options: TSchemaOptions = {}) => {
  const text = Type.Optional(
    Type.String({ minLength: 1, maxLength, description: 'The text in this language.', examples: ['Refund'] }),
  )
  return named(title, { ko: text, en: text }, { minProperties: 1, ...options })
}

const Name = perLanguage('ActionTypeName', 60, { description: "The action type's name, in one language or both." })
const Sentence = perLanguage('ActionTypeSentence', 300, {
  description:
    "The headline of a decision. A JSON Pointer in braces, such as `{/payment/amount}`, is replaced with that value from `action.input`; a missing value is shown as a marked gap. Braces can't be used for anything else.",
  examples: [{ ko: '{/to}에게 {/amount}원 환불', en: 'Refund {/amount} dollars to {/to}' }],
})
const Labels = Type.Record(
  Type.String(),
  perLanguage('ActionTypeLabel', 60, { description: "The value's label, in one language or both." }),
  {
    title: 'ActionTypeLabels',
    maxProperties: 100,
    propertyNames: Type.String({ maxLength: 200, pattern: '^(/([^~/]|~[01])*)+$' }),
    description: 'Labels for the values in `action.input`. Each key is a JSON Pointer (RFC 6901) to a value.',
    examples: [{ '/amount': { ko: '금액(원)', en: 'Amount in dollars' } }],
  },
)

const fields = {
  type: Type.String({ description: 'The action type, spelled as it was sent when this version was created.' }),
  version: Type.Integer({
    minimum: 0,
    description:
      "The version number, starting at 1. Version 0 is the vertical's starting template, which applies if the center has no template of its own.",
  }),
  digest: Type.String({
    description: '`sha256:` followed by the SHA-256 of the canonical form of `{type, name, sentence, labels}`.',
  }),
  name: Name,
  sentence: nullable(described(Sentence, 'The headline of a decision. Null if the template has none.')),
  labels: Labels,
}

export const ActionTemplate = named('ActionTemplate', fields, {
  description:
    "The action type's current template. Null if neither the center nor its vertical has one. The digest identifies the template that approvers were shown.",
})

const ActionType = named(
  'ActionType',
  {
    ...fields,
    createdAt: nullable(
      Type.String({ ...DateTime, description: 'When this version was created. Null for a starting template.' }),
    ),
  },
  { description: 'An action type, with the template used to show its decisions.' },
)

const TypeParam = Type.Object({
  type: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'The action type, URL-encoded. Action types are compared after NFKC normalization, ignoring case, spaces and invisible characters.',
    examples: ['refund'],
  }),
})

/** What a center sets, with the type; in a file, nothing else is there. */
export const ActionTypeFields = {
  type: described(TypeParam.properties.type, 'The action type.', 'refund'),
  name: Name,
  sentence: Type.Optional(Sentence),
  labels: Type.Optional(Labels),
}

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
  summary: 'List action types',
  description:
    "Returns the action types that have a template, either the center's own or its vertical's starting template.",
  replies: { 200: Type.Array(ActionType) },
})

export const getActionType = operation({
  ...shared,
  id: 'actionTypes.get',
  method: 'GET',
  path: '/action-types/{type}',
  access: staff,
  store: 'cell',
  summary: 'Retrieve an action type',
  description: "Returns the template that applies now: the center's own template or, if there is none, its vertical's.",
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
  stepUp: { within: 'rules' },
  store: 'sequenced',
  summary: "Set an action type's template",
  description:
    "Sets the action type's name, and the sentence and labels used to show its decisions. Each call creates a new version and adds an entry to the `history` chain that commits to the version. From then on, a decision's headline is built from this sentence and the decision's values, never from the agent's description. Each text must be a single line without control, invisible or text-direction characters. Types that start with `countersign.` are reserved.",
  params: TypeParam,
  body: named(
    'NewActionType',
    { name: Name, sentence: Type.Optional(Sentence), labels: Type.Optional(Labels) },
    {
      description: 'The template to set.',
      examples: [
        {
          name: { ko: '환불', en: 'Refund' },
          sentence: { ko: '주문 {/order}에 {/amount}원 환불', en: 'Refund {/amount} dollars for order {/order}' },
          labels: { '/amount': { ko: '금액(원)', en: 'Amount in dollars' }, '/order': { ko: '주문', en: 'Order' } },
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
  stepUp: { within: 'rules' },
  store: 'sequenced',
  summary: "Delete an action type's template",
  description:
    "Deletes the center's own template. If the center's vertical has a template for the action type, that template applies again.",
  params: TypeParam,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})
