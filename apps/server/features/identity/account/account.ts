/** One's own name and language. */
import type * as contract from '@countersign/contract/account.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import * as queries from './queries.ts'

export interface AccountNeeds {
  readonly authenticate: Authenticator
}

/** Whatever was sealed before keeps the name of then: a seal holds the text. */
export async function changeAccount(
  { authenticate }: AccountNeeds,
  { body, principal, identity }: Context<typeof contract.updateMe.spec>,
): Promise<void> {
  const { actorId } = principal
  const name = body.name?.trim()
  if (name === undefined && body.language === undefined) {
    throw new Problem('VALIDATION_ERROR', 'There is nothing to change. Send "name", "language" or both.', {
      details: { reason: 'nothingChanged' },
    })
  }
  const renamed = await identity(async (tx) => {
    const { name: before, language: spoken } = await queries.lockAccount(tx, actorId)
    const language = body.language ?? spoken
    const fields = [
      { field: 'name', old: before, new: name ?? before },
      { field: 'language', old: spoken, new: language },
    ]
    const changes = fields.filter((each) => each.old !== each.new)
    if (changes.length > 0) {
      await queries.setAccount(tx, actorId, { name: name ?? before, ...(language !== null && { language }) })
      await audit(tx, {
        ...{ type: 'settings.updated', action: 'account.changed', changes },
        ...{ target: { type: 'actor', id: actorId }, actorId, centerId: principal.entered?.centerId ?? 0 },
      })
    }
    return name === undefined ? [] : rename(tx, actorId, name)
  })
  authenticate.forget(`actor:${actorId}`, ...renamed.map(({ center_id: id }) => `center:${id}`))
}

/** Each center reads in its own audit who was called otherwise before. */
async function rename(tx: IdentityTx, actorId: string, name: string): Promise<readonly queries.RenamedRow[]> {
  const renamed = await queries.renameInCenters(tx, actorId, name)
  await audit(
    tx,
    ...renamed.map(({ id, center_id: centerId, old }) => ({
      ...{ type: 'membership.transitioned' as const, action: 'renamed' as const, actorId, centerId },
      target: { type: 'membership', id: typedId('membership', id) },
      changes: [{ field: 'name', old, new: name }],
    })),
  )
  return renamed
}
