/** A decision that cannot change any more: who closed it, when, the seal, the receipt and the way to the proof. */
import { sealDrawing } from '@countersign/design/seal.ts'
import type { Deciding } from '@countersign/proof/deciding.ts'
import { decisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import type { Decision, GivenApproval, InboxItem } from '@countersign/sdk'
import { dpuIdOf, nameOf } from '../decision/read.ts'
import { timeText } from '../ui/clock.ts'
import { button, type Child, make, picture } from './dom.ts'
import { emergencyView } from './emergency-view.ts'
import { say, spoken, type View } from './page.ts'
import { sealsView } from './seals-view.ts'
import { call } from './wire.ts'

/** The decision that waits next. */
export interface Waiter {
  readonly item: InboxItem
  readonly count: number
  /** There are more than were counted. */
  readonly isMore: boolean
}

type Closed = Exclude<Deciding<GivenApproval>, { kind: 'open' }>

interface Shown {
  readonly owner: string | undefined
  readonly decision: Decision
  /** The actor who looks. */
  readonly viewer: string
  readonly standing: Closed
  /** This person has just sent a decision. */
  readonly sent: boolean
  readonly next: Waiter | null
  /** What stood in the way of a confirmation. */
  readonly fault: Child
  confirm(result: 'confirmed' | 'objected', reason: string): Promise<void>
}

const at = (iso: string): string => timeText(iso, spoken(), 'long')

/** Made of values: what an agent says about a decision is no heading. */
const headlineOf = (decision: Decision): string => headlineText(decisionView(decision, spoken()))

/** Groups of four, the middle left out. */
const shortHash = (hash: string): string => {
  const hex = hash.replace(/^sha256:/, '')
  return hex.length < 16 ? hex : `${hex.slice(0, 4)} ${hex.slice(4, 8)} … ${hex.slice(-4)}`
}

const sealed = ({ evidence }: Decision): boolean => evidence.chainHash !== null

/** The whole proof as a file: the same bytes that the server answers. */
async function download(decision: Decision, fault: HTMLElement): Promise<void> {
  fault.textContent = ''
  const answer = await call<object>('GET', `/dpu/${dpuIdOf(decision)}/export`)
  if (!answer.ok) {
    fault.textContent = say('downloadFailed')
    return
  }
  const file = new Blob([JSON.stringify(answer.data, null, 2)], { type: 'application/ld+json' })
  const link = make<HTMLAnchorElement>('a', {
    download: `${decision.evidence.id}.jsonld`,
    href: URL.createObjectURL(file),
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The stamp above is the only seal: the box is for paper. */
const isSmall = ({ lines, approvals }: Decision): boolean =>
  approvals.length <= 1 && lines.flatMap(({ steps }) => steps.flatMap(({ places }) => places)).length <= 1

function receiptView({ decision, viewer }: Shown, by: GivenApproval | null): HTMLElement {
  const { chainIndex, chainHash } = decision.evidence
  const rows: (readonly [string, Child])[] = []
  if (by) {
    rows.push([by.result === 'approved' ? say('approver') : say('refuser'), nameOf(by)])
    rows.push([say('level'), say(`level ${by.identity.level}`)])
    rows.push([say('sealedAt'), at(by.createdAt)])
    if (decision.usableUntil) rows.push([say('usableUntil'), at(decision.usableUntil)])
    if (by.onBehalfOf) rows.push([say('onBehalf'), by.onBehalfOfName ?? by.onBehalfOf])
    if (by.reason) rows.push([say('opinionGiven'), by.reason])
  }
  if (chainIndex !== null) rows.push([say('place'), say('placeValue', { index: chainIndex + 1 })])
  if (chainHash !== null) rows.push([say('hash'), make('span', { class: 'mono' }, chainHash)])
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, say('receipt')),
    make('div', { class: isSmall(decision) ? 'paper-only' : '' }, sealsView(decision, viewer)),
    make(
      'dl',
      { class: 'facts' },
      rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
    ),
    make('p', { class: 'small soft' }, say('verifyNote')),
  )
}

/** Goes on without the list: the session stays. */
export const nextLink = ({ item, count, isMore }: Waiter): HTMLElement =>
  make(
    'a',
    { class: 'btn first', id: 'next', href: `/approve/${encodeURIComponent(item.eventId)}` },
    say('nextOf', { count: isMore ? `${count}+` : count }),
  )

function storyOf({ decision, standing, sent }: Shown): { title: string; text: readonly string[] } {
  const time = (iso: string) => ({ time: at(iso) })
  if (decision.emergency?.mayConfirm) return { title: say('confirmTitle'), text: [] }
  switch (standing.kind) {
    case 'expired':
      return { title: say('expiredTitle'), text: [say('expiredBody', time(standing.at))] }
    case 'replaced':
      return { title: say('replacedTitle'), text: [say('replacedBody', time(standing.at))] }
    case 'withdrawn':
      return { title: say('withdrawnTitle'), text: [say('withdrawnBody', time(standing.at))] }
    case 'refusedByRule':
      return { title: say('ruleTitle'), text: [say('ruleBody', time(standing.at))] }
    case 'sealed':
      return { title: say('closedTitle'), text: [say('closedBody', time(standing.at))] }
    default: {
      const { by, kind, mine } = standing
      const values = { name: nameOf(by), ...time(by.createdAt) }
      if (mine) return { title: '', text: [say(kind === 'approved' ? 'doneApproved' : 'doneRefused', values)] }
      const text = say(kind === 'approved' ? 'fasterApproved' : 'fasterRefused', values)
      return { title: say('fasterTitle'), text: sent ? [text, say('notKept')] : [text] }
    }
  }
}

export function closedView(shown: Shown): View {
  const { decision, owner, standing, next } = shown
  const by = 'by' in standing ? standing.by : null
  const { title, text } = storyOf(shown)
  const hash = decision.evidence.chainHash
  const mine = 'mine' in standing && standing.mine
  const fault = make('p', { class: 'fault', role: 'alert' })
  const loading = (kind: string) => button(say('download'), kind, () => download(decision, fault), say('working'))
  return {
    title: say('decisionTitle'),
    owner,
    className: mine ? 'sealed pressing' : 'sealed',
    end: by && make('p', { class: 'small soft' }, timeText(by.createdAt, spoken(), 'clock')),
    body: [
      by &&
        make(
          'div',
          { class: 'stamp' },
          picture(
            sealDrawing({
              level: by.identity.level,
              name: nameOf(by),
              hash: hash ?? decision.actionDigest,
              size: 188,
              label: say(`seal${by.identity.level}`, { name: nameOf(by) }),
            }),
          ),
        ),
      mine && by
        ? make(
            'h1',
            { class: 'sentence' },
            say(by.result === 'approved' ? 'sealedWhat' : 'refusedWhat', { what: headlineOf(decision) }),
          )
        : make('h1', { class: 'notice-title' }, title),
      hash &&
        make(
          'p',
          { class: 'hash' },
          decision.evidence.chainIndex !== null && `${decision.evidence.chainIndex} `,
          make('b', {}, shortHash(hash)),
        ),
      text.map((each) => make('p', { class: 'notice-text' }, each)),
      !mine && make('p', { class: 'soft asked' }, headlineOf(decision)),
      emergencyView(shown),
      sealed(decision) && receiptView(shown, by),
      sealed(decision) && next && loading('plain'),
    ],
    act:
      sealed(decision) &&
      make(
        'section',
        { class: 'act pair', 'aria-label': say('receipt') },
        fault,
        make('a', { class: 'btn plain', href: `/verify/${encodeURIComponent(decision.evidence.id)}` }, say('verify')),
        next ? nextLink(next) : loading('first'),
      ),
  }
}
