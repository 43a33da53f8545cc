/** An entry of an audit in words: its sentence, who and what it names, and what was before and after. Pure. */
import { shown } from '@countersign/proof/shown.ts'
import { labelOf } from '@countersign/proof/view-labels.ts'
import auditWords from '@countersign/words/ko/audit.json' with { type: 'json' }
import type { Language, Say } from '@countersign/words/say.ts'

export type AuditWord = keyof typeof auditWords

export interface Entry {
  readonly type: string
  readonly action: string
  readonly actorId: string | null
  readonly actorName: string | null
  readonly targetType: string
  readonly targetId: string
  readonly targetName: string | null
  readonly names: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
}

/** `before` is null where nothing was replaced. */
export interface Row {
  readonly label: string
  readonly before: string | null
  readonly after: string
}

export interface Told {
  readonly text: string
  /** As the sentence has them. */
  readonly who: string
  readonly target: string
  readonly rows: readonly Row[]
}

interface Speech {
  readonly say: Say<AuditWord>
  readonly language: Language
  /** A time on the clock of the reader. */
  readonly time: (at: string) => string
  /** Why a chain is broken; any other text as it is. */
  readonly chainReason?: (text: string) => string
}

const sentences: Readonly<Record<string, string>> = auditWords

/** A newer server may know more actions, fields and values than this page. */
const known = (key: string): AuditWord | null => (Object.hasOwn(sentences, key) ? (key as AuditWord) : null)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

/** Ids, digests and what the sentence says: they stay in the technical details. */
const silent = /(?:^|[a-z])(?:Id|Hash|Index)$|^(?:digest|changes|action|before|after|mode)$/
const inSentence = ['clientId', 'childId', 'startsAt', 'deputyId', 'accountId']
/** Free text: no word of ours stands for it. */
const asWritten = ['reason', 'note', 'name']

export function told(entry: Entry, speech: Speech): Told {
  const { say, time } = speech
  const { details } = entry
  const someone = say('someone')
  const person = (id: unknown) => (typeof id === 'string' ? shownName(entry.names[id]) : null)
  const who = whoOf(entry, say)
  const target = shownName(entry.targetName) ?? someone
  const [from, to] = pairOf(details)
  const value = (part: unknown) => (part === undefined ? null : inWords(part, '', entry, speech))
  const key = known(`did ${entry.type} ${entry.action}`)
  const startsAt = details.fromStartsAt ?? details.startsAt
  const values = {
    ...{ who, target, from: value(from), to: value(to) },
    client: person(details.clientId ?? details.childId) ?? (entry.action.startsWith('guardianship_') ? someone : null),
    ...{ deputy: person(details.deputyId), account: person(details.accountId) },
    when: typeof startsAt === 'string' ? time(startsAt) : null,
  }
  const text = key ? say(key, values) : say('unknownAction', { who, action: shown(entry.action) })
  return { text, who, target, rows: rowsOf(entry, speech, key !== null && sentences[key]?.includes('{from}') === true) }
}

const shownName = (name: unknown): string | null => (typeof name === 'string' && name !== '' ? shown(name) : null)

function whoOf({ actorId, actorName }: Entry, say: Say<AuditWord>): string {
  const name = shownName(actorName)
  if (actorId?.startsWith('key_')) return say('agent', { name: name ?? `…${actorId.slice(-4)}` })
  if (name !== null) return say('personNamed', { name })
  return say(actorId !== null && /^[0-9a-f-]{36}$/.test(actorId) ? 'somebody' : 'service')
}

const pairOf = ({ from, to, fromRoles, toRoles }: Entry['details']) =>
  fromRoles === undefined ? [from, to] : [fromRoles, toRoles]

function rowsOf(entry: Entry, speech: Speech, saysPair: boolean): readonly Row[] {
  const { details } = entry
  const row = (field: string, before: unknown, after: unknown): Row => ({
    label: fieldInWords(field, speech),
    before: before === undefined ? null : inWords(before, field, entry, speech),
    after: inWords(after, field, entry, speech),
  })
  const changes = Array.isArray(details.changes) ? details.changes.filter(isObject) : []
  const [from, to] = pairOf(details)
  const pairs = Object.keys(details).flatMap((name) => {
    const [, rest] = /^from([A-Z]\w*)$/.exec(name) ?? []
    return rest === undefined || rest === 'Roles' || details[`to${rest}`] === details[name]
      ? []
      : [row(rest, details[name], details[`to${rest}`])]
  })
  const rest = Object.entries(details).filter(
    ([name]) => !silent.test(name) && !inSentence.includes(name) && !/^(?:from|to)(?:[A-Z]|$)/.test(name),
  )
  return [
    ...(saysPair || to === undefined || from === to ? [] : [row('status', from ?? undefined, to)]),
    ...pairs,
    ...changes.map(({ field, old, new: after }) => row(String(field), old, after)),
    ...leaves(details.before, details.after).map(([field, old, after]) => row(field, old, after)),
    ...rest.filter(([, value]) => value !== null).map(([name, value]) => row(name, undefined, value)),
  ]
}

/** Settings that an entry holds as two texts of JSON. */
function leaves(before: unknown, after: unknown): readonly (readonly [field: string, old: unknown, after: unknown])[] {
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const [one, other] = [parsed(before), parsed(after)]
  if (!isObject(one) || !isObject(other)) return []
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .map((name) => [name, one[name] ?? null, other[name] ?? null] as const)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `hours.monday` as “Hours › Monday”. */
const fieldInWords = (field: string, { say, language }: Speech): string =>
  field
    .split('.')
    .map((step) => {
      const key = known(`field ${step}`)
      return key ? say(key) : (labelOf([step], language)[0] as string)
    })
    .join(' › ')

function inWords(value: unknown, field: string, entry: Entry, speech: Speech): string {
  const { say, time } = speech
  if (value === null || value === '') return say('nothing')
  if (typeof value === 'string') {
    const name = shownName(entry.names[value])
    if (name !== null) return say('personNamed', { name })
    if (isTime(value)) return time(value)
    if (entry.type === 'integrity.alarm' && field === 'reason') return shown(speech.chainReason?.(value) ?? value)
    if (asWritten.includes(field)) return value.split(/\r?\n/).map(shown).join('\n')
    if (field === 'fields')
      return value
        .split(' ')
        .map((each) => fieldInWords(each, speech))
        .join(', ')
    const json = /^[[{]/.test(value) ? parsed(value) : value
    if (typeof json !== 'string') return inWords(json, field, entry, speech)
    return value
      .split(', ')
      .map((each) => {
        const key = known(`value ${each}`)
        return key ? say(key) : shown(each)
      })
      .join(', ')
  }
  if (Array.isArray(value)) return value.map((each) => inWords(each, field, entry, speech)).join(', ') || say('nothing')
  if (isObject(value)) {
    const parts = Object.entries(value).map(([name, each]) => {
      return `${fieldInWords(name, speech)} ${inWords(each, name, entry, speech)}`
    })
    return parts.join(', ') || say('nothing')
  }
  const key = known(`value ${value}`)
  return key ? say(key) : String(value)
}
