/** The names of those whom a policy names, and what a line says in words. Pure but for the hook. */
import type { PolicyStep } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Language } from '../../app/i18n.ts'
import { groupsQuery, staffQuery } from '../../app/staff.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import type { Body } from './body.ts'
import { countIn, type Entry, entriesOf, levelOf, type Named } from './line.ts'
import type { PolicyWords } from './words.ts'

export interface Naming {
  readonly staff: readonly { readonly actorId: string; readonly name: string }[]
  readonly groups: readonly { readonly id: string; readonly name: string }[]
}

interface Titled {
  readonly title?: string | null | undefined
}

export const noNames: Naming = { staff: [], groups: [] }

/** Policies are the page of administrators. */
export function useNaming(): Naming {
  const { center = '' } = useParams({ strict: false })
  const { data: staff = noNames.staff } = useQuery({ ...staffQuery(center, true), enabled: center !== '' })
  const { data: groups = noNames.groups } = useQuery({ ...groupsQuery(center), enabled: center !== '' })
  return { staff, groups }
}

/** Somebody who has left is called by the end of their id. */
export function nameOf({ kind, id }: Entry, { staff, groups }: Naming, say: PolicyWords): string {
  if (kind === 'roles') return say(`who${id as 'ADMIN'}`)
  const found =
    kind === 'groupIds' ? groups.find((group) => group.id === id) : staff.find(({ actorId }) => actorId === id)
  return found?.name ?? say(kind === 'groupIds' ? 'groupUnknown' : 'personUnknown', { id: id.slice(-4) })
}

const listed = (entries: readonly Entry[], naming: Naming, say: PolicyWords, language: Language): string =>
  new Intl.ListFormat(language === 'ko' ? 'ko-KR' : 'en-US', { type: 'conjunction', style: 'long' })
    .format(
      entries.map((entry) => (entry.kind === 'roles' ? say(`of${entry.id as 'ADMIN'}`) : nameOf(entry, naming, say))),
    )
    .replace(/ 및 /g, ', ')

/** `one of the administrators and the instructors`; one person is only named. */
export function whoText(
  named: Named & Pick<PolicyStep, 'count'>,
  naming: Naming,
  say: PolicyWords,
  language: Language,
) {
  const entries = entriesOf(named)
  const count = countIn(named)
  const [only] = entries
  if (entries.length === 1 && count === 1 && only?.kind === 'actorIds') return nameOf(only, naming, say)
  const all: readonly Entry[] = [
    { kind: 'roles', id: 'ADMIN' },
    { kind: 'roles', id: 'INSTRUCTOR' },
  ]
  const who = listed(entries.length > 0 ? entries : all, naming, say, language)
  return say('stepWho', { who, count: numberText(count, language) })
}

export const stepTitle = ({ title }: Titled, at: number, say: PolicyWords): string =>
  title ?? say('stepNumber', { number: at + 1 })

export function stepText(
  body: Body,
  step: PolicyStep,
  at: number,
  naming: Naming,
  say: PolicyWords,
  language: Language,
) {
  const parts = [
    whoText(step, naming, say, language),
    say(`level${levelOf(body, step)}`),
    ...(step.delegated ? [say('delegated')] : []),
  ]
  return say('stepText', { title: stepTitle(step, at, say), what: parts.join(', ') })
}

/** The steps in their order. */
export const lineText = (body: Body, naming: Naming, say: PolicyWords, language: Language): string =>
  (body.approval?.steps ?? []).map((step, at) => stepText(body, step, at, naming, say, language)).join(' → ')

export const informText = (body: Body, naming: Naming, say: PolicyWords, language: Language): string | null => {
  const entries = entriesOf(body.approval?.inform ?? {})
  return entries.length === 0 ? null : listed(entries, naming, say, language)
}

export const emergencyText = (body: Body, naming: Naming, say: PolicyWords, language: Language): string | null => {
  const { emergency } = body.approval ?? {}
  if (!emergency) return null
  const time = durationText(emergency.confirmWithinSeconds * 1000, language)
  return [listed(entriesOf(emergency), naming, say, language), say('emergencyIn', { time })].join(', ')
}
