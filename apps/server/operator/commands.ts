/** The operator's commands: each calls one function of the server and returns a sentence about the result. */

import {
  type CenterStatus,
  type SubscriptionStatus,
  subscriptionStatuses,
  type Vertical,
  verticals,
} from '@countersign/contract/enums.ts'
import { isCountry, isRegion } from '@countersign/contract/places.ts'
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { OperatorTx } from '../data/directory.ts'
import { moveCenter, type Place, relocateCenter, requireCenter } from '../features/centers/centers/api.ts'
import { createProgram } from '../features/centers/provisioning/api.ts'
import { createSandbox, requireAdmin, resetSandbox } from '../features/centers/sandboxes/api.ts'
import { changePlan, moveSubscription, putPlan } from '../features/centers/subscription/api.ts'
import { putSharedPolicy, withdrawSharedPolicy } from '../features/evidence/policies/api.ts'
import { endAllSessions, setOperator } from '../features/identity/auth/api.ts'
import { clearBroken } from '../integrity/alarm.ts'
import type { Services } from '../services.ts'
import { acceptCommand } from './accept-database.ts'
import { cellCommand } from './cells.ts'
import { closeEmergencyCommand } from './close-emergency.ts'
import { confirmMemberCommand, confirmPasskeyCommand, requireAccount } from './confirm.ts'
import { declareCommand } from './declare-loss.ts'
import { deleteCommand } from './delete-center.ts'
import { readJsonFile } from './json-file.ts'
import { logKeyCommand } from './log-key-command.ts'
import { readPlan } from './plan-file.ts'
import { type Command, UsageError } from './shell.ts'
import { liftCommand, stopCommand } from './stop.ts'

function oneOf<T extends string>(what: string, values: readonly T[], given: string): T {
  const value = values.find((each) => each.toLowerCase() === given.toLowerCase())
  if (!value) throw new UsageError(`${what} must be one of ${values.join(', ')}, not "${given}".`)
  return value
}

const centerCommand = (does: string, to: CenterStatus, now: string): Command => ({
  takes: 'CENTER',
  does,
  run: ({ asOperator }, name = '') =>
    asOperator(async (tx) => {
      const center = await requireCenter(tx, name)
      const from = await moveCenter(tx, center.id, to)
      return `${center.name} (${center.domain}, ID ${center.id}) was ${from} and is now ${to}: ${now}`
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
      return `${center.name} (${center.domain}, ID ${center.id}) has ${made}. ${login} is its ADMIN and can create its API keys, which start with csk_test_.`
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
        : `${login} was already ${role}; nothing was changed.`
    }),
})

export const commands: Readonly<Record<string, Command>> = {
  'make-operator': operatorCommand('let an account use /admin and create centers for others', true),
  'remove-operator': operatorCommand("revoke an account's operator rights", false),

  'move-subscription': {
    takes: 'CENTER STATUS',
    does: `change a subscription's status: ${subscriptionStatuses.join(', ')}`,
    run({ asOperator }, name = '', status = '') {
      const to: SubscriptionStatus = oneOf('STATUS', subscriptionStatuses, status)
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const from = await moveSubscription(tx, center.id, to)
        return `The status of ${center.name}'s subscription (${center.domain}, ID ${center.id}) changed from ${from} to ${to}.`
      })
    },
  },

  'change-plan': {
    takes: 'CENTER PLAN',
    does: "change a subscription to the latest version of a plan; the operator's page Plans lists the plans",
    run({ asOperator }, name = '', planId = '') {
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const from = await changePlan(tx, center.id, planId)
        return `${center.name} (${center.domain}, ID ${center.id}) changed from the ${from} plan to the ${planId} plan.`
      })
    },
  },

  'put-plan': {
    takes: 'FILE',
    does: 'add a plan from a JSON file, or a new version of the plan whose ID is in the file; subscriptions keep their version',
    async run({ asOperator }, file = '') {
      const plan = await readPlan(file)
      return asOperator(async (tx) => {
        const { id, version } = await putPlan(tx, plan)
        return `The plan ${id} is now offered in version ${version}. Existing subscriptions keep the version that they have.`
      })
    },
  },

  'suspend-center': centerCommand(
    'suspend a center: members and API keys lose access',
    'SUSPENDED',
    "members and API keys can't access it.",
  ),
  'reinstate-center': centerCommand('reopen a suspended center', 'ACTIVE', 'members and API keys can access it again.'),
  'end-center': centerCommand('end a center permanently', 'INACTIVE', 'this is permanent; its records are kept.'),

  stop: stopCommand,
  'lift-stop': liftCommand,
  'close-emergency': closeEmergencyCommand,

  'delete-center': {
    takes: 'CENTER [--without-export]',
    does: "close a departing center's logs and delete its data; requires a complete export",
    run: deleteCommand,
  },

  'relocate-center': {
    takes: 'CENTER COUNTRY [REGION]',
    does: "set a center's country and region, which determine which policies apply; without REGION, it has none",
    run({ asOperator }, name = '', country = '', region?: string) {
      if (!isCountry(country)) throw new UsageError(`COUNTRY must be an ISO 3166-1 code such as KR, not "${country}".`)
      if (region !== undefined && !isRegion(region)) {
        throw new UsageError(`REGION must be an ISO 3166-2 code such as KR-11, not "${region}".`)
      }
      return asOperator(async (tx) => {
        const center = await requireCenter(tx, name)
        const { from, to } = await relocateCenter(tx, center.id, { country, region: region ?? null })
        return `${center.name} (${center.domain}, ID ${center.id}) was in ${placeText(from)} and is now in ${placeText(to)}.`
      })
    },
  },

  'create-program': {
    takes: 'NAME SUBDOMAIN ADMIN_EMAIL [VERTICAL] [LANGUAGE]',
    does: 'create a PROGRAM tenant; VERTICAL defaults to education, and LANGUAGE (for its mail, ko or en) to ko',
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
      if (!/^[^@\s]+@[^@\s]+$/.test(adminEmail)) throw new UsageError(`"${adminEmail}" isn't an email address.`)
      return asOperator(async (tx) => {
        const program = { name: programName, subdomain, vertical, adminEmail, locale }
        const { centerId, invited } = await createProgram(services, tx, program)
        const who = invited
          ? `${adminEmail} has been invited by email as its administrator`
          : `${adminEmail} is its administrator`
        return `${programName} (${subdomain}, ID ${centerId}) was created: ${who}.`
      })
    },
  },

  'create-sandbox': sandboxCommand("create a center's sandbox for one of its ADMINs", async (services, tx, ...who) => {
    const id = await createSandbox(services, tx, ...who)
    return `a sandbox with the ID ${id}`
  }),
  'reset-sandbox': sandboxCommand("close a center's sandbox and create a new one", async (services, tx, ...who) => {
    const { closed, id } = await resetSandbox(services, tx, ...who)
    return `a new sandbox with the ID ${id}; the sandbox with the ID ${closed} is closed`
  }),

  'put-policy': {
    takes: 'FILE',
    does: 'create a platform policy from a JSON file, or a new version of the policy whose ID is in the file',
    async run({ services, asOperator }, file = '') {
      const policy = await readJsonFile(file)
      const { id, version, changed } = await asOperator((tx) => putSharedPolicy(tx, policy))
      await services.sharedPolicies.copy()
      return changed
        ? `Version ${version} of the policy ${id} is in force in every cell. To change it, add "id": "${id}" to the file.`
        : `The policy ${id} already has this content, in version ${version}; nothing was changed.`
    },
  },

  'withdraw-policy': {
    takes: 'ID',
    does: 'withdraw a platform policy; earlier seals still name it',
    async run({ services, asOperator }, given = '') {
      const { id, changed } = await asOperator((tx) => withdrawSharedPolicy(tx, given))
      await services.sharedPolicies.copy()
      return changed
        ? `The policy ${id} has been withdrawn.`
        : `The policy ${id} was already withdrawn; nothing was changed.`
    },
  },

  'put-cell': cellCommand,
  'clear-chain': {
    takes: 'CENTER DOMAIN',
    does: `allow sealing on a broken chain again, once you've found the cause: ${domains.join(', ')}`,
    async run({ services, caller, asOperator }, name = '', given = '') {
      const domain: Domain = oneOf('DOMAIN', domains, given)
      const center = await asOperator((tx) => requireCenter(tx, name))
      const { cell } = await services.centers.profile(center.id)
      const by = caller.actorId as string
      const cleared = await services.cells.of(cell).inTenantJob(center.id, by, (tx) => clearBroken(tx, domain))
      const chain = `The chain "${domain}" of ${center.name} (${center.domain}, ID ${center.id})`
      return cleared
        ? `${chain} accepts seals again. The alarm and this command are in the audit trail.`
        : `${chain} wasn't marked as broken; nothing was changed.`
    },
  },

  'accept-database': {
    takes: 'CELL [--with-loss] [--new-store] [--unsigned]',
    does: 'compare a promoted or restored database with the fence store, and allow sealing in it if nothing is lost',
    run: acceptCommand,
  },

  'declare-loss': {
    takes: 'CELL [CENTER] --reason TEXT --by NAME [--unsigned]',
    does: 'after a restore that lost entries: close each log that is missing some, and start its next generation with a declaration',
    run: declareCommand,
  },

  'confirm-passkey': {
    takes: 'CENTER EMAIL PASSKEY',
    does: "confirm a passkey of a center's only ADMIN, once you've made sure that it's theirs",
    run: confirmPasskeyCommand,
  },

  'confirm-member': {
    takes: 'CENTER EMAIL',
    does: "let a member's role count for approvals right away, if no other ADMIN can confirm it",
    run: confirmMemberCommand,
  },

  'end-sessions': {
    takes: 'EMAIL',
    does: 'sign an account out of all sessions, within a second',
    run: ({ services, caller }, login = '') =>
      services.directory.identity(caller, async (tx) => {
        const ended = await endAllSessions(tx, await requireAccount(tx, login), 'operator')
        return ended.length === 0
          ? `${login} had no sessions; nothing was changed.`
          : `${login} has been signed out of ${ended.length} ${ended.length === 1 ? 'session' : 'sessions'}.`
      }),
  },

  'rotate-signing-key': {
    takes: '[--leaked]',
    does: 'create a new key for access tokens; with --leaked, the current keys are rejected right away',
    async run({ services: { tokens }, caller }, option) {
      if (option === undefined) {
        await tokens.rotate({ by: caller })
        return 'A new signing key has been published. It starts signing in ten minutes, without interruption.'
      }
      if (option !== '--leaked') throw new UsageError(`Unknown option "${option}". Use --leaked.`)
      const retired = await tokens.retireAll(caller)
      return `Signing keys retired: ${retired}. Within 30 seconds, every process rejects their tokens and creates a new key; a restart is faster. Clients get a new token with their refresh token.`
    },
  },

  'log-key': logKeyCommand,
}
