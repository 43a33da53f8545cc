/** The cancellation of an execution by a person. */
import type { KnownCenter } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Caller } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { type Catalogue, nameIn, workflowUuid } from './catalogue.ts'
import type { Ending } from './end.ts'
import { outcomeDraft } from './outcome.ts'
import type { ExecutionRow } from './queries.ts'

interface Canceling {
  readonly center: KnownCenter
  readonly caller: Caller
  readonly person: Pick<MemberPrincipal, 'actorId' | 'name'> & { readonly entered: { readonly role: string } }
  readonly catalogue: Catalogue
}

/** An execution of a workflow that is no longer defined can be canceled too: its key is used as its name. */
export function cancellation(execution: ExecutionRow, { center, caller, person, catalogue }: Canceling): Ending {
  const { workflow_key: key, started_at: startedAt } = execution
  const definition = catalogue.byKey(key)?.definition
  const name = definition ? nameIn(definition, center) : key
  const by = { id: person.actorId, name: person.name, role: person.entered.role }
  return {
    execution,
    workflow: { id: typedId('workflow', workflowUuid(key)), name: definition?.name ?? key },
    center,
    caller,
    status: 'CANCELED',
    draft: (endedAt) => outcomeDraft(center, { name, startedAt, endedAt }, { status: 'CANCELED', by }),
  }
}
