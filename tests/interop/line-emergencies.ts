/** Emergency approvals by chance: what their lines make of them, as the service judges it, and how that is forged. */
import type { Admitted } from '@countersign/proof/control.ts'
import { lineName } from '@countersign/proof/line.ts'
import type { PolicyText } from '@countersign/proof/policy-text.ts'
import type { Confirmed, LineCase, LinePolicy, Placed } from '@countersign/proof/test/lines.ts'
import { type Confirming, confirmingOf, judgeConfirmation } from '../../apps/server/governance/confirming.ts'
import type { Candidate } from '../../apps/server/governance/line.ts'
import type { Applied } from '../../apps/server/governance/policies.ts'
import { below, counting, type Forge, oneOf, placesOf, put, type Random } from './line-chance.ts'

const sealedAt = Date.UTC(2040, 0, 1)
const isUrgent = ({ by }: Admitted): boolean => by === 'emergency'
const names = ({ id, onBehalfOf }: Pick<Placed, 'id' | 'onBehalfOf'>): string[] => [
  id,
  ...(onBehalfOf ? [onBehalfOf] : []),
]

/** The same line with its emergency approvals confirmed, objected to or left alone. */
export function confirmedBy(
  random: Random,
  made: LineCase,
  asking: readonly LinePolicy[],
  people: readonly Candidate[],
): LineCase {
  const filled = counting(made).flatMap((at) => {
    const given = made.given[at] as Placed
    return placesOf(given).map((place) => ({ ...place, own: names(given) }))
  })
  const urgent = new Set(filled.filter(isUrgent).map(lineName))
  if (urgent.size === 0) return made
  const used = [...new Set(filled.filter(isUrgent).flatMap(({ own }) => own))]
  const confirmWithin = Math.min(
    ...asking.flatMap(({ id, version, body }) =>
      urgent.has(lineName({ policyId: id, version }))
        ? ((body as PolicyText).approval?.emergency?.confirmWithinSeconds ?? [])
        : [],
    ),
  )
  const confirmations: Confirmed[] = []
  const standing = (): Confirming =>
    confirmingOf(
      {
        used_by: used,
        places: filled.filter((place) => urgent.has(lineName(place))),
        confirmations: confirmations.map(({ id, onBehalfOf, places, after }) => ({
          result: 'confirmed',
          by_actor: id,
          on_behalf_of: onBehalfOf ?? null,
          places: (places ?? []) as Confirming['turns'][number]['seats'] & [],
          at: new Date(sealedAt + after * 1000).toISOString(),
        })),
      },
      {
        policies: made.policies as unknown as readonly Applied[],
        riskScore: made.riskScore ?? null,
        actorId: 'agent-1',
        sealedAt: new Date(sealedAt).toISOString(),
      },
    ) as Confirming
  let after = 0
  let [isOver, isConfirmed] = [false, false]
  for (let tries = 0; tries < 60 && !isOver; tries += 1) {
    after += 1 + below(random, 3)
    if (after > confirmWithin || random() < 0.03) break
    const next = confirmationBy(random, standing(), people, after)
    if (next === null) continue
    confirmations.push(next)
    isConfirmed = next.complete === true
    isOver = isConfirmed || next.action === 'objected'
  }
  const isObjected = confirmations.at(-1)?.action === 'objected'
  if (!isConfirmed && (isObjected || random() < 0.5)) {
    if (!isObjected) confirmations.push({ after: confirmWithin + 1, action: 'unconfirmed', id: 'countersign' })
    const { after: last } = confirmations.at(-1) as Confirmed
    if (random() < 0.5) confirmations.push({ after: last + 5, action: 'closed', id: 'act_admin' })
  }
  return { ...made, confirmWithin, ...(confirmations.length > 0 && { confirmations }) }
}

/** Null where the service refuses it. */
function confirmationBy(random: Random, confirming: Confirming, people: readonly Candidate[], after: number) {
  const person = oneOf(random, people)
  const deputy = random() < 0.15 ? oneOf(random, people) : person
  const result = random() < 0.1 ? ('objected' as const) : ('confirmed' as const)
  const member = ({ actorId, roles }: Candidate) => ({
    ...{ actorId, roles: roles ?? [], family: [], membershipId: actorId },
  })
  const onBehalfOf = deputy === person ? null : member(person)
  try {
    const { places, complete } = judgeConfirmation(confirming, {
      ...{ result, people, at: new Date(sealedAt + after * 1000).toISOString() },
      vouchers: [{ ...member(deputy), level: 'session', onBehalfOf }],
    })
    return {
      ...{ after, action: result, id: deputy.actorId },
      ...(onBehalfOf && { onBehalfOf: person.actorId }),
      ...(result === 'confirmed' && { places: places.map((place) => ({ ...place, since: 3 })), complete }),
    } satisfies Confirmed
  } catch {
    return null
  }
}

/** The approvals that count and were given in an emergency. */
const urgentIn = (line: LineCase): readonly number[] => counting(line).filter((at) => line.given[at]?.emergency)
const confirmedIn = ({ confirmations = [] }: LineCase): readonly number[] =>
  confirmations.flatMap(({ action }, at) => (action === 'confirmed' ? [at] : []))
const said = (line: LineCase, confirmations: readonly Confirmed[]) => ({ line: { ...line, confirmations } })
const later = (line: LineCase, change: Partial<Confirmed>): Confirmed => {
  const last = line.confirmations?.at(-1)
  return { ...{ action: 'confirmed', id: 'act_zoe', after: (last?.after ?? 0) + 1 }, ...change }
}
const ordinary = (line: LineCase, at: number): Partial<Placed> => ({
  emergency: false,
  places: placesOf(line.given[at] as Placed).map((place) => ({ ...place, by: 'role' })),
})
const isDouble = (places: readonly Admitted[]): boolean => new Set(places.map(lineName)).size < places.length

export const emergencyForgeries: Readonly<Record<string, Forge>> = {
  // One place of one line, which nobody has confirmed or signed, is what an ordinary approval is too.
  'an emergency shown as ordinary': (line) => {
    const all = urgentIn(line)
    const { confirmations, confirmWithin: _, ...rest } = line
    const shown = all.reduce<LineCase>((made, at) => put(made, at, ordinary(line, at)), rest)
    if (all.some((at) => isDouble(placesOf(line.given[at] as Placed)))) return { line: shown }
    return all.length > 0 && confirmations ? { line: { ...shown, confirmations } } : null
  },
  'an emergency that the seal does not state': (line) => {
    const { confirmWithin, ...rest } = line
    return confirmWithin === undefined ? null : { line: { ...rest, needs: ['lines'] } }
  },
  'an emergency that a verifier need not know': (line) =>
    urgentIn(line).length > 0 ? { line: { ...line, needs: ['lines'] } } : null,
  'an ordinary approval shown as an emergency': (line, random) => {
    const at = oneOf(random, counting(line))
    const allowed = line.policies.some(({ body }) => (body as PolicyText).approval?.emergency)
    if (allowed || line.given[at]?.level === 'claim') return null
    const places = placesOf(line.given[at] as Placed).map((place) => ({ ...place, by: 'emergency' as const }))
    return { line: { ...put(line, at, { emergency: true, places }), confirmWithin: 30 } }
  },
  'an emergency beside an ordinary place': (line, random) => {
    const at = oneOf(random, counting(line))
    const places = placesOf(line.given[at] as Placed)
    const mixed = places.map((place, each) => (each === 0 ? { ...place, by: 'emergency' as const } : place))
    return places.length < 2 || line.given[at]?.emergency ? null : { line: put(line, at, { places: mixed }) }
  },
  'an emergency that leaves places to others': (line, random) => {
    const all = urgentIn(line).filter((at) => placesOf(line.given[at] as Placed).length > 1)
    const [at] = all
    if (at === undefined || at !== line.given.length - 1) return null
    const used = line.given[at] as Placed
    const places = placesOf(used)
    const rest = placesOf(used).filter((place) => lineName(place) === lineName(places[0] as Admitted))
    if (rest.length < 2) return null
    const last = rest.at(-1) as Admitted
    const after = { id: 'act_zoe', level: used.level, places: [{ ...last, by: 'role' as const }], before: 0 }
    const before = { ...used, places: places.filter((place) => place !== last), before: 1 + below(random, 3) }
    return { line: { ...line, given: [...line.given.slice(0, at), before, after] } }
  },
  'a longer time to confirm': (line, random) =>
    line.confirmWithin === undefined
      ? null
      : { line: { ...line, confirmWithin: line.confirmWithin + 60 + below(random, 60) } },
  'confirmed by the one who used it': (line, random) => {
    const [at] = urgentIn(line)
    const confirmed = confirmedIn(line)
    if (at === undefined || confirmed.length === 0) return null
    const own = line.confirmations as readonly Confirmed[]
    const which = oneOf(random, confirmed)
    const { onBehalfOf: _, ...rest } = own[which] as Confirmed
    const { id } = line.given[at] as Placed
    return said(line, own.with(which, { ...rest, id: id.toUpperCase() }))
  },
  "confirmed by the decision's own actor": (line, random) => {
    const confirmed = confirmedIn(line)
    if (confirmed.length === 0) return null
    const own = line.confirmations as readonly Confirmed[]
    const which = oneOf(random, confirmed)
    return said(line, own.with(which, { ...(own[which] as Confirmed), id: 'Agent-1' }))
  },
  'one person confirms two places': (line) => {
    const [one, other] = confirmedIn(line)
    if (one === undefined || other === undefined) return null
    const own = line.confirmations as readonly Confirmed[]
    const { id, onBehalfOf } = own[one] as Confirmed
    const { onBehalfOf: _, ...second } = own[other] as Confirmed
    const places = [own[one], own[other]].map((each) => new Set((each?.places ?? []).map(lineName)))
    const isSameLine = [...(places[0] as Set<string>)].some((name) => places[1]?.has(name))
    return isSameLine ? said(line, own.with(other, { ...second, id, ...(onBehalfOf && { onBehalfOf }) })) : null
  },
  // Of a line that is not complete, those that are left may be all that there were.
  'a confirmation hidden': (line) => {
    const [one, ...others] = confirmedIn(line)
    const own = line.confirmations ?? []
    const isComplete = others.some((at) => own[at]?.complete)
    return one === undefined || !isComplete ? null : said(line, own.toSpliced(one, 1))
  },
  'a confirmation doubled': (line) => {
    const [one] = confirmedIn(line)
    const own = line.confirmations ?? []
    return one === undefined
      ? null
      : said(
          line,
          [...own, later(line, { ...own[one] })].map((each, at, all) => ({
            ...each,
            after: at === all.length - 1 ? (all[at - 1] as Confirmed).after + 1 : each.after,
          })),
        )
  },
  'complete before its time': (line) => {
    const own = line.confirmations ?? []
    const open = confirmedIn(line).find((at) => own[at]?.complete !== true)
    return open === undefined ? null : said(line, own.with(open, { ...(own[open] as Confirmed), complete: true }))
  },
  'a confirmation after an objection': (line) => {
    const own = line.confirmations ?? []
    return own.some(({ action }) => action === 'objected')
      ? said(line, [
          ...own,
          later(line, { places: [{ policyId: 'pol_0', version: 1, step: 0, by: 'role', since: 3 }] }),
        ])
      : null
  },
  'a confirmation after its time': (line) => {
    const own = line.confirmations ?? []
    const last = own.at(-1)
    if (last?.action !== 'confirmed' || line.confirmWithin === undefined) return null
    return said(line, own.with(-1, { ...last, after: line.confirmWithin + 1 }))
  },
  'unconfirmed before its time': (line) =>
    line.confirmWithin === undefined || line.confirmations
      ? null
      : said(line, [{ after: 1, action: 'unconfirmed', id: 'countersign' }]),
  'closed, and nothing to close': (line) => {
    const own = line.confirmations ?? []
    if (line.confirmWithin === undefined || own.some(({ action }) => !/^confirmed$/.test(action))) return null
    return said(line, [...own, later(line, { action: 'closed', id: 'act_admin' })])
  },
  'a confirmation of an ordinary approval': (line) =>
    urgentIn(line).length > 0
      ? null
      : said(line, [later(line, { places: [...placesOf(line.given.at(-1) as Placed)], complete: true })]),
  'a claim confirms': (line, random) => {
    const confirmed = confirmedIn(line)
    if (confirmed.length === 0) return null
    const own = line.confirmations as readonly Confirmed[]
    const which = oneOf(random, confirmed)
    return said(line, own.with(which, { ...(own[which] as Confirmed), level: 'claim' }))
  },
}
