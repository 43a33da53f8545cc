/** Finds decisions: candidates by the index, newest first, each compared with its current text before it is shown. */
import type { searchDecisions } from '@countersign/contract/search.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { recordUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import { actionTypeInForce, newestActionTypes, startingTypes } from '../action-types/api.ts'
import { listedIds } from '../decision-events/api.ts'
import {
  boundStatements,
  candidates,
  type FoundRow,
  idsNamed,
  membersNamed,
  rowsById,
  rowsBySeq,
  seqOf,
  type Wanted,
} from './queries.ts'
import { factWord, hashesOf, isIn, type Known, type Word, wordsIn } from './question.ts'
import { amountOf, textOf } from './searchable.ts'
import { normalized, runsOf } from './tokens.ts'

export type DecisionQuery = Context<typeof searchDecisions.spec>['query']

export interface SearchNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
}

/** No search holds a connection longer. */
const statementMs = 2000
/** Of the newest decisions that are looked at one by one before the index is read. */
const newestLooked = 1000
/** Candidates that are compared at a time, and how many times. */
const batch = 100
const maxBatches = 10

const beyond = '9223372036854775807'

/** What the center calls its members and actions now: a person is found by a new name too, and by what an action is called. */
async function knownOf(tx: TenantTx, { centers, directory }: SearchNeeds, question: string): Promise<Known> {
  const texts = [...new Set(runsOf(question).flatMap((run) => (run.kind === 'number' ? [] : [run.text])))].slice(0, 8)
  // Names are looked up without an ending too.
  const asked = [...new Set(texts.flatMap((text) => [text, text.slice(0, -1), text.slice(0, -2)]))].filter(
    (text) => text.length >= 2,
  )
  const members =
    asked.length === 0 ? [] : await directory.asCenter(tx.caller, (within) => membersNamed(within, asked), 'read')
  const { vertical } = await centers.profile(tx.caller.centerId as number)
  const own = new Map((await newestActionTypes(tx)).map((row) => [row.key, row]))
  const types = [...new Set([...own.keys(), ...startingTypes(vertical).keys()])].flatMap((key) => {
    const type = actionTypeInForce(own.get(key), key, vertical)
    return type ? [{ key, name: normalized(Object.values(type.name).join(' ')) }] : []
  })
  return {
    peopleNamed: (text) => members.filter((each) => each.text === text).map(({ actor_id }) => actor_id),
    typesNamed: (text) => types.filter(({ name }) => name.includes(text)).map(({ key }) => key),
  }
}

function factsIn({ personId, agentId, policyId, tag, status }: DecisionQuery): Word[] {
  const closed = status === 'sealed' || status === 'rejected' ? status : undefined
  return [
    ...(personId === undefined ? [] : [factWord('by', personId.toLowerCase())]),
    ...(agentId === undefined ? [] : [factWord('by', agentId)]),
    ...(policyId === undefined ? [] : [factWord('policy', policyId)]),
    ...(tag === undefined ? [] : [factWord('tag', tag)]),
    ...(closed === undefined ? [] : [factWord('state', closed)]),
  ]
}

/** By the current row: the index may be some seconds behind it, and hashes may collide. */
const isShown =
  (words: readonly Word[], query: DecisionQuery) =>
  (row: FoundRow): boolean => {
    const amount = amountOf(row)
    return (
      (query.type === undefined || row.type === query.type) &&
      (query.status === undefined || row.status === query.status) &&
      (query.waiting === undefined || row.waiting === (query.waiting === 'true')) &&
      (query.agentId === undefined || row.actor.id === query.agentId) &&
      (query.minAmount === undefined || (amount !== null && amount >= query.minAmount)) &&
      (query.maxAmount === undefined || (amount !== null && amount <= query.maxAmount)) &&
      (query.from === undefined || row.created_at >= new Date(query.from)) &&
      (query.to === undefined || row.created_at < new Date(query.to)) &&
      isIn(textOf(row), words)
    )
  }

export interface FoundPage {
  readonly rows: readonly FoundRow[]
  readonly next: string | null
}

const empty: FoundPage = { rows: [], next: null }

/** Common words are found among the newest decisions, rare ones by the index. */
async function pageWith(
  tx: TenantTx,
  words: readonly Word[],
  query: DecisionQuery,
  after: string | null,
): Promise<FoundPage> {
  const wanted: Wanted = {
    words: hashesOf(tx.caller.centerId as number, words),
    low: query.minAmount ?? null,
    high: query.maxAmount ?? null,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
  }
  const shows = isShown(words, query)
  const found: FoundRow[] = []
  let before = after ?? beyond
  const collect = async (seqs: readonly string[]) => {
    found.push(...(await rowsBySeq(tx, seqs)).filter(shows))
    before = seqs.at(-1) ?? before
  }
  const near = await candidates(tx, wanted, { before, newest: newestLooked, most: batch })
  if (near.length > query.limit) await collect(near)
  for (let round = 0; round < maxBatches && found.length <= query.limit; round++) {
    const seqs = await candidates(tx, wanted, { before, newest: 0, most: batch })
    await collect(seqs)
    if (seqs.length < batch && found.length <= query.limit) return { rows: found, next: null }
  }
  const rows = found.slice(0, query.limit)
  // After the last one that is shown; where one search may not look at more, after the last one that was looked at.
  return { rows, next: found.length > query.limit ? (rows.at(-1) as FoundRow).seq : before }
}

/** An id is found at once, whatever is indexed. */
async function named(tx: TenantTx, question: string): Promise<readonly FoundRow[]> {
  const text = question.trim()
  const uuid = recordUuid(text)
  const ids = /\s/.test(text) ? [] : [...(uuid === null ? [] : [uuid]), ...(await idsNamed(tx, text))]
  return ids.length === 0 ? [] : rowsById(tx, ids)
}

export interface Found extends FoundPage {
  readonly leftOut: readonly string[]
}

export async function findDecisions(tx: TenantTx, needs: SearchNeeds, query: DecisionQuery): Promise<Found> {
  const { q, cursor, limit, personId, policyId, minAmount, maxAmount, agentId } = query
  const id = cursor === undefined ? null : uuidOf('decisionEvent', cursor)
  const after = id === null ? null : await seqOf(tx, id)
  if (cursor !== undefined && after === null) {
    throw refusedField('cursor', "doesn't belong to this search. Send the `nextCursor` of the previous page")
  }
  await boundStatements(tx, statementMs)
  const needsIndex = [q, personId, policyId, minAmount, maxAmount].some((each) => each !== undefined)
  if (!needsIndex) {
    const { type, status, waiting, tag, from, to } = query
    const filter = Object.entries({ type, status, waiting, tag, from, to, actorId: agentId }).filter(
      ([, value]) => value !== undefined,
    )
    const ids = await listedIds(tx, Object.fromEntries(filter), { after: id, limit: limit + 1 })
    const rows = await rowsById(tx, ids.slice(0, limit))
    return { rows, next: ids.length > limit ? (rows.at(-1)?.seq ?? null) : null, leftOut: [] }
  }
  if (q !== undefined && cursor === undefined) {
    const rows = (await named(tx, q)).filter(isShown(factsIn(query), query))
    if (rows.length > 0) return { rows, next: null, leftOut: [] }
  }
  const said = q === undefined ? [] : wordsIn(q, await knownOf(tx, needs, q))
  if (q !== undefined && said.length === 0) return { ...empty, leftOut: [] }
  const facts = factsIn(query)
  const all = await pageWith(tx, [...said, ...facts], query, after)
  if (all.rows.length > 0 || all.next !== null || said.length < 2) return { ...all, leftOut: [] }
  return withoutUnknown(tx, said, facts, query, after)
}

/** Without the words that no decision has, such as “last week”; with all of them again, if that is none or every one. */
async function withoutUnknown(
  tx: TenantTx,
  said: readonly Word[],
  facts: readonly Word[],
  query: DecisionQuery,
  after: string | null,
) {
  const none = { low: null, high: null, from: null, to: null }
  const place = { before: beyond, newest: 0, most: 1 }
  const isKnown: boolean[] = []
  for (const word of said) {
    const hashes = hashesOf(tx.caller.centerId as number, [word])
    isKnown.push(
      (await candidates(tx, { words: hashes, ...none }, { ...place, newest: newestLooked })).length > 0 ||
        (await candidates(tx, { words: hashes, ...none }, place)).length > 0,
    )
  }
  const known = said.filter((_, at) => isKnown[at])
  if (known.length === 0 || known.length === said.length) return { ...empty, leftOut: [] }
  const page = await pageWith(tx, [...known, ...facts], query, after)
  return { ...page, leftOut: said.filter((_, at) => !isKnown[at]).map(({ said: text }) => text) }
}

/** As a cursor tells nothing about other centers. */
export const cursorOf = async (tx: TenantTx, seq: string): Promise<string | null> => {
  const [row] = await rowsBySeq(tx, [seq])
  return row ? typedId('decisionEvent', row.id) : null
}
