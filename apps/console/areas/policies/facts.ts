/** What a policy says, fact by fact: for its sentence in a list, and for the differences of two versions. */
import type { Policy, PolicyCondition } from '@countersign/sdk'
import type { Language } from '../../app/i18n.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import { type Body, countOf, useOf, whoOf } from './body.ts'
import { emergencyText, informText, lineText, type Naming, noNames } from './naming.ts'
import type { PolicyWords } from './words.ts'

const knownFields = ['amount', 'won', 'confidence', 'riskScore', 'tags'] as const

export function fieldText(pointer: string, say: PolicyWords): string {
  const name = pointer.split('/').at(-1) ?? ''
  const known = knownFields.find((each) => each === name)
  return known ? say(`field_${known}`) : say('fieldOther', { field: pointer.replace('/action/input/', '') })
}

/** `exists` with `false` asks for the opposite. */
export const opOf = ({ op, value }: PolicyCondition) => (op === 'exists' && value === false ? 'absent' : op)

export function valueText({ op, value }: PolicyCondition, language: Language): string {
  if (op === 'exists') return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'number' ? numberText(value, language) : String(value ?? '')
}

export function conditionText(condition: PolicyCondition, say: PolicyWords, language: Language): string {
  const parts = {
    field: fieldText(condition.pointer, say),
    value: valueText(condition, language),
    op: say(`op${opOf(condition)}`),
  }
  return say('clauseCondition')
    .replaceAll(/‹(\w+)›/g, (_, name: keyof typeof parts) => parts[name])
    .replace(/ (보다|일 때)/, '$1')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

export const peopleText = (body: Body, say: PolicyWords): string => {
  const count = countOf(body)
  return count === 0 ? say('people0') : say(`people${whoOf(body)}${count}`)
}

/** Titles are enough in a list: who fills a step is on its sheet. */
const shortLine = (body: Body, say: PolicyWords): string | null =>
  body.approval?.steps
    ?.map(({ title, count = 1 }, at) => {
      const name = title ?? say('stepNumber', { number: at + 1 })
      return count > 1 ? `${name} ${say('stepCountOf', { count })}` : name
    })
    .join(' → ') ?? null

/** A day is 24 hours in a time limit: "one day" could mean the end of tomorrow. */
export function limitText(seconds: number, language: Language): string {
  if (seconds !== 86_400) return durationText(seconds * 1000, language)
  const style = { style: 'unit', unit: 'hour', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language === 'ko' ? 'ko-KR' : 'en-US', style).format(24)
}

export const expiryText = (seconds: number | undefined, say: PolicyWords, language: Language): string =>
  seconds === undefined ? say('expiryNone') : say('expiry', { time: limitText(seconds, language) })

export function escalationText(body: Body, say: PolicyWords, language: Language): string | null {
  const to = body.approval?.escalateTo
  if (!to) return null
  const who = to.roles
    ? new Intl.ListFormat(language).format(to.roles.map((role) => say(`who${role}`)))
    : say('whoNamed')
  return say('tailEscalation', { time: durationText(to.afterSeconds * 1000, language), who })
}

/** Further sentences below the first one. */
export function tailsOf(body: Body, say: PolicyWords, language: Language): string[] {
  const { riskThreshold, minimumEvidenceLevel, policyRequired } = body.guards
  return [
    body.approval?.expiresAfterSeconds !== undefined && say('tailExpiry'),
    riskThreshold !== undefined && say('tailRisk', { score: riskThreshold }),
    escalationText(body, say, language),
    minimumEvidenceLevel && say('tailEvidence', { level: say(`level${minimumEvidenceLevel}`) }),
    policyRequired && say('tailRequired'),
  ].filter((text) => typeof text === 'string')
}

export const actionsText = (body: Body, say: PolicyWords): string =>
  body.match.actionTypes?.join(', ') ?? say('anyAction')

/** One line for a list. */
export function shortText(body: Body, say: PolicyWords, language: Language): string {
  const asks = countOf(body) > 0
  return [
    [actionsText(body, say), ...(body.match.when ?? []).map((each) => conditionText(each, say, language))].join(' '),
    shortLine(body, say) ?? peopleText(body, say),
    asks && !body.approval?.steps && say(`identity${body.approval?.identity ?? 'session'}`),
    asks &&
      body.approval?.expiresAfterSeconds !== undefined &&
      expiryText(body.approval.expiresAfterSeconds, say, language),
  ]
    .filter(Boolean)
    .join(', ')
}

export interface Fact {
  readonly label: string
  readonly text: string | null
}

export function factsOf(body: Body, say: PolicyWords, language: Language, naming: Naming = noNames): Fact[] {
  const { match, guards, approval } = body
  const asks = countOf(body) > 0
  return [
    { label: say('factName'), text: body.name },
    { label: say('factDescription'), text: body.description ?? null },
    { label: say('factActive'), text: say(body.active === false ? 'off' : 'on') },
    {
      label: say('factActors'),
      text: match.actorTypes?.map((type) => say(`actors${type}`)).join(', ') ?? say('actors'),
    },
    { label: say('factAction'), text: actionsText(body, say) },
    { label: say('factEvents'), text: match.eventTypes?.join(', ') ?? null },
    { label: say('factVerticals'), text: match.verticals?.join(', ') ?? null },
    {
      label: say('factWhen'),
      text: match.when?.map((each) => conditionText(each, say, language)).join(' · ') ?? null,
    },
    {
      label: say('factPeople'),
      text: approval?.steps
        ? null
        : peopleText(body, say) + (approval?.actorIds ? `: ${approval.actorIds.join(', ')}` : ''),
    },
    { label: say('line'), text: approval?.steps ? lineText(body, naming, say, language) : null },
    { label: say('inform'), text: informText(body, naming, say, language) },
    { label: say('emergency'), text: emergencyText(body, naming, say, language) },
    {
      label: say('factIdentity'),
      text: asks && !approval?.steps ? say(`identity${approval?.identity ?? 'session'}`) : null,
    },
    { label: say('factExpiry'), text: asks ? expiryText(approval?.expiresAfterSeconds, say, language) : null },
    { label: say('factUse'), text: asks ? limitText(useOf(body), language) : null },
    { label: say('factRisk'), text: guards.riskThreshold === undefined ? null : `> ${guards.riskThreshold}` },
    {
      label: say('factEvidence'),
      text: guards.minimumEvidenceLevel ? say(`level${guards.minimumEvidenceLevel}`) : null,
    },
    { label: say('factRequired'), text: guards.policyRequired ? say('outcomerefused') : null },
    { label: say('factEscalation'), text: escalationText(body, say, language) },
  ]
}

export interface Difference {
  readonly label: string
  readonly before: string | null
  readonly after: string | null
}

export function differences(before: readonly Fact[], after: readonly Fact[]): Difference[] {
  return after
    .map(({ label, text }, at) => ({ label, before: before[at]?.text ?? null, after: text }))
    .filter((each) => each.before !== each.after)
}

export const scopeText = ({ scope }: Policy, say: PolicyWords): string =>
  scope === 'center' ? say('own') : say(`scope${scope}`)
