/**
 * The boxes for the seals of a decision (결재란), as elements that the console and the approval page both draw: one box for each
 * approval line, its steps from the left, each with its places. A place is filled, open to whoever's turn it is, or later. Pure.
 */
import { type Drawing, draw } from '@countersign/design/drawing.ts'
import { sealDrawing } from '@countersign/design/seal.ts'
import type { Decision, DecisionLine, GivenApproval } from '@countersign/sdk'
import type { Language, Say } from '../app/i18n.ts'
import { numberText, timeText } from '../ui/clock.ts'
import { asksForTwo, nameOf, visible } from './read.ts'

type Level = GivenApproval['identity']['level']
type Step = DecisionLine['steps'][number]
type State = NonNullable<Decision['emergency']>['state']
type Confirmation = NonNullable<Decision['emergency']>['confirmations'][number]

const whyVoid = ['role', 'member', 'key', 'takenBack', 'order', 'policy'] as const
export type BoxWord =
  | `level${Level}`
  | `seal${Level}`
  | `needs${Step['identity']}`
  | `void${(typeof whyVoid)[number] | 'other'}`
  | 'approval'
  | 'approves'
  | 'agreement'
  | 'andOthers'
  | 'box'
  | 'boxOf'
  | 'delegated'
  | 'emergency'
  | `emergency${State}`
  | 'emergencyGiven'
  | 'emergencyMark'
  | 'notConfirmed'
  | 'objects'
  | 'toConfirm'
  | 'deputy'
  | 'deputyFor'
  | 'lineDone'
  | 'noApproval'
  | 'nobody'
  | 'nobodyLong'
  | 'notNeeded'
  | 'oneOf'
  | 'remaining'
  | 'refuses'
  | 'stepNumber'
  | 'stepPeople'
  | 'struck'
  | 'turnLater'
  | 'turnLine'
  | 'turnMine'
  | 'turnOf'
  | 'turnOpen'
  | 'waits'

export interface BoxContext {
  readonly say: Say<BoxWord>
  readonly language: Language
  /** The actor who looks: their own turn is named as theirs. */
  readonly viewer: string
}

interface Cell {
  readonly title: string
  readonly note: string
  readonly places: readonly Drawing[]
  readonly foot: readonly (Drawing | string)[]
  readonly isCurrent?: boolean
}

const sealSize = 72
/** More places than this stand below one another. */
const widest = 5

export function sealBoxes(decision: Decision, context: BoxContext): Drawing {
  const { lines } = decision
  const boxes = lines.length === 0 ? [plainBox(decision, context)] : lineBoxes(decision, context)
  return draw('div', { class: 'seal-lines' }, ...boxes)
}

/** A decision without lines: nothing asks for an approval, or it was sealed before lines were recorded. */
function plainBox(decision: Decision, context: BoxContext): Drawing {
  const { say } = context
  const { approvals, waiting } = decision
  const counting = approvals.filter((given) => !isStruck(given)).length
  const open = isOpen(decision) ? Math.max(1, (asksForTwo(decision) ? 2 : 1) - counting) : 0
  const empty = waiting === null ? hole('', say('noApproval')) : hole('turn', say('turnOpen'))
  const cells = [
    ...approvals.map((given) => givenCell(given, decision, context)),
    ...Array.from({ length: open }, () => ({
      title: say('approves'),
      note: '',
      places: [empty],
      foot: [say('waits')],
    })),
  ]
  return box({ side: say('approval'), label: say('box'), cells, caption: [] })
}

function lineBoxes(decision: Decision, context: BoxContext): readonly Drawing[] {
  const { say } = context
  const { approvals, lines } = decision
  const seated = new Set(
    lines.flatMap(({ emergency, steps }) => [
      emergency,
      ...steps.flatMap(({ places }) => places.map((each) => each.approval)),
    ]),
  )
  const unseated = approvals.filter((_, at) => !seated.has(at))
  const refused = unseated.filter(({ result }) => result !== 'approved')
  const struck = unseated.filter(({ result }) => result === 'approved')
  // The longest line is the one that decides; those beside it agree.
  const main = lines.reduce((longest, line, at) => (stepsOf(line) > stepsOf(lines[longest]) ? at : longest), 0)
  const isAlone = lines.length === 1 && stepsOf(lines[0]) === 1
  const atSteps = new Set(lines.flatMap(({ steps }) => steps.flatMap((step) => step.struck)))
  const elsewhere = struck.filter((given) => !atSteps.has(approvals.indexOf(given)))
  const struckAt = (step: Step) => [...step.struck.flatMap((at) => approvals[at] ?? []), ...(isAlone ? elsewhere : [])]
  const boxes = lines.map((line, at) => {
    const cells = [
      ...emergencyCell(line, decision, context),
      ...line.steps.map((step, number) => stepCell(step, number, line, decision, struckAt(step), context)),
      ...objections(line, decision, context),
    ]
    const isQuiet = isAlone && line.steps[0]?.places.length === 1 && line.emergency === null
    return box({
      side: say(at === main ? 'approval' : 'agreement'),
      label: line.name === null ? say('box') : say('boxOf', { policy: visible(line.name) }),
      cells: at === main ? [...cells, ...refused.map((given) => givenCell(given, decision, context))] : cells,
      caption: isQuiet ? [] : captionOf(line, decision, context),
    })
  })
  if (isAlone || elsewhere.length === 0) return boxes
  const cells = elsewhere.map((given) => givenCell(given, decision, context))
  return [...boxes, box({ side: say('struck'), label: say('struck'), cells, caption: [] })]
}

const stepsOf = (line: DecisionLine | undefined): number => line?.steps.length ?? 0
const isOpen = ({ status }: Decision): boolean => status !== 'sealed' && status !== 'rejected'
const isStruck = ({ result, void: why, takenBackAt }: GivenApproval): boolean =>
  result === 'approved' && (why !== undefined || takenBackAt !== undefined)

/** An emergency approval stands for this line, whose places are open until they are confirmed. */
const confirmState = ({ emergency }: DecisionLine, decision: Decision): State | null =>
  emergency === null ? null : (decision.emergency?.state ?? null)
/** Somebody can still fill a place of this line. */
const isFilling = (line: DecisionLine, decision: Decision): boolean =>
  isOpen(decision) ? line.emergency === null : confirmState(line, decision) === 'open'

function emergencyCell({ emergency }: DecisionLine, decision: Decision, context: BoxContext): readonly Cell[] {
  const given = emergency === null ? undefined : decision.approvals[emergency]
  if (!given) return []
  const title = context.say('emergency')
  return [{ title, note: '', places: [place(given, decision, context)], foot: givenFoot(given, context) }]
}

/** A confirmation has a seal like an approval. */
const confirmed = ({ by, name, level, at, onBehalfOf, reason }: Confirmation): GivenApproval => ({
  approvalId: by,
  approver: { id: by, type: 'human', ...(name !== null && { name }) },
  result: 'approved',
  identity: { level, by } as GivenApproval['identity'],
  createdAt: at,
  ...(onBehalfOf !== undefined && { onBehalfOf }),
  ...(reason !== undefined && { reason }),
})

function objections(line: DecisionLine, decision: Decision, context: BoxContext): readonly Cell[] {
  if (line.emergency === null) return []
  const objected = decision.emergency?.confirmations.filter(({ result }) => result === 'objected') ?? []
  return objected.map((each) => {
    const given = { ...confirmed(each), result: 'rejected' } as const
    const title = context.say('objects')
    return { title, note: '', places: [place(given, decision, context)], foot: givenFoot(given, context) }
  })
}

const titleOf = ({ title }: Step, number: number, line: DecisionLine, say: Say<BoxWord>): string => {
  if (title !== null) return visible(title)
  return stepsOf(line) === 1 ? say('approves') : say('stepNumber', { number: number + 1 })
}

function stepCell(
  step: Step,
  number: number,
  line: DecisionLine,
  decision: Decision,
  struck: readonly GivenApproval[],
  context: BoxContext,
): Cell {
  const { say, language } = context
  const filled = step.places.flatMap(({ approval, confirmation }) => {
    const confirming = confirmation === null ? undefined : decision.emergency?.confirmations[confirmation]
    if (confirming) return [confirmed(confirming)]
    return approval === null ? [] : (decision.approvals[approval] ?? [])
  })
  const missing = step.places.length - filled.length
  const isCurrent = step.current && isFilling(line, decision)
  const notes = [
    ...(step.places.length > 1 ? [say('stepPeople', { count: numberText(step.places.length, language) })] : []),
    ...(step.delegated ? [say('delegated')] : []),
  ]
  return {
    title: titleOf(step, number, line, say),
    note: notes.join(' · '),
    places: [
      ...struck.map((given) => place(given, decision, context, true)),
      ...filled.map((given) => place(given, decision, context)),
      ...Array.from({ length: missing }, () => emptyPlace(step, line, decision, context)),
    ],
    foot: footOf(step, line, filled, missing, decision, struck, context),
    isCurrent,
  }
}

function emptyPlace(
  step: Step,
  line: DecisionLine,
  decision: Decision,
  { say, viewer, language }: BoxContext,
): Drawing {
  if (!isOpen(decision) && !isFilling(line, decision)) {
    const text = say(line.emergency === null ? 'notNeeded' : 'notConfirmed')
    return draw('span', { class: 'place over' }, draw('span', { class: 'hole' }, text))
  }
  if (!step.current) return hole('', '')
  const { people, peopleCount } = step
  const [first] = people
  if (people.some(({ actorId }) => actorId === viewer)) return hole('turn', say('turnMine'))
  if (peopleCount === 0) return hole('turn', say('nobody'))
  if (peopleCount === 1 && first) return hole('turn', say('turnOf', { name: visible(first.name) }))
  return hole('turn', say('oneOf', { people: numberText(peopleCount, language) }))
}

function footOf(
  step: Step,
  line: DecisionLine,
  filled: readonly GivenApproval[],
  missing: number,
  decision: Decision,
  struck: readonly GivenApproval[],
  context: BoxContext,
): readonly (Drawing | string)[] {
  const { say, language } = context
  const [only] = filled
  if (step.places.length === 1 && only && struck.length === 0) return givenFoot(only, context)
  const names = filled.map(nameOf)
  const notes = struck.map((given) => `${nameOf(given)}: ${whyOf(given, say)}`)
  if (!isFilling(line, decision) || missing === 0) return [[...names, ...notes].join(', ')]
  if (!step.current) return [say('turnLater')]
  const count = numberText(missing, language)
  const need = line.emergency === null || step.identity === 'passkey' ? say(`needs${step.identity}`) : say('toConfirm')
  const rest =
    step.places.length === 1 ? need : say('remaining', { count, people: numberText(step.peopleCount, language) })
  return [[...notes, ...names, rest].join(' · ')]
}

function givenCell(given: GivenApproval, decision: Decision, context: BoxContext): Cell {
  const { say } = context
  const isRefusal = given.result !== 'approved'
  const struck = !isRefusal && (isStruck(given) || decision.lines.length > 0)
  return {
    title: say(isRefusal ? 'refuses' : 'approves'),
    note: '',
    places: [place(given, decision, context, struck)],
    foot: struck ? [`${nameOf(given)} · ${whyOf(given, say)}`] : givenFoot(given, context),
  }
}

function whyOf({ void: why, takenBackAt }: GivenApproval, say: Say<BoxWord>): string {
  if (takenBackAt !== undefined) return say('voidtakenBack')
  return say(`void${whyVoid.find((each) => each === why) ?? 'other'}`)
}

/** On paper a seal has the person's name below it. */
function givenFoot(given: GivenApproval, { say, language }: BoxContext): readonly (Drawing | string)[] {
  const name = nameOf(given)
  if (given.onBehalfOf) {
    const principal = visible(given.onBehalfOfName ?? given.onBehalfOf)
    return [say('deputyFor', { name, principal })]
  }
  const time = draw('span', { class: 'on-screen' }, ` · ${timeText(given.createdAt, language, 'clock')}`)
  const date = draw('span', { class: 'on-paper' }, timeText(given.createdAt, language, 'short'))
  const isPerson = given.identity.level !== 'system'
  return [
    ...(isPerson ? [draw('span', { class: 'on-paper' }, name)] : []),
    say(`level${given.identity.level}`),
    time,
    date,
  ]
}

function place(given: GivenApproval, decision: Decision, { say }: BoxContext, struck = false): Drawing {
  const { level } = given.identity
  const name = nameOf(given)
  if (given.result !== 'approved') {
    const who = level === 'system' ? say('levelsystem') : name
    return draw('span', { class: 'place broken' }, draw('span', { class: 'refusal' }, `✕ ${who}`))
  }
  const label = say(`seal${level}`, { name })
  const hash = decision.evidence.chainHash ?? decision.actionDigest
  const marked = given.emergency ? say('emergencyMark') : given.onBehalfOf ? say('deputy') : null
  const mark = marked === null ? [] : [draw('span', { class: 'mk' }, marked)]
  const drawing = sealDrawing({
    level,
    name,
    hash,
    size: sealSize,
    label: struck ? `${label}, ${say('struck')}` : label,
  })
  return draw('span', { class: struck ? 'place gone' : 'place' }, ...mark, drawing)
}

const hole = (kind: 'turn' | '', text: string): Drawing =>
  draw('span', { class: 'place' }, draw('span', { class: `hole ${kind}`.trim() }, text))

/** Which policy's line it is, where there are several, and whose turn it is. */
function captionOf(line: DecisionLine, decision: Decision, context: BoxContext): readonly (Drawing | string)[] {
  const { say } = context
  const at = line.steps.findIndex(({ current }) => current)
  const step = line.steps[at]
  const policy = decision.lines.length > 1 && line.name !== null ? [draw('b', {}, visible(line.name)), ' · '] : []
  if (line.emergency !== null) return [...policy, ...emergencyCaption(line, decision, context)]
  if (line.full) return policy.length > 0 ? [...policy, say('lineDone')] : []
  if (!step || !isOpen(decision)) return policy
  const title = titleOf(step, at, line, say)
  const people = step.peopleCount === 0 ? say('nobodyLong') : peopleText(step, context)
  return [...policy, draw('span', { class: 'waiting' }, say('turnLine', { title, people }))]
}

function emergencyCaption(line: DecisionLine, decision: Decision, { say, language }: BoxContext): readonly Drawing[] {
  const { emergency } = decision
  const state = confirmState(line, decision)
  if (!emergency || !state) return [draw('span', { class: 'waiting' }, say('emergencyGiven'))]
  const tone = { open: 'waiting', confirmed: 'verified', objected: 'broken', unconfirmed: 'broken' }[state]
  const glyph = { open: '◷', confirmed: '✓', objected: '✕', unconfirmed: '○' }[state]
  const time = timeText(emergency.confirmBy, language, 'short')
  return [draw('span', { class: tone }, `${glyph} ${say(`emergency${state}`, { time })}`)]
}

const mostNamed = 3

function peopleText({ people, peopleCount, places }: Step, { say, language }: BoxContext): string {
  const named = people.slice(0, mostNamed).map(({ name }) => visible(name))
  const others = peopleCount - named.length
  if (named.length === 0) {
    const count = places.filter(({ approval }) => approval === null).length
    return say('remaining', { count, people: numberText(peopleCount, language) })
  }
  const names = named.join(', ')
  return others > 0 ? say('andOthers', { names, count: numberText(others, language) }) : names
}

interface Box {
  readonly side: string
  readonly label: string
  readonly cells: readonly Cell[]
  readonly caption: readonly (Drawing | string)[]
}

function box({ side, label, cells, caption }: Box): Drawing {
  const wide = cells.reduce((sum, { places }) => sum + places.length, 0)
  return draw(
    'div',
    { class: 'seal-group', role: 'group', 'aria-label': label },
    draw(
      'div',
      { class: `seal-line n${Math.min(wide, widest)}` },
      draw('span', { class: 'side', 'aria-hidden': 'true' }, side),
      draw(
        'ol',
        {},
        ...cells.map(({ title, note, places, foot, isCurrent }) =>
          draw(
            'li',
            { class: `p${Math.min(places.length, widest)}`, ...(isCurrent && { 'aria-current': 'step' }) },
            draw('span', { class: 'role' }, title, ...(note === '' ? [] : [' ', draw('small', {}, note)])),
            draw('span', { class: 'places' }, ...places),
            draw('span', { class: 'how' }, ...foot),
          ),
        ),
      ),
    ),
    ...(caption.length === 0 ? [] : [draw('p', { class: 'seal-turn' }, ...caption)]),
  )
}
