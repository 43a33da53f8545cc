/** The templates that a center starts with, as answered. Pure. */
import { type Vertical, verticals } from '@countersign/contract/enums.ts'
import { type ActionTemplate, templateText } from '@countersign/proof/action-template.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { startingTemplates } from '../../../verticals/action-types.ts'
import { type ActionType, answered, digestOf } from './action-type.ts'

const startingType = (template: ActionTemplate): ActionType => ({
  ...answered(template),
  version: 0,
  digest: digestOf(templateText(template)),
  createdAt: null,
})

const known = new Map<string, ReadonlyMap<string, ActionType>>(
  verticals.map((vertical: Vertical) => [
    vertical,
    new Map(startingTemplates(vertical).map((each) => [comparableId(each.type), startingType(each)])),
  ]),
)

/** By the type as decisions are compared with it. */
export const startingTypes = (vertical: string): ReadonlyMap<string, ActionType> => known.get(vertical) ?? new Map()
