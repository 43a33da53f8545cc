/** Domains of a center or a partner: add, list, check, remove. The caller's transaction says whose. */
import { randomBytes } from 'node:crypto'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { requireDomain } from './domain-name.ts'
import { type Finding, findingOf, judge, recordName, recordValue } from './proof.ts'
import * as queries from './queries.ts'

const mostDomains = 20

export const shownDomain = (row: queries.DomainRow, lastCheck: Finding | null = null) => ({
  id: typedId('domain', row.id),
  purpose: row.purpose,
  domain: row.domain,
  status: row.proven_at === null ? ('pending' as const) : ('proven' as const),
  record: { type: 'TXT' as const, name: recordName(row.domain), value: recordValue(row.token) },
  createdAt: row.created_at.toISOString(),
  provenAt: row.proven_at?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  lastCheck,
})

const unknownDomain = () =>
  new Problem('NOT_FOUND', 'You have no domain with this ID. List your domains to find the ID.')

type Changed = Pick<queries.DomainRow, 'id' | 'partner_id' | 'domain' | 'purpose'>

/** An entry about a partner names the partner, who reads it by that. */
const change = (action: string, { id, partner_id, domain, purpose }: Changed) => {
  const domainId = typedId('domain', id)
  const target = partner_id === null ? { type: 'domain', id: domainId } : { type: 'partner', id: partner_id }
  return { type: 'settings.updated', action, target, details: { domainId, domain, purpose } } as const
}

export async function addDomain(tx: DirectoryTx, purpose: 'email' | 'site', name: string, ownHosts: readonly string[]) {
  const domain = requireDomain(name)
  if (purpose === 'site' && ownHosts.includes(domain)) {
    throw new Problem('VALIDATION_ERROR', 'This domain belongs to the service itself. Send a domain of your own.')
  }
  if ((await queries.countDomains(tx)) >= mostDomains) {
    throw new Problem('CONFLICT', `You already have ${mostDomains} domains, the maximum. Remove one first.`)
  }
  const token = randomBytes(24).toString('base64url')
  const row = await queries.insertDomain(tx, { id: newUuid(), purpose, domain, token })
  if (!row) throw new Problem('CONFLICT', 'This domain has already been added. List the domains to see its DNS record.')
  await audit(tx, change('domain.added', row))
  return shownDomain(row)
}

export async function removeDomain(tx: DirectoryTx, id: string): Promise<string> {
  const uuid = uuidOf('domain', id)
  const removed = uuid === null ? undefined : await queries.deleteDomain(tx, uuid)
  if (uuid === null || !removed) throw unknownDomain()
  await audit(tx, change('domain.removed', removed))
  return uuid
}

export type InOwner = <T>(work: (tx: DirectoryTx) => Promise<T>) => Promise<T>

/** Asks the name servers between two transactions, so that a slow one holds no connection. */
export async function checkDomain(records: TxtRecords, within: InOwner, id: string) {
  const uuid = uuidOf('domain', id)
  const row = uuid === null ? undefined : await within((tx) => queries.findDomain(tx, uuid))
  if (!row) throw unknownDomain()
  const finding = findingOf(await records.at(recordName(row.domain)), row.token)
  const judged = await within((tx) => recordFinding(tx, row.id, finding))
  if (!judged) throw unknownDomain()
  return shownDomain(judged, finding)
}

/** Undefined where the domain was removed meanwhile. */
export async function recordFinding(
  tx: DirectoryTx | IdentityTx,
  id: string,
  finding: Finding,
): Promise<queries.DomainRow | undefined> {
  const row = await queries.lockDomain(tx, id)
  if (!row) return undefined
  const judged = judge(row, finding, now())
  try {
    await queries.storeProof(tx, id, judged)
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'domains_proven_site') throw error
    throw new Problem(
      'CONFLICT',
      'Another center uses this domain. That center must remove the domain or its DNS record first.',
    )
  }
  if ((row.proven_at === null) !== (judged.proven_at === null)) {
    const action = judged.proven_at === null ? 'domain.lapsed' : 'domain.proven'
    await audit(tx, { ...change(action, row), centerId: row.center_id ?? 0 })
  }
  return { ...row, ...judged }
}
