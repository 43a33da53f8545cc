/**
 * A raise of the level that a passkey signs: the statement, judged like the raise itself, so that nobody signs what would be
 * refused, and what the batch of the raise requires of it.
 */

import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import type { RaiseStatement } from '@countersign/proof/passkey.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import type { ChallengeRow, DpuRow } from '../../../governance/rows.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { newActionSalt, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import {
  challengeRows,
  keepChallenge,
  requireChallenge,
  requireKey,
  requirePolicies,
  type Signed,
} from '../../identity/passkeys/api.ts'
import { lastHash, unknownDpu } from './api.ts'
import { type Changing, judgeChange } from './judge-change.ts'
import { dpuRows, needDpu } from './stored.ts'

export type SignedRaise = Signed<RaiseStatement>

interface AskedRaise {
  readonly evidenceLevel: EvidenceLevel
  /** Whether a passkey of the member counts in this center. */
  readonly hasKey: boolean
  readonly rpId: string
  /** The log `history` of the center. */
  readonly log: string
}

export const raiseChallengeItem = (
  dpuId: string,
  { evidenceLevel, hasKey, rpId, log }: AskedRaise,
  changing: Changing,
): Pick<SealItem<ChallengeRow & { readonly statement: RaiseStatement }>, 'holds' | 'judge'> => ({
  holds: { chains: [], rows: [needDpu(dpuId), needPolicies] },
  judge(batch) {
    const dpu = batch.rows(dpuRows).find(dpuId)
    if (!dpu) throw unknownDpu()
    const policies = judgeChange(batch, dpu, { evidenceLevel }, changing, 'passkey')
    const { actorId } = changing.person
    const statement: RaiseStatement = {
      type: 'countersign-raise-v1',
      log,
      dpuId: typedId('dpu', dpu.id),
      evidenceLevel,
      previous: lastHash(dpu),
      approverId: actorId,
      policies: named(policies),
      rpId,
      nonce: newActionSalt(),
      issuedAt: batch.at,
    }
    const about = { center_id: dpu.center_id, event_id: null, dpu_id: dpu.id, actor_id: actorId, reason_salt: null }
    return keepChallenge(batch, hasKey, { ...about, statement })
  },
})

/** What the entry commits to. The first write of the batch, after everything that can be refused. */
export function spendChallenge(
  batch: Batch,
  dpu: DpuRow,
  signed: SignedRaise,
  evidenceLevel: string | undefined,
  policies: readonly Applied[],
): Json {
  const { statement } = signed
  const row = requireChallenge(batch, signed, ({ dpu_id }) => dpu_id === dpu.id)
  if (statement.evidenceLevel !== evidenceLevel) {
    throw new Problem('CONFLICT', 'Your passkey signed a different evidence level. Get a new challenge and sign it.', {
      details: { reason: 'otherSigned' },
    })
  }
  if (statement.previous !== lastHash(dpu)) {
    throw new Problem('CONFLICT', 'This record has changed since you signed. Review the record and sign again.', {
      details: { reason: 'changed' },
    })
  }
  requirePolicies(statement, policies)
  const passkey = { ...requireKey(batch, signed), statement }
  batch.rows(challengeRows).update(row)
  return passkey as unknown as Json
}
