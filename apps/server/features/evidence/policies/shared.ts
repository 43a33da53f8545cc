/**
 * Shared policies. The operator writes them into the directory; every process checks every two seconds whether a cell
 * lacks a version and copies it, so that sealing reads only its own cell.
 */
import { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { Logger } from 'pino'
import { type Loop, loop } from '../../../concurrency/loop.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { bodyAjv, validationProblem } from '../../../http/validation.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { bodyText, digestOf } from './policy.ts'
import {
  addSharedVersion,
  allVersions,
  copyVersions,
  countVersions,
  lockNewest,
  type OperatorAccess,
} from './shared-queries.ts'
import { requireNoGroups, requireSound } from './sound.ts'

export interface PutPolicy {
  readonly id: string
  readonly version: number
  /** False when the newest version has the same text. */
  readonly changed: boolean
}

const isPolicy = bodyAjv.compile(PolicyBody)

/** Creates a policy, or a new version of the one with the given `id`. It is in force in every cell within seconds. */
export async function putSharedPolicy(
  tx: OperatorAccess,
  given: Readonly<Record<string, unknown>>,
): Promise<PutPolicy> {
  const { id, ...body } = given
  const policy = bodyText(requireShared(body))
  const digest = digestOf(policy)
  const uuid = id === undefined ? newUuid() : requireId(id)
  const newest = await lockNewest(tx, uuid)
  if (id !== undefined && !newest) throw unknownShared(String(id))
  const policyId = typedId('policy', uuid)
  if (newest?.digest === digest && !newest.withdrawn) return { id: policyId, version: newest.version, changed: false }
  const version = (newest?.version ?? 0) + 1
  const row = { id: uuid, version, policy, digest, withdrawn: false }
  await addSharedVersion(tx, row, newest ? 'updated' : 'created', now())
  return { id: policyId, version, changed: true }
}

/** Ends the policy; its versions remain readable. */
export async function withdrawSharedPolicy(tx: OperatorAccess, id: string): Promise<PutPolicy> {
  const newest = await lockNewest(tx, requireId(id))
  if (!newest) throw unknownShared(id)
  if (newest.withdrawn) return { id, version: newest.version, changed: false }
  const version = newest.version + 1
  await addSharedVersion(tx, { ...newest, version, withdrawn: true }, 'deleted', now())
  return { id, version, changed: true }
}

const unknownShared = (id: string) =>
  new Problem('NOT_FOUND', `There's no shared policy with the ID "${id}". List the policies to find the ID.`)

function requireId(id: unknown): string {
  const uuid = typeof id === 'string' ? uuidOf('policy', id) : null
  if (uuid === null)
    throw new Problem('VALIDATION_ERROR', `"${String(id)}" isn't a policy ID. Send one that starts with pol_.`, {
      details: { reason: 'policyId', field: 'policyId' },
    })
  return uuid
}

function requireShared(body: unknown): PolicyBody {
  if (!isPolicy(body)) throw validationProblem('platform', isPolicy.errors ?? [])
  const { scope, country, region } = body as PolicyBody
  const wrong = (why: string) => new Problem('VALIDATION_ERROR', `${why}.`, { details: { reason: 'sharedScope' } })
  if (scope === 'center')
    throw wrong(
      "Only a center's administrator can create a policy for a single center. Send global, country or region as the scope",
    )
  if (scope === 'country' && country === undefined) throw wrong('"country" is required for the country scope')
  if (scope === 'region' && region === undefined) throw wrong('"region" is required for the region scope')
  if (scope !== 'region' && region !== undefined) throw wrong('"region" is only for the region scope. Leave it out')
  if (region !== undefined && country !== undefined && !region.startsWith(`${country}-`))
    throw wrong(`"${region}" isn't a region of ${country}. Send a code that starts with "${country}-"`)
  if (scope === 'global' && country !== undefined)
    throw wrong('"country" is only for the country and region scopes. Leave it out')
  requireSound(body as PolicyBody)
  requireNoGroups(body as PolicyBody)
  return body as PolicyBody
}

const lookEveryMs = 5000

export interface SharedPolicies extends Loop {
  /** Copies now, without waiting for the next interval. */
  copy(): Promise<void>
}

export function sharedPolicies(directory: Directory, cells: Cells, log: Logger): SharedPolicies {
  async function copyInto(cell: Cell, versions: number, all: () => Promise<string>): Promise<void> {
    if ((await cell.asJobs((db) => countVersions(db, 'cell'))) === versions) return
    const rows = await all()
    await cell.asJobs((db) => copyVersions(db, rows))
  }

  async function copy(): Promise<void> {
    const versions = await directory.asJobs((db) => countVersions(db, 'directory'))
    let read: Promise<string> | undefined
    const all = () => {
      read ??= directory.asJobs(allVersions)
      return read
    }
    // An unreachable cell does not delay the copies of the others.
    const results = await Promise.allSettled(cells.all.map((cell) => copyInto(cell, versions, all)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  const failure = 'policies above centers could not be copied; trying again every five seconds'
  return { ...loop({ everyMs: lookEveryMs, turn: copy, log, failure }), copy }
}
