/**
 * Policies that a center got from its partner. The directory keeps them with the center from its creation; the cell has
 * them as first versions before it judges the first decision. Whoever reads the policies of a center calls `ensure` first,
 * and `policiesInForce` refuses to judge without them: a crash before they are written only delays them.
 */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { Directory } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type Inheriting, needPolicies } from './api.ts'
import { addVersion } from './policy.ts'
import { readInherited } from './queries.ts'
import { policyRows } from './sealed-rows.ts'

/** Seals with `plain`, and writes inherited policies before the first item that reads policies. */
export function inheriting(plain: Sequencer, directory: Directory): Inheriting {
  /** Centers whose policies this process has found or written; the promise is shared while it works. */
  const written = new Map<number, Promise<void> | null>()

  async function write(center: CenterProfile): Promise<void> {
    const { centerId } = center
    const reader = { requestId: 'inherited-policies', actorId: null, centerId }
    const { by, policies } = await directory.identity(reader, (tx) => readInherited(tx, centerId), 'read')
    const caller = { ...reader, actorId: by }
    await plain.seal({
      center,
      caller,
      holds: { chains: ['history', 'proof'], rows: [needPolicies] },
      bytes: policies.reduce((sum, { policy }) => sum + Buffer.byteLength(policy), 0),
      judge(batch) {
        for (const { id, policy } of policies) {
          if (batch.rows(policyRows).find(id)) continue
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

  return {
    ensure,
    async seal(item, claim) {
      const reads = item.holds.rows?.some(({ kind }) => kind === needPolicies.kind)
      if (!reads || item.center.inherited === null) return plain.seal(item, claim)
      await ensure(item.center)
      try {
        return await plain.seal(item, claim)
      } catch (error) {
        // The cell was restored to a state before the policies: the next attempt writes them again.
        if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') written.delete(item.center.centerId)
        throw error
      }
    },
    locked: () => plain.locked(),
  }
}
