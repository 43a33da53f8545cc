import * as contract from '@countersign/contract/domains.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { Config } from '../../../config/config.ts'
import type { Directory, DirectoryTx } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { addDomain, checkDomain, type InOwner, removeDomain, shownDomain } from './domains.ts'
import { listDomains } from './queries.ts'

interface DomainNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'publicUrl' | 'authUrl'>
  readonly directory: Directory
  readonly txtRecords: TxtRecords
}

export const domainRoutes = ({ authenticate, config, directory, txtRecords }: DomainNeeds): Route[] => {
  const ownHosts = [config.publicUrl, config.authUrl].map((url) => new URL(url).hostname)
  const shownList = async (tx: DirectoryTx) => (await listDomains(tx)).map((row) => shownDomain(row))
  async function remove(tx: DirectoryTx, id: string): Promise<void> {
    const uuid = await removeDomain(tx, id)
    tx.afterCommit(() => authenticate.forget(`domain:${uuid}`))
  }
  return [
    route(contract.addDomain, async ({ tx, body }, reply) =>
      reply(201, await addDomain(tx, body.purpose, body.domain, ownHosts)),
    ),
    route(contract.listDomains, async ({ tx }, reply) => reply(200, await shownList(tx))),
    route(contract.checkDomain, async ({ params, principal, requestId }, reply) => {
      const caller = { requestId, actorId: principal.actorId, centerId: principal.entered.centerId }
      const within: InOwner = (work) => directory.asCenter(caller, work)
      return reply(200, await checkDomain(txtRecords, within, params.id))
    }),
    route(contract.removeDomain, async ({ tx, params }, reply) => {
      await remove(tx, params.id)
      return reply(204, null)
    }),

    route(contract.addPartnerDomain, async ({ tx, body }, reply) =>
      reply(201, await addDomain(tx, 'email', body.domain, ownHosts)),
    ),
    route(contract.listPartnerDomains, async ({ tx }, reply) => reply(200, await shownList(tx))),
    route(contract.checkPartnerDomain, async ({ params, principal, requestId }, reply) => {
      const caller = { requestId, actorId: principal.actorId, centerId: 0 }
      const within: InOwner = (work) => directory.asPartner(caller, principal.partner.id, work)
      return reply(200, await checkDomain(txtRecords, within, params.id))
    }),
    route(contract.removePartnerDomain, async ({ tx, params }, reply) => {
      await remove(tx, params.id)
      return reply(204, null)
    }),
  ]
}
