/** `/approve/<eventId>`: from the address in a mail to a seal. Opening it changes nothing. */
import { compareDigest, decidingOf } from '@countersign/proof/deciding.ts'
import { decisionView as viewOf } from '@countersign/proof/decision-view.ts'
import type { Center as CenterDetails, CurrentActor, Decision, InboxItem, PasskeyStanding } from '@countersign/sdk'
import { endSession, knownSession, type Session, type SessionRefusal, switchCenter } from '../app/session.ts'
import { setZone } from '../app/zone.ts'
import { decide as send, confirm as sendConfirmation } from '../decision/decide.ts'
import { unread, type Watching, watchReading } from '../decision/reading.ts'
import { durationText } from '../ui/clock.ts'
import { approvesText, showProgress } from './act-view.ts'
import { learnCauses } from './causes.ts'
import { closedView, nextLink, type Waiter } from './closed-view.ts'
import type { Deciding } from './deciding.ts'
import { decisionView, leftText } from './decision-view.ts'
import { button, byId, type Child } from './dom.ts'
import { keepDraft, takeDraft } from './draft.ts'
import { obstacleText } from './obstacle.ts'
import { type Center, isElsewhere, type Opening, openingOf, type Trouble, troubleOf } from './opening.ts'
import { announce, loading, notice, say, show, speakAs, spoken } from './page.ts'
import { sealsView } from './seals-view.ts'
import { addressOf, call, wire } from './wire.ts'

/** More are not counted. */
const mostCounted = 20

export function approvePage(eventId: string): Promise<void> {
  const address = addressOf(eventId)
  const draft = takeDraft(eventId)
  const tried = new Set<number>()
  /** A decision was sent from here, so that its outcome is about this person too. */
  let sent = false
  /** Stops what looks after the view that is shown. */
  let leave = () => {}
  let read = unread()

  const fetched = () => wire.read(eventId)
  const opened = ({ actionDigest }: Decision) => call('POST', `${address}/opened`, { actionDigest })

  /** The console signs people in, and leads back here. */
  function signIn(): void {
    keepDraft(eventId, draft)
    location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)
  }

  async function signOut(): Promise<void> {
    await endSession()
    signIn()
  }

  function ended(): void {
    leave()
    show(() => notice(say('endedTitle'), [say('sessionEnded')], button(say('signIn'), 'first', signIn)))
  }

  async function open(): Promise<void> {
    leave()
    const session = await loading(knownSession().catch((refusal: SessionRefusal) => refusal))
    if (session instanceof Error) return unable(troubleOf(session))
    if (session === null) return signIn()
    const { center } = session
    if (center) tried.add(center.id)
    const [answer] = await loading(Promise.all([fetched(), center ? learnCenter(center.id) : undefined]))
    if (answer.ok) return present(session, answer.data)
    if (!isElsewhere(answer)) return unable(troubleOf(answer))
    const me = await loading(call<CurrentActor>('GET', '/auth/me'))
    const opening = me.ok ? openingOf(answer, me.data, tried) : troubleOf(me)
    if (opening.kind === 'choose') choose(session, opening.centers)
    else unable(opening)
  }

  /** Before a time or a role is shown. Without an answer the zone of the browser and neutral words stay. */
  async function learnCenter(centerId: number): Promise<void> {
    const center = await call<Pick<CenterDetails, 'settings'>>('GET', `/centers/${centerId}`)
    if (!center.ok) return
    setZone(eventId, center.data.settings.timezone)
    speakAs(center.data.settings.terms)
  }

  function unable(opening: Exclude<Opening, { kind: 'choose' }>): void {
    if (opening.kind === 'signIn') ended()
    else show(() => troubleView(opening))
  }

  function troubleView(trouble: Trouble) {
    const other = () => button(say('otherAccount'), '', signOut)
    const retry = () => button(say('again'), 'first', open, say('working'))
    switch (trouble.kind) {
      case 'notFound':
        return notice(say('notFoundTitle'), [say('notFoundBody')], other())
      case 'noRight':
        return notice(say('noRightTitle'), [say('noRightBody')], other())
      case 'offline':
        return notice(say('offlineTitle'), [say('offlineBody')], retry())
      case 'busy': {
        const time = durationText(trouble.seconds * 1000, spoken())
        return notice(say('busyTitle'), [say('busyBody', { time })], retry())
      }
      default:
        return notice(say('failedTitle'), [say('failedBody', { code: trouble.code })], retry())
    }
  }

  /** The address does not name the center, and another center may not learn that it was looked for there. */
  function choose({ center: current }: Session, centers: readonly Center[]): void {
    const enter = (center: Center) => async () => {
      tried.add(center.centerId)
      // Without a session in that center, reading says why.
      await switchCenter(center.centerId).catch(() => null)
      await open()
    }
    show(() =>
      notice(
        say('chooseTitle'),
        [current === null ? say('chooseBody') : say('chooseOther', { center: current.name })],
        centers.map((center) => button(center.centerName, '', enter(center), say('working'))),
      ),
    )
  }

  /** Of the same content drawn again, the page stays where it is and what was read stays read. */
  function present(
    session: Session,
    decision: Decision,
    fault: () => Child = () => null,
    next: Waiter | null = null,
  ): void {
    leave()
    const standing = decidingOf(decision, session.actor.id, Date.now())
    const owner = session.center?.name
    if (standing.kind !== 'open') {
      const confirm = (result: 'confirmed' | 'objected', reason: string) =>
        confirming(session, decision, result, reason)
      const viewer = session.actor.id
      show(() => closedView({ owner, decision, viewer, standing, sent, next, confirm, fault: fault() }))
      if (fault() !== null) byId('fault').focus({ preventScroll: true })
      return
    }
    const policies = (decision.waiting?.policies ?? []).map(({ id, version }) => `${id} ${version}`)
    const content = [decision.id, decision.actionDigest, ...policies].join()
    const isSame = read.of.startsWith(content)
    // The first opening is stated with an approval; a failure to note it does not stop the person.
    if (!isSame) void opened(decision)
    let watching: Watching | undefined
    const deciding: Omit<Deciding, 'fault'> = {
      ...{ name: session.actor.name, viewer: session.actor.id, owner, decision, draft, signOut, mine: standing.mine },
      compared: compareDigest(decision),
      read: () => read,
      decide: (result) => decide(session, decision, result),
      comment: (text) => comment(session, text),
      takeBack: () => takeBack(session),
      keepReading: () => watching?.ahead(),
    }
    const drawn = () => {
      watching?.stop()
      const bar = byId('act')
      if (!bar) return
      const of = `${content} ${spoken()}`
      if (read.of !== of) read = unread(of)
      watching = watchReading(
        read,
        byId('page'),
        bar,
        () => 0,
        (done, total) => showProgress(done, total, approvesText(deciding)),
      )
    }
    show(() => decisionView({ ...deciding, fault: fault() }), { quiet: isSame, drawn })
    if (fault() !== null) byId('fault').focus({ preventScroll: true })
    const unwatch = watch(session, decision)
    leave = () => {
      unwatch()
      watching?.stop()
    }
  }

  /** Renews the time that is left, and looks again when the person returns to the page. */
  function watch(session: Session, decision: Decision): () => void {
    const expiresAt = decision.waiting?.expiresAt ?? null
    const turn = decision.waiting?.turn
    const timer = setInterval(() => {
      if (turn && !turn.now) void look()
      if (expiresAt === null) return
      if (Date.parse(expiresAt) <= Date.now()) present(session, decision)
      else byId('left').textContent = leftText(expiresAt)
    }, 15_000)
    /** Somebody has closed it, or it is this person's turn now. */
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await fetched()
      if (!answer.ok) return
      const isClosed = decidingOf(answer.data, session.actor.id, Date.now()).kind !== 'open'
      if (isClosed || answer.data.waiting?.turn?.now !== turn?.now) present(session, answer.data)
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }

  async function comment(session: Session, text: string): Promise<boolean> {
    const answer = await call('POST', `${address}/comments`, { text })
    if (!answer.ok && answer.status !== 409) return false
    if (answer.ok) draft.comment = ''
    const fresh = await fetched()
    if (fresh.ok) present(session, fresh.data)
    announce(say('asked'))
    return true
  }

  async function takeBack(session: Session): Promise<void> {
    const answer = await call('POST', `${address}/approvals/take-back`)
    const fresh = await fetched()
    if (!fresh.ok) return unable(troubleOf(fresh))
    read = unread()
    present(session, fresh.data, () => (answer.ok ? null : say('stopfailed')))
  }

  async function decide(session: Session, decision: Decision, result: 'approved' | 'rejected'): Promise<void> {
    const reason = draft.reason.trim()
    // An approval needs the opening, and the first try to note it may have failed.
    if (result === 'approved') await opened(decision)
    const outcome = await send(wire, decision, viewOf(decision, spoken()), session.actor.id, {
      ...{ result, reason },
      ...(draft.emergency && { emergency: draft.emergency }),
    })
    if (outcome.kind === 'obstacle') {
      if (outcome.obstacle === 'ended') return ended()
      const standing = outcome.obstacle === 'needsPasskey' ? await standingHere() : null
      await learnCauses(outcome.named)
      return present(session, outcome.decision ?? decision, () => obstacleText(outcome, standing))
    }
    sent = true
    const next = outcome.kind === 'faster' ? null : await nextOf()
    if (outcome.kind === 'first') first(session, outcome.decision, next)
    else present(session, outcome.decision, undefined, next)
  }

  async function confirming(
    session: Session,
    decision: Decision,
    result: 'confirmed' | 'objected',
    reason: string,
  ): Promise<void> {
    const outcome = await sendConfirmation(wire, decision, session.actor.id, { result, ...(reason && { reason }) })
    if (outcome.kind !== 'obstacle') {
      present(session, outcome.decision)
      if (outcome.kind === 'confirmed') announce(say(result === 'confirmed' ? 'confirmedNow' : 'objectedNow'))
      return
    }
    if (outcome.obstacle === 'ended') return ended()
    const standing = outcome.obstacle === 'needsPasskey' ? await standingHere() : null
    await learnCauses(outcome.named)
    present(session, outcome.decision ?? decision, () => obstacleText(outcome, standing))
  }

  async function standingHere(): Promise<PasskeyStanding | null> {
    const answer = await call<PasskeyStanding>('GET', '/auth/passkeys/standing')
    return answer.ok ? answer.data : null
  }

  /** What else waits for this person, the next to expire first. */
  async function nextOf(): Promise<Waiter | null> {
    const waiting = await call<readonly InboxItem[]>('GET', `/console/inbox?view=turn&sort=expiry&limit=${mostCounted}`)
    const others = waiting.ok ? waiting.data.filter((item) => item.eventId !== eventId) : []
    const [item] = others
    return item ? { item, count: others.length, isMore: waiting.ok && waiting.data.length === mostCounted } : null
  }

  /** There is nothing to try again: others decide. */
  function first({ center, actor }: Session, decision: Decision, next: Waiter | null): void {
    leave()
    show(() => {
      const { title, body } = notice(say('firstTitle'), [say('firstBody')], next && nextLink(next))
      return { title, owner: center?.name, body: [body, sealsView(decision, actor.id)] }
    })
  }

  return open()
}
