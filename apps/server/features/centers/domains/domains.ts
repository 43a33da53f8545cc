/** Domains of a center or a partner: add, list, check, remove. The caller's transaction says whose. */

import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SiteProbe } from '../../../lib/site-probe.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { requireDomain } from './domain-name.ts'
import { type Finding, findingOf, judge, recordName, recordValue } from './proof.ts'
import * as queries from './queries.ts'
import { tellOfDomain } from './tell.ts'
import { type Findings, judgeWorking, nextLook, senderStateOf } from './works.ts'

const mostDomains = 20

/** What a check asks. */
export interface Looking {
  readonly txtRecords: TxtRecords
  readonly siteProbe: SiteProbe
  /** What an SPF record has to include; null where no domain but our own may send. */
  readonly mailSpf: string | null
}

export interface Looked {
  readonly proof: Finding
  readonly findings: Findings
}

type ShownBy = Pick<Looking, 'mailSpf'> & { readonly siteProbe: Pick<SiteProbe, 'target'> }

const sinceOf = ({ works_since }: queries.DomainRow) => works_since?.toISOString() ?? null

const siteOf = (row: queries.DomainRow, { siteProbe: { target } }: ShownBy) => ({
  record: { type: 'CNAME' as const, name: row.domain, value: target },
  address: row.found?.site?.address ?? null,
  certificate: row.found?.site?.certificate ?? null,
  worksSince: sinceOf(row),
})

const senderOf = (row: queries.DomainRow, host: string) => ({
  record: { type: 'TXT' as const, name: row.domain, value: `v=spf1 include:${host} ~all` },
  include: `include:${host}`,
  state: row.found?.sender ?? null,
  worksSince: sinceOf(row),
})

export const shownDomain = (row: queries.DomainRow, by: ShownBy, lastCheck: Finding | null = null) => ({
  id: typedId('domain', row.id),
  purpose: row.purpose,
  domain: row.domain,
  status: row.proven_at === null ? ('pending' as const) : ('proven' as const),
  record: { type: 'TXT' as const, name: recordName(row.domain), value: recordValue(row.token) },
  createdAt: row.created_at.toISOString(),
  provenAt: row.proven_at?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  lastCheck,
  site: row.purpose === 'site' ? siteOf(row, by) : null,
  sender: row.purpose === 'email' && by.mailSpf !== null ? senderOf(row, by.mailSpf) : null,
})

const unknownDomain = () =>
  new Problem('NOT_FOUND', 'You have no domain with this ID. List your domains to find the ID.')

type Changed = Pick<queries.DomainRow, 'id' | 'partner_id' | 'domain' | 'purpose'>

/** An entry about a partner names the partner, who reads it by that. */
const change = (action: AuditAction<'settings.updated'>, { id, partner_id, domain, purpose }: Changed) => {
  const domainId = typedId('domain', id)
  const target = partner_id === null ? { type: 'domain', id: domainId } : { type: 'partner', id: partner_id }
  return { type: 'settings.updated', action, target, details: { domainId, domain, purpose } } as const
}

interface New {
  readonly purpose: 'email' | 'site'
  readonly name: string
  readonly ownHosts: readonly string[]
}

export async function addDomain(tx: DirectoryTx, { purpose, name, ownHosts }: New, by: ShownBy) {
  const domain = requireDomain(name)
  if (purpose === 'site' && ownHosts.includes(domain)) {
    throw new Problem('VALIDATION_ERROR', 'This domain belongs to the service itself. Send a domain of your own.', {
      details: { reason: 'servicesDomain', field: 'domain' },
    })
  }
  if ((await queries.countDomains(tx)) >= mostDomains) {
    throw new Problem('CONFLICT', `You already have ${mostDomains} domains, the maximum. Remove one first.`, {
      details: { reason: 'maxDomains' },
    })
  }
  const token = randomBytes(24).toString('base64url')
  const row = await queries.insertDomain(tx, { id: newUuid(), purpose, domain, token })
  if (!row)
    throw new Problem('CONFLICT', 'This domain has already been added. List the domains to see its DNS record.', {
      details: { reason: 'domainAdded', field: 'domain' },
    })
  await audit(tx, change('domain.added', row))
  return shownDomain(row, by)
}

export async function removeDomain(tx: DirectoryTx, id: string): Promise<string> {
  const uuid = uuidOf('domain', id)
  const removed = uuid === null ? undefined : await queries.deleteDomain(tx, uuid)
  if (uuid === null || !removed) throw unknownDomain()
  await audit(tx, change('domain.removed', removed))
  return uuid
}

export type InOwner = <T>(work: (tx: DirectoryTx) => Promise<T>) => Promise<T>

/** Asks the internet: outside of any transaction, so that a slow name server holds no connection. */
export async function look(row: queries.DomainRow, { txtRecords, siteProbe, mailSpf }: Looking): Promise<Looked> {
  const [proof, site, spf] = await Promise.all([
    txtRecords.at(recordName(row.domain)),
    row.purpose === 'site' ? siteProbe.at(row.domain) : undefined,
    row.purpose === 'email' && mailSpf !== null ? txtRecords.at(row.domain) : undefined,
  ])
  const sender = spf && mailSpf !== null ? senderStateOf(spf, mailSpf) : undefined
  return { proof: findingOf(proof, row.token), findings: { ...(site && { site }), ...(sender && { sender }) } }
}

export async function checkDomain(looking: Looking, within: InOwner, id: string) {
  const uuid = uuidOf('domain', id)
  const row = uuid === null ? undefined : await within((tx) => queries.findDomain(tx, uuid))
  if (!row) throw unknownDomain()
  const looked = await look(row, looking)
  const judged = await within((tx) => recordLooked(tx, row.id, looked))
  if (!judged) throw unknownDomain()
  return shownDomain(judged, looking, looked.proof)
}

/** Undefined where the domain was removed meanwhile. */
export async function recordLooked(
  tx: DirectoryTx | IdentityTx,
  id: string,
  { proof, findings }: Looked,
): Promise<queries.DomainRow | undefined> {
  const row = await queries.lockDomain(tx, id)
  if (!row) return undefined
  const at = now()
  const proven = judge(row, proof, at)
  const { change: changed, ...working } = judgeWorking({ ...row, proven_at: proven.proven_at }, findings, at)
  const { proven_at, next_check_at: usual } = proven
  const looksAgain = row.purpose === 'site' || findings.sender !== undefined
  const next_check_at =
    proven_at !== null && usual !== null && looksAgain ? nextLook(working, proven_at, usual, at) : usual
  const judged = { ...proven, ...working, next_check_at, found: findings }
  try {
    await queries.storeProof(tx, id, judged)
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'domains_proven_site') throw error
    throw new Problem(
      'CONFLICT',
      'Another center uses this domain. That center must remove the domain or its DNS record first.',
      { details: { reason: 'domainTaken', field: 'domain' } },
    )
  }
  if ((row.proven_at === null) !== (proven_at === null)) {
    const action = proven_at === null ? 'domain.lapsed' : 'domain.proven'
    await audit(tx, { ...change(action, row), centerId: row.center_id ?? 0 })
  }
  await tellOfDomain(tx, { ...row, ...judged }, changed)
  return { ...row, ...judged }
}
