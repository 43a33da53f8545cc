import * as contract from '@countersign/contract/domains.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { MemberPrincipal, PartnerPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import type { SiteProbe } from '../../../lib/site-probe.ts'
import type { TxtRecords } from '../../../lib/txt-records.ts'
import { addDomain, checkDomain, type InOwner, type Looking, removeDomain, shownDomain } from './domains.ts'
import { listDomains } from './queries.ts'

interface DomainNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'publicUrl' | 'authUrl' | 'siteTarget' | 'mailSpf'>
  readonly directory: Directory
  readonly txtRecords: TxtRecords
  readonly siteProbe: SiteProbe
}

export const domainRoutes = ({ authenticate, config, directory, txtRecords, siteProbe }: DomainNeeds): Route[] => {
  const ownHosts = [...[config.publicUrl, config.authUrl].map((url) => new URL(url).hostname), config.siteTarget]
  const looking: Looking = { txtRecords, siteProbe, mailSpf: config.mailSpf }
  return [
    route(contract.addDomain, async ({ tx, body }, reply) => {
      const purpose = 'purpose' in body ? body.purpose : 'email'
      return reply(201, await addDomain(tx, { purpose, name: body.domain, ownHosts }, looking))
    }),
    route(contract.listDomains, async ({ tx }, reply) =>
      reply(
        200,
        (await listDomains(tx)).map((row) => shownDomain(row, looking)),
      ),
    ),
    route(contract.checkDomain, async ({ params, principal, requestId }, reply) => {
      const caller = { requestId, actorId: principal.actorId, centerId: 0 }
      const within: InOwner = (work) => {
        if (!('center' in params)) return directory.asPartner(caller, (principal as PartnerPrincipal).partner.id, work)
        const { centerId } = (principal as MemberPrincipal).entered
        return directory.asCenter({ ...caller, centerId }, work)
      }
      return reply(200, await checkDomain(looking, within, params.id))
    }),
    route(contract.removeDomain, async ({ tx, params }, reply) => {
      const uuid = await removeDomain(tx, params.id)
      tx.afterCommit(() => authenticate.forget(`domain:${uuid}`))
      return reply(204, null)
    }),
  ]
}
