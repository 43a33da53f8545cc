/**
 * Rules that a center has from others. Those of its partner are kept with the center in the directory from its creation, and
 * the cell has them as first versions before it judges the first decision; shared ones are entered in the history of the center
 * before the first decision is judged by them, and so are the operator's stops for all centers. `policiesInForce` refuses to judge without them: a crash before they are
 * written only delays them.
 */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { historyStatic, policyState } from '@countersign/proof/history-entry.ts'
import type { Logger } from 'pino'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Applied } from '../../../governance/policies.ts'
import {
  type EnteredPolicy,
  headOf,
  needPolicies,
  noteRules,
  policyRule,
  RulesAltered,
  RulesBehind,
  sharedNow,
  standingRules,
} from '../../../governance/rules.ts'
import { raiseAlarm } from '../../../integrity/alarm.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { needWebhooks } from '../../automation/webhooks/api.ts'
import { enterFreezes } from '../freezes/api.ts'
import { holds } from './changing.ts'
import { copyFirst, copyHolds } from './copied.ts'
import type { Inheriting } from './inheritance.ts'
import { addVersion } from './policy.ts'
import { readInherited } from './queries.ts'

const maxEntered = 3

interface InheritingNeeds {
  readonly cells: Cells
  readonly directory: Directory
  readonly log: Logger
}

/** Wraps the sequencer `plain` so that inherited policies are written before the first item that is judged by them. */
export function inheriting(plain: Sequencer, { cells, directory, log }: InheritingNeeds): Inheriting {
  /** Centers whose policies this process has found or written; the promise is shared while it works. */
  const written = new Map<number, Promise<void> | null>()

  async function write(center: CenterProfile): Promise<void> {
    const { centerId } = center
    const reader = { requestId: 'inherited-policies', actorId: null, centerId }
    const { by, policies, copied } = await directory.identity(reader, (tx) => readInherited(tx, centerId), 'read')
    const caller = { ...reader, actorId: by }
    const bytes = Buffer.byteLength(JSON.stringify({ policies, copied }))
    if (copied) {
      const item = {
        holds: copyHolds,
        judge: (batch: Batch) => copyFirst(batch, { center, caller }, { policies, ...copied }),
      }
      await plain.seal({ ...item, center, caller, bytes })
      return
    }
    await plain.seal({
      center,
      caller,
      holds,
      bytes,
      judge(batch) {
        for (const { id, policy } of policies) {
          if (policyRule(batch, id)) continue
          addVersion(batch, { center, caller, action: 'created' }, id, 1, JSON.parse(policy) as PolicyBody)
        }
      },
    })
  }

  function ensure(center: CenterProfile): Promise<void> | undefined {
    const { centerId, inherited } = center
    if (inherited === null) return undefined
    const known = written.get(centerId)
    if (known !== undefined) return known ?? undefined
    const writing = write(center).then(
      () => void written.set(centerId, null),
      (error: unknown) => {
        written.delete(centerId)
        throw error
      },
    )
    written.set(centerId, writing)
    return writing
  }

  const enter = (center: CenterProfile) => {
    const caller = { requestId: 'shared-policies', actorId: 'countersign', centerId: center.centerId }
    return plain.seal({
      center,
      caller,
      holds: { ...holds, rows: [...holds.rows, needWebhooks] },
      judge(batch) {
        enterShared(batch, center)
        enterFreezes(batch, center, caller)
      },
    })
  }

  /** A decision must not be judged by what somebody made of the policies in the database. */
  const alarm = (center: CenterProfile, { at, reason }: RulesAltered) =>
    cells
      .of(center.cell)
      .inTenantJob(center.centerId, 'sequencer', (tx) => raiseAlarm(tx, log, 'chain', 'history', { at, reason }))
      .catch((error: unknown) => log.error({ err: error, centerId: center.centerId }, 'an alarm could not be raised'))

  return {
    ensure,
    async seal(item, claim) {
      const { center } = item
      if (!item.holds.rows?.some(({ kind }) => kind === needPolicies.kind)) return plain.seal(item, claim)
      if (center.inherited !== null) await ensure(center)
      for (let entered = 0; ; entered++) {
        try {
          return await plain.seal(item, claim)
        } catch (error) {
          if (error instanceof RulesBehind && entered < maxEntered) {
            await enter(center)
            continue
          }
          if (error instanceof RulesAltered) await alarm(center, error)
          // The cell was restored to a state before the policies: the next attempt writes them again.
          if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') written.delete(center.centerId)
          throw error
        }
      }
    },
    locked: () => plain.locked(),
  }
}

/** Enters every shared version that reaches the center and is not entered yet, and the end of those that no longer do. */
function enterShared(batch: Batch, center: CenterProfile): void {
  const standing = standingRules(batch, center)
  const now = sharedNow(standing)
  const before = headOf(batch)?.shared ?? []
  const entered: EnteredPolicy[] = []
  let index = batch.size('history') - 1
  const add = (id: string, version: number, values: { readonly policy?: Applied['body']; readonly digest: string }) => {
    const known = before.find((each) => each.id === id)
    const action = values.policy === undefined ? 'deleted' : known ? 'updated' : 'created'
    const entryId = newUuid()
    const disclosed = { ...values, version, action, shared: true, by: { id: 'countersign' } }
    const prepared = historyStatic(
      {
        id: typedId('history', entryId),
        type: 'policy',
        target: id,
        previous: known?.hash ?? null,
        values: disclosed as never,
      },
      (commitments) => policyState((commitments.policy ?? commitments.digest) as string),
      newSalt,
    )
    const entry = batch.appendHistory(entryId, prepared, disclosed)
    index = entry.index
    return entry.hash
  }
  for (const { id, version, digest, body } of now) {
    const known = before.find((each) => each.id === id && each.version === version && !each.ended)
    entered.push(known ?? { id, version, digest, hash: add(id, version, { policy: body, digest }) })
  }
  for (const each of before.filter(({ id }) => !now.some((one) => one.id === id))) {
    const { id, version, digest, ended } = each
    entered.push(ended ? each : { id, version, digest, hash: add(id, version, { digest }), ended: true })
  }
  noteRules(batch, center, { index: Math.max(index, 0), shared: entered })
}
