/** Records that claim to be sealed and have no entry, which a scan of the chain cannot find. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Finding, InCenter } from '../../../integrity/scan.ts'
import { inOneMoment } from '../../../integrity/verify-queries.ts'
import { typedId } from '../../../lib/ids.ts'
import { freezeIdsAfter } from './freeze-queries.ts'
import { keptGroups, keptIdsAfter, keptMembers } from './newest-queries.ts'
import { passkeyIdsAfter } from './passkey-queries.ts'
import * as queries from './stray-queries.ts'

const pageSize = 2000

/** A record without an entry has no index, so the finding gets the first index after the chain. */
export async function findStray(inCenter: InCenter, domain: Domain, length: number): Promise<Finding | null> {
  const claimed = await inCenter((tx) =>
    domain === 'history' ? queries.strayHistory(tx) : queries.strayDpu(tx, domain),
  )
  const reason =
    claimed === null
      ? await reasonFor[domain](inCenter)
      : `a record claims the index ${claimed}, where the chain has no entry`
  return reason === null ? null : { at: length, reason }
}

const reasonFor: Readonly<Record<Domain, (inCenter: InCenter) => Promise<string | null>>> = {
  dpu: async (inCenter) =>
    (await inCenter(queries.dpuElsewhere)) ? "a record claims a chain that doesn't exist" : null,

  async proof(inCenter) {
    const stray = await walk(inCenter, (tx, after) => queries.strayEvent(tx, after, pageSize))
    return stray && `the event ${typedId('decisionEvent', stray)} says that it is sealed and has no entry`
  },

  async history(inCenter) {
    const policy = await walk(inCenter, versionsWithoutEntry('policy'))
    if (policy) return `versions of the policy ${typedId('policy', policy)} have no entry`
    const actionType = await walk(inCenter, versionsWithoutEntry('actionType'))
    if (actionType) return `versions of the action type ${typedId('actionType', actionType)} have no entry`
    const event = await walk(inCenter, executionsWithoutEntry)
    if (event) return `the execution of ${typedId('decisionEvent', event)} has steps without an entry`
    const passkey = await walk(inCenter, idsWithoutEntry('passkey', 'passkey', passkeyIdsAfter))
    if (passkey) return `the passkey ${typedId('passkey', passkey)} has no entry`
    const member = await walk(inCenter, idsWithoutEntry('membership', 'member', keptIdsAfter(keptMembers)))
    if (member) return `the membership ${typedId('membership', member)} has no entry`
    const group = await walk(inCenter, idsWithoutEntry('group', 'group', keptIdsAfter(keptGroups)))
    if (group) return `the group ${typedId('group', group)} has no entry`
    const freeze = await walk(inCenter, idsWithoutEntry('freeze', 'freeze', freezeIdsAfter))
    return freeze && `the stop ${typedId('freeze', freeze)} has no entry`
  },
}

async function walk(
  inCenter: InCenter,
  look: (tx: TenantTx, after: string | null) => Promise<queries.LookedAt>,
): Promise<string | null> {
  for (let after: string | null = null; ; ) {
    const from: string | null = after
    const seen: queries.LookedAt = await inCenter((tx) => look(tx, from))
    if (seen.stray !== null || seen.last === null) return seen.stray
    after = seen.last
  }
}

/** Every entry about such a record has its version, so equal counts mean that no version is without an entry. */
const versionsWithoutEntry =
  (type: queries.VersionedType) =>
  async (tx: TenantTx, after: string | null): Promise<queries.LookedAt> => {
    await inOneMoment(tx)
    const records = await queries.versionedAfter(tx, type, after, pageSize)
    const nameOf = (id: string) => typedId(type, id)
    const entries = await queries.entriesAbout(
      tx,
      type,
      records.map(({ id }) => nameOf(id)),
    )
    const stray = records.find(({ id, versions }) => versions !== (entries.get(nameOf(id)) ?? 0))
    return { last: records.at(-1)?.id ?? null, stray: stray?.id ?? null }
  }

/** Every entry about an execution has its step, so equal counts mean that no step is without an entry. */
async function executionsWithoutEntry(tx: TenantTx, after: string | null): Promise<queries.LookedAt> {
  await inOneMoment(tx)
  const executions = await queries.executionsAfter(tx, after, pageSize)
  const nameOf = (id: string) => typedId('evidence', id)
  const entries = await queries.entriesAbout(
    tx,
    'execution',
    executions.map(({ event_id }) => nameOf(event_id)),
  )
  const stray = executions.find(({ event_id, steps }) => steps !== (entries.get(nameOf(event_id)) ?? 0))
  return { last: executions.at(-1)?.event_id ?? null, stray: stray?.event_id ?? null }
}

/** A passkey with an entry is compared with all entries about it when its chain is read. */
const idsWithoutEntry =
  (
    kind: 'passkey' | 'membership' | 'group' | 'freeze',
    type: 'passkey' | 'member' | 'group' | 'freeze',
    idsAfter: typeof passkeyIdsAfter,
  ) =>
  async (tx: TenantTx, after: string | null): Promise<queries.LookedAt> => {
    await inOneMoment(tx)
    const ids = await idsAfter(tx, after, pageSize)
    const nameOf = (id: string) => typedId(kind, id)
    const entries = await queries.entriesAbout(tx, type, ids.map(nameOf))
    return { last: ids.at(-1) ?? null, stray: ids.find((id) => !entries.has(nameOf(id))) ?? null }
  }
