/** A member changes a record: signed in, or, for a new level, with a passkey that signs the statement of a challenge. */
import * as contract from '@countersign/contract/dpu.ts'
import * as raiseContract from '@countersign/contract/dpu-raises.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { logName } from '@countersign/proof/chain.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import {
  challengeIn,
  countingPasskeys,
  namedPasskey,
  type PasskeyHost,
  requestOptions,
  verifyBy,
  withoutChallenge,
} from '../../identity/passkeys/api.ts'
import { findDpuInChain, unknownDpu } from './api.ts'
import { dpuOf } from './dpu.ts'
import { raiseStatement } from './queries.ts'
import { raiseChallengeItem, type SignedRaise } from './signed-raise.ts'
import { changeItem } from './update.ts'

export interface ChangeNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'logHost'>
  readonly directory: Directory
  readonly passkeyHost: PasskeyHost
}

type Body = BodyOf<(typeof contract.updateDpu)['spec']>
type Assertion = NonNullable<Body['assertion']>

interface Request {
  readonly params: { readonly id: string }
  readonly principal: MemberPrincipal
  readonly center: CenterProfile
  readonly caller: Caller
}

/** What is read before the batch opens: no item of a batch waits for the directory. */
async function readChange(needs: ChangeNeeds, request: Request, assertion?: Assertion) {
  const { params, principal: person, center, caller } = request
  const { actorId } = person
  const challenge = assertion && challengeIn(assertion.clientDataJSON).toString('base64url')
  const [{ found, statement }, { family, key }] = await Promise.all([
    needs.cells.of(center.cell).inTenant(caller, async (tx) => {
      const found = await findDpuInChain(tx, recordUuid(params.id))
      if (!found) throw unknownDpu()
      return { found, statement: challenge && (await raiseStatement(tx, challenge, found.dpu.id, actorId)) }
    }),
    needs.directory.identity(
      caller,
      async (tx) => ({
        family: await familyOf(tx, actorId),
        key: assertion && (await namedPasskey(tx, assertion)),
      }),
      'read',
    ),
  ])
  const reviewer = { actorId, roles: person.entered.roles, family }
  const changing = { center, caller, person, reviewer, event: found.event, createdAt: found.entry.sealedAt }
  let signed: SignedRaise | undefined
  if (assertion && challenge && statement) {
    const { directory, passkeyHost: host } = needs
    const passkeyId = await verifyBy({ directory, host }, caller, key, { actorId, statement, assertion })
    signed = { challenge, statement, passkeyId, key: (key as NonNullable<typeof key>).key, assertion }
  }
  return { found, changing, signed }
}

/** A passkey signs the level of the record as it is. */
function requireLevelAlone({ evidenceLevel, metadata, assertion }: Body): void {
  if (!assertion || (evidenceLevel !== undefined && metadata === undefined)) return
  throw refusedField('assertion', 'only confirms a new "evidenceLevel". Send "metadata" first, in a request of its own')
}

export const changeRoutes = (needs: ChangeNeeds): Route[] => [
  route(raiseContract.challengeRaise, async (request, reply) => {
    const { body, principal, center, caller, sequence } = request
    const { cells, config, directory, passkeyHost } = needs
    const [{ found, changing }, keys] = await Promise.all([
      readChange(needs, request),
      countingPasskeys({ cells, directory }, caller, center.cell, principal.actorId),
    ])
    const asked = {
      ...body,
      hasKey: keys.length > 0,
      rpId: passkeyHost.rpId,
      log: logName(config.logHost, center.centerId, 'history'),
    }
    return sequence(raiseChallengeItem(found.dpu.id, asked, changing), ({ statement, challenge, expires_at }) =>
      reply(200, {
        statement: { ...statement, evidenceLevel: body.evidenceLevel, policies: [...statement.policies] },
        publicKey: requestOptions(passkeyHost, challenge, keys),
        expiresAt: expires_at,
      }),
    )
  }),

  route(contract.updateDpu, async (request, reply) => {
    const { body, sequence } = request
    const { assertion, ...change } = body
    requireLevelAlone(body)
    const { found, changing, signed } = await readChange(needs, request, assertion)
    if (assertion && !signed) return sequence(withoutChallenge, (none) => none)
    const { dpu, entry, event } = found
    // Metadata that is set again is present.
    const redacted = found.redacted.filter((path) => path !== 'metadata' || change.metadata === undefined)
    return sequence(changeItem(dpu.id, change, changing, signed), (row) =>
      reply(200, dpuOf(row, entry, event, redacted)),
    )
  }),
]
