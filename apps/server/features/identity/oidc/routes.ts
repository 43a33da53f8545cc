import * as contract from '@countersign/contract/oidc.ts'
import * as providerContract from '@countersign/contract/sign-in-providers.ts'
import type { Logger } from 'pino'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { MemberPrincipal, PartnerPrincipal } from '../../../access/principal.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import type { OutboundFetch } from '../../../lib/outbound-fetch.ts'
import { listAccounts, unlinkAccount } from './accounts.ts'
import { oidcClient } from './client.ts'
import { confirmLink, type LinkNeeds, linkAccount, mailLink } from './link.ts'
import { listProviders } from './provider-queries.ts'
import {
  addProvider,
  changeProvider,
  knownProvider,
  ownProvider,
  redirectUri,
  removeProvider,
  shownProvider,
} from './providers.ts'
import { finishLogin, signInOptions, startLogin } from './sign-in.ts'

interface OidcNeeds extends Omit<LinkNeeds, 'oidc'> {
  readonly authenticate: Authenticator
  readonly directory: Directory
  readonly log: Logger
  readonly outboundFetch: OutboundFetch
}

export const oidcRoutes = (given: OidcNeeds): Route[] => {
  const needs: LinkNeeds = { ...given, oidc: oidcClient(given.outboundFetch, given.log) }
  return [...signInRoutes(needs, given.authenticate), ...providerRoutes(needs, given)]
}

const signInRoutes = (needs: LinkNeeds, authenticate: Authenticator): Route[] => [
  route(contract.listSignInOptions, async (context, reply) => reply(200, await signInOptions(needs, context))),

  route(contract.startOidcLogin, async (context, reply) => {
    const { payload, cookies } = await startLogin(needs, context)
    return reply(200, payload, cookies)
  }),

  route(contract.finishOidcLogin, async (context, reply) => {
    const result = await finishLogin(needs, context)
    return result.status === 200
      ? reply(200, result.payload, result.cookies)
      : reply(202, result.payload, result.cookies)
  }),

  route(contract.linkOidcAccount, async (context, reply) => reply(201, await linkAccount(needs, context))),

  route(contract.listOidcAccounts, async (context, reply) => reply(200, await listAccounts(context))),

  route(contract.unlinkOidcAccount, async (context, reply) => {
    await unlinkAccount(authenticate, context)
    return reply(204, null)
  }),

  route(contract.mailOidcLink, async (context, reply) => {
    await mailLink(needs, context)
    return reply(202, { accepted: true })
  }),

  route(contract.confirmOidcLink, async (context, reply) => {
    const { payload, cookies } = await confirmLink(needs, context)
    return reply(200, payload, cookies)
  }),
]

const providerRoutes = (
  needs: LinkNeeds,
  { authenticate, directory }: Pick<OidcNeeds, 'authenticate' | 'directory'>,
): Route[] => [
  route(providerContract.addSignInProvider, async ({ tx, body }, reply) =>
    reply(201, shownProvider(needs, await addProvider(tx, needs, body))),
  ),
  route(providerContract.listSignInProviders, async ({ tx }, reply) =>
    reply(
      200,
      (await listProviders(tx)).map((row) => shownProvider(needs, row)),
    ),
  ),
  route(providerContract.changeSignInProvider, async ({ tx, params, body }, reply) =>
    reply(200, shownProvider(needs, await changeProvider(tx, needs, params.id, body))),
  ),
  route(providerContract.checkSignInProvider, async ({ params, principal, requestId }, reply) => {
    const caller = { requestId, actorId: principal.actorId, centerId: 0 }
    const row = await ('center' in params
      ? directory.asCenter({ ...caller, centerId: (principal as MemberPrincipal).entered.centerId }, (tx) =>
          ownProvider(tx, params.id),
        )
      : directory.asPartner(caller, (principal as PartnerPrincipal).partner.id, (tx) => ownProvider(tx, params.id)))
    const problem = await needs.oidc.check(knownProvider(needs, row))
    return reply(200, { works: problem === null, problem, redirectUri: redirectUri(needs.config, row.id) })
  }),
  route(providerContract.removeSignInProvider, async ({ tx, params }, reply) => {
    const uuid = await removeProvider(tx, params.id)
    tx.afterCommit(() => authenticate.forget(`provider:${uuid}`))
    return reply(204, null)
  }),
]
