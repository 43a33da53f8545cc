/** Names and needs of one decision. Pure. */
import { shown } from '@countersign/proof/shown.ts'
import type { Decision, GivenApproval } from '@countersign/sdk'

interface Named {
  readonly actor: { readonly name?: string; readonly id: string; readonly type: string }
}
interface Acting {
  readonly action: { readonly type: string; readonly description?: string | null }
}

/** In its lines. A character that hides or moves its neighbors is written as an escape. */
export const visible = (text: string): string => text.split(/\r?\n/).map(shown).join('\n')

export const actorName = ({ actor }: Named): string => visible(actor.name || actor.id || actor.type)
export const whatOf = ({ action }: Acting): string => visible(action.description || action.type)
export const nameOf = ({ approver, identity }: GivenApproval): string =>
  visible(approver.name || approver.id || identity.by)

export const dpuIdOf = ({ evidence }: Decision): string => evidence.id.replace(/^[a-z]+_/, 'dpu_')
export const asksForPasskey = ({ waiting }: Decision, emergency?: true): boolean =>
  emergency
    ? waiting?.emergency?.identity === 'passkey'
    : (waiting?.rules.some(({ identity }) => identity === 'passkey') ?? false)

/** Whether the place in which this person confirms an emergency approval asks for a passkey. */
export const confirmsWithPasskey = ({ lines }: Decision, actorId: string): boolean =>
  lines
    .filter(({ emergency }) => emergency !== null)
    .flatMap(({ steps }) => steps.filter(({ current }) => current))
    .filter(({ people, peopleCount }) => people.some((each) => each.actorId === actorId) || peopleCount > people.length)
    .some(({ identity }) => identity === 'passkey')
export const asksForTwo = ({ waiting }: Decision): boolean => waiting?.reasons.includes('dualApproval') ?? false
