/** The operator's commands: each calls one function of the server and returns a sentence about the result. */

import {
  type CenterStatus,
  type SubscriptionStatus,
  subscriptionStatuses,
  type Vertical,
  verticals,
} from '@countersign/contract/enums.ts'
import { isCountry, isRegion } from '@countersign/contract/places.ts'
import { centerPlanIds } from '@countersign/contract/promises.ts'
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { OperatorTx } from '../data/directory.ts'
import { moveCenter, type Place, relocateCenter, requireCenter } from '../features/centers/centers/api.ts'
import { createProgram } from '../features/centers/provisioning/api.ts'
import { createSandbox, requireAdmin, resetSandbox } from '../features/centers/sandboxes/api.ts'
import { changePlan, moveSubscription } from '../features/centers/subscription/api.ts'
import { putSharedPolicy, withdrawSharedPolicy } from '../features/evidence/policies/api.ts'
import { endAllSessions, setOperator } from '../features/identity/auth/api.ts'
import { clearBroken } from '../integrity/alarm.ts'
import type { Services } from '../services.ts'
import { acceptCommand } from './accept-database.ts'
import { cellCommand } from './cells.ts'
import { confirmMemberCommand, confirmPasskeyCommand, requireAccount } from './confirm.ts'
import { declareCommand } from './declare-loss.ts'
import { deleteCommand } from './delete-center.ts'
import { logKeyCommand } from './log-key-command.ts'
import { readPolicy } from './policy-file.ts'
import { type Command, UsageError } from './shell.ts'

function oneOf<T extends string>(what: string, values: readonly T[], given: string): T {
  const value = values.find((each) => each.toLowerCase() === given.toLowerCase())
  if (!value) throw new UsageError(`${what} is one of ${values.join(', ')}, not "${given}".`)
  return value
}

const centerCommand = (does: string, to: CenterStatus, now: string): Command => ({
  takes: 'CENTER',
  does,
  run: ({ asOperator }, name = '') =>
    asOperator(async (tx) => {
      const center = await requireCenter(tx, name)
      const from = await moveCenter(tx, center.id, to)
      return `${center.name} (${center.domain}, id ${center.id}) was ${from} and is ${to} now: ${now}`
    }),
})

/** Both commands name an ADMIN, to whom the new sandbox belongs. */
const sandboxCommand = (
  does: string,
  make: (services: Services, tx: OperatorTx, centerId: number, actorId: string) => Promise<string>,
): Command => ({
  takes: 'CENTER EMAIL',
  does,
  run: ({ services, asOperator }, name = '', login = '') =>
    asOperator(async (tx) => {
      const center = await requireCenter(tx, name)
      const actorId = await requireAccount(tx, login)
      await requireAdmin(tx, center.id, actorId)
      const made = await make(services, tx, center.id, actorId)
      return `${center.name} (${center.domain}, id ${center.id}) has ${made}. ${login} is its ADMIN and creates its API keys, which begin with csk_test_.`
    }),
})

const placeText = ({ country, region }: Place): string => region ?? country

const operatorCommand = (does: string, isOperator: boolean): Command => ({
  takes: 'EMAIL',
  does,
  run: ({ asOperator }, login = '') =>
    asOperator(async (tx) => {
      const changed = await setOperator(tx, await requireAccount(tx, login), isOperator)
      const role = isOperator ? 'a platform operator' : 'not a platform operator'
      return changed
        ? `${login} is now ${role}, in all sessions.`
        : `${login} was ${role} already; nothing was changed.`
    }),
})

export const commands: Readonly<Record<string, Command>> = {
  'make-operator': operatorCommand('allow an account to use /admin and to create centers for others', true),
  'remove-operator': operatorCommand('revoke the rights of an operator', false),

  'move-subscription': {
    takes: 'CENTER STATUS',
    does: `change the status of a subscription: ${subscriptionStatuses.join(', ')}`,
    run({ asOperator }, name = '', status = '') {
      const to: SubscriptionStatus = oneOf('STATUS', subscriptionStatuses, status)
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const from = await moveSubscription(tx, center.id, to)
        return `The subscription of ${center.name} (${center.domain}, id ${center.id}) was ${from} and is ${to} now.`
      })
    },
  },

  'change-plan': {
    takes: 'CENTER PLAN',
    does: `change the plan of a subscription: ${centerPlanIds.join(', ')}`,
    run({ asOperator }, name = '', given = '') {
      const planId = oneOf('PLAN', centerPlanIds, given)
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const from = await changePlan(tx, center.id, planId)
        return `${center.name} (${center.domain}, id ${center.id}) had the plan ${from} and has ${planId} now.`
      })
    },
  },

  'suspend-center': centerCommand('close a center to members and API keys', 'SUSPENDED', 'members cannot enter it.'),
  'reinstate-center': centerCommand('reopen a suspended center', 'ACTIVE', 'members can enter it again.'),
  'end-center': centerCommand(
    'end a center permanently',
    'INACTIVE',
    'it has ended permanently; its records are kept.',
  ),

  'delete-center': {
    takes: 'CENTER [--without-export]',
    does: 'close the logs of a center that leaves, and delete its data; it needs a complete export',
    run: deleteCommand,
  },

  'relocate-center': {
    takes: 'CENTER COUNTRY [REGION]',
    does: 'set the country and the region of a center, which decide the policies that apply; without REGION it has none',
    run({ asOperator }, name = '', country = '', region?: string) {
      if (!isCountry(country)) throw new UsageError(`COUNTRY is a code of ISO 3166-1 such as KR, not "${country}".`)
      if (region !== undefined && !isRegion(region)) {
        throw new UsageError(`REGION is a code of ISO 3166-2 such as KR-11, not "${region}".`)
      }
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const { from, to } = await relocateCenter(tx, center.id, { country, region: region ?? null })
        return `${center.name} (${center.domain}, id ${center.id}) was in ${placeText(from)} and is in ${placeText(to)} now.`
      })
    },
  },

  'create-program': {
    takes: 'NAME SUBDOMAIN ADMIN_EMAIL [VERTICAL] [LANGUAGE]',
    does: 'create a tenant of the type PROGRAM; VERTICAL is education by default, LANGUAGE of its mails ko or en (ko)',
    run(
      { services, asOperator },
      programName = '',
      subdomain = '',
      adminEmail = '',
      given = 'education',
      words = 'ko',
    ) {
      const locale = { ko: 'ko-KR', en: 'en' }[oneOf('LANGUAGE', ['ko', 'en'], words)]
      const vertical: Vertical = oneOf('VERTICAL', verticals, given)
      if (!/^[^@\s]+@[^@\s]+$/.test(adminEmail)) throw new UsageError(`"${adminEmail}" is not an email address.`)
      return asOperator(async (tx) => {
        const program = { name: programName, subdomain, vertical, adminEmail, locale }
        const { centerId, invited } = await createProgram(services, tx, program)
        const who = invited
          ? `${adminEmail} is invited by mail as its administrator`
          : `${adminEmail} is its administrator`
        return `${programName} (${subdomain}, id ${centerId}) was created: ${who}.`
      })
    },
  },

  'create-sandbox': sandboxCommand(
    'create the sandbox of a center for one of its ADMINs',
    async (services, tx, ...who) => {
      const id = await createSandbox(services, tx, ...who)
      return `a sandbox with the id ${id}`
    },
  ),
  'reset-sandbox': sandboxCommand(
    'close the sandbox of a center and create a new one',
    async (services, tx, ...who) => {
      const { closed, id } = await resetSandbox(services, tx, ...who)
      return `a new sandbox with the id ${id}, and the one with the id ${closed} is closed`
    },
  ),

  'put-policy': {
    takes: 'FILE',
    does: 'create a policy above centers from a JSON file, or a new version of the policy whose id is in the file',
    async run({ services, asOperator }, file = '') {
      const policy = await readPolicy(file)
      const { id, version, changed } = await asOperator((tx) => putSharedPolicy(tx, policy))
      await services.sharedPolicies.copy()
      return changed
        ? `The policy ${id} is in force in version ${version}, in every cell. To change it, put "id": "${id}" into the file.`
        : `The policy ${id} has this content already, in version ${version}; nothing was changed.`
    },
  },

  'withdraw-policy': {
    takes: 'ID',
    does: 'withdraw a policy above centers; earlier seals still name it',
    async run({ services, asOperator }, given = '') {
      const { id, changed } = await asOperator((tx) => withdrawSharedPolicy(tx, given))
      await services.sharedPolicies.copy()
      return changed ? `The policy ${id} is withdrawn.` : `The policy ${id} was withdrawn already; nothing was changed.`
    },
  },

  'put-cell': cellCommand,
  'clear-chain': {
    takes: 'CENTER DOMAIN',
    does: `allow sealing on a broken chain again, after you have found the cause: ${domains.join(', ')}`,
    async run({ services, caller, asOperator }, name = '', given = '') {
      const domain: Domain = oneOf('DOMAIN', domains, given)
      const center = await asOperator((tx) => requireCenter(tx, name))
      const { cell } = await services.centers.profile(center.id)
      const by = caller.actorId as string
      const cleared = await services.cells.of(cell).inTenantJob(center.id, by, (tx) => clearBroken(tx, domain))
      const chain = `The chain "${domain}" of ${center.name} (${center.domain}, id ${center.id})`
      return cleared
        ? `${chain} accepts seals again. The alarm and its clearing stay in the audit trail.`
        : `${chain} was not marked as broken; nothing was changed.`
    },
  },

  'accept-database': {
    takes: 'CELL [--with-loss] [--new-store] [--unsigned]',
    does: 'compare a promoted or restored database with the fence store, and seal in it if nothing is lost',
    run: acceptCommand,
  },

  'declare-loss': {
    takes: 'CELL [CENTER] --reason TEXT --by NAME [--unsigned]',
    does: 'after a restore with lost entries: close each log that lacks some, and open its next generation with a statement',
    run: declareCommand,
  },

  'confirm-passkey': {
    takes: 'CENTER EMAIL PASSKEY',
    does: 'confirm a passkey of the only ADMIN of a center, after you have made sure that it is theirs',
    run: confirmPasskeyCommand,
  },

  'confirm-member': {
    takes: 'CENTER EMAIL',
    does: 'let the role of a member count for approvals at once, where no other ADMIN can confirm it',
    run: confirmMemberCommand,
  },

  'end-sessions': {
    takes: 'EMAIL',
    does: 'end all sessions of an account, within a second',
    run: ({ services, caller }, login = '') =>
      services.directory.identity(caller, async (tx) => {
        const ended = await endAllSessions(tx, await requireAccount(tx, login), 'operator')
        return ended.length === 0
          ? `${login} had no session; nothing was changed.`
          : `${login} is signed out: ${ended.length} ${ended.length === 1 ? 'session has' : 'sessions have'} ended.`
      }),
  },

  'rotate-signing-key': {
    takes: '[--leaked]',
    does: 'create a new key for access tokens; with --leaked the current keys are refused at once',
    async run({ services: { tokens }, caller }, option) {
      if (option === undefined) {
        await tokens.rotate({ by: caller })
        return 'A new signing key is published. It signs from ten minutes on, without interruption.'
      }
      if (option !== '--leaked') throw new UsageError(`Unknown option "${option}". Use --leaked.`)
      const retired = await tokens.retireAll(caller)
      return `Signing keys taken out of use: ${retired}. Within 30 seconds every process refuses their tokens and creates a new key; a restart is faster. Clients get a new token with their refresh token.`
    },
  },

  'log-key': logKeyCommand,
}
