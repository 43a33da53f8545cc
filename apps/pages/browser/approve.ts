/** `/approve/<eventId>`: from the address in a mail to a seal. Opening it changes nothing. */
import { compareDigest, decidingOf, statedOf } from '@countersign/proof/deciding.ts'
import { decisionView as viewOf } from '@countersign/proof/decision-view.ts'
import { showProgress } from './act-view.ts'
import { type Answer, call, forgetSession, keepSession } from './api.ts'
import { closedView, nextLink } from './closed-view.ts'
import { asksForPasskey, type Deciding, type Draft } from './deciding.ts'
import { decisionView, leftText } from './decision-view.ts'
import { button, byId, type Child, make } from './dom.ts'
import { duration, setZone } from './format.ts'
import { announce, loading, notice, show, spoken, told, words } from './page.ts'
import { signApproval } from './passkey.ts'
import { type Read, type Watching, watchReading } from './reading.ts'
import { signIn } from './sign-in.ts'
import { type Opening, openingOf, troubleOf } from './standing.ts'
import type { Approval, Center, CenterDetails, Decision, Me, SignedIn, Waiter } from './types.ts'

/** More are not counted. */
const mostCounted = 20

type Trouble = Exclude<Opening, { kind: 'decision' | 'choose' | 'signIn' }>

export function approvePage(eventId: string): Promise<void> {
  const address = `/decisions/${encodeURIComponent(eventId)}`
  const draft: Draft = { reason: '', comment: '' }
  const tried = new Set<number>()
  /** A decision was sent from here, so that its outcome is about this person too. */
  let sent = false
  /** Stops what looks after the view that is shown. */
  let leave = () => {}
  let read: Read = { of: '', pointers: new Set() }

  const fetched = () => call<Decision>('GET', address)
  const opened = ({ actionDigest }: Decision) => call('POST', `${address}/opened`, { actionDigest })
  const ownerOf = ({ memberships, centerId }: Me) => memberships.find((each) => each.centerId === centerId)?.centerName

  async function again(ended = false): Promise<void> {
    leave()
    await signIn({ lede: 'signInLede', ended })
    tried.clear()
    return open()
  }

  async function signOut(): Promise<void> {
    await call('POST', '/auth/logout')
    forgetSession()
    return again()
  }

  async function open(): Promise<void> {
    leave()
    const me = await loading(call<Me>('GET', '/auth/me'))
    if (!me.ok) return me.status === 401 ? again() : trouble(troubleOf(me) as Trouble)
    const { centerId } = me.data
    if (centerId !== null) tried.add(centerId)
    const [decision] = await loading(Promise.all([fetched(), centerId === null ? undefined : learnZone(centerId)]))
    const opening = openingOf(decision, me.data, tried)
    if (opening.kind === 'decision') return present(me.data, opening.decision)
    if (opening.kind === 'signIn') return again(true)
    if (opening.kind === 'choose') return choose(me.data, opening.centers)
    trouble(opening)
  }

  /** Before a time is shown. Without an answer the zone of the browser stays. */
  async function learnZone(centerId: number): Promise<void> {
    const center = await call<CenterDetails>('GET', `/centers/${centerId}`)
    if (center.ok) setZone(center.data.settings.timezone)
  }

  function trouble(opening: Trouble): void {
    const retry = () => button(words().again, 'first', open, words().working)
    show(() => {
      switch (opening.kind) {
        case 'notFound':
          return notice(words().notFoundTitle, [words().notFoundBody], button(words().otherAccount, '', signOut))
        case 'noRight':
          return notice(words().noRightTitle, [words().noRightBody], button(words().otherAccount, '', signOut))
        case 'offline':
          return notice(words().offlineTitle, [words().offlineBody], retry())
        case 'busy': {
          const time = duration(opening.seconds * 1000, spoken())
          return notice(words().busyTitle, [told('busyBody', { time })], retry())
        }
        default:
          return notice(words().failedTitle, [told('failedBody', { code: opening.code })], retry())
      }
    })
  }

  /** The address does not name the center, and another center may not learn that it was looked for there. */
  function choose(me: Me, centers: readonly Center[]): void {
    const enter = (center: Center) => async () => {
      tried.add(center.centerId)
      keepSession(await call<SignedIn>('POST', '/auth/switch-center', { centerId: center.centerId }))
      await open()
    }
    const current = ownerOf(me)
    show(() =>
      notice(
        words().chooseTitle,
        [current === undefined ? words().chooseBody : told('chooseOther', { center: current })],
        centers.map((center) => button(center.centerName, '', enter(center), words().working)),
      ),
    )
  }

  /** Of the same content drawn again, the page stays where it is and what was read stays read. */
  function present(me: Me, decision: Decision, fault: () => Child = () => null, next: Waiter | null = null): void {
    leave()
    const standing = decidingOf(decision, me.actorId, Date.now())
    const owner = ownerOf(me)
    if (standing.kind !== 'open') {
      show(() => closedView({ owner, decision, standing, sent, next }))
      return
    }
    const policies = (decision.waiting?.policies ?? []).map(({ id, version }) => `${id} ${version}`)
    const content = [decision.id, decision.actionDigest, ...policies].join()
    const isSame = read.of.startsWith(content)
    // The first opening is stated with an approval; a failure to note it does not stop the person.
    if (!isSame) void opened(decision)
    let watching: Watching | undefined
    const deciding: Omit<Deciding, 'fault'> = {
      ...{ me, owner, decision, draft, signOut, mine: standing.mine },
      compared: compareDigest(decision),
      decide: (result) => decide(me, decision, result),
      comment: (text) => comment(me, text),
      takeBack: () => takeBack(me),
      keepReading: () => watching?.ahead(),
    }
    const drawn = () => {
      watching?.stop()
      const bar = byId('act')
      if (!bar) return
      const of = `${content} ${spoken()}`
      if (read.of !== of) read = { of, pointers: new Set() }
      watching = watchReading(read, bar, (done, total) => showProgress(done, total, asksForPasskey(decision)))
    }
    show(() => decisionView({ ...deciding, fault: fault() }), { quiet: isSame, drawn })
    if (fault() !== null) byId('fault').focus({ preventScroll: true })
    const unwatch = watch(me, decision)
    leave = () => {
      unwatch()
      watching?.stop()
    }
  }

  /** Renews the time that is left, and looks again when the person returns to the page. */
  function watch(me: Me, decision: Decision): () => void {
    const expiresAt = decision.waiting?.expiresAt ?? null
    const timer = setInterval(() => {
      if (expiresAt === null) return
      if (Date.parse(expiresAt) <= Date.now()) present(me, decision)
      else byId('left').textContent = leftText(expiresAt)
    }, 15_000)
    const returned = async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await fetched()
      if (answer.ok && decidingOf(answer.data, me.actorId, Date.now()).kind !== 'open') present(me, answer.data)
    }
    document.addEventListener('visibilitychange', returned)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', returned)
    }
  }

  async function comment(me: Me, text: string): Promise<boolean> {
    const answer = await call('POST', `${address}/comments`, { text })
    if (!answer.ok && answer.status !== 409) return false
    if (answer.ok) draft.comment = ''
    const fresh = await fetched()
    if (fresh.ok) present(me, fresh.data)
    announce(words().asked)
    return true
  }

  async function takeBack(me: Me): Promise<void> {
    const answer = await call('POST', `${address}/approvals/take-back`)
    const fresh = await fetched()
    if (!fresh.ok) return trouble(troubleOf(fresh) as Trouble)
    read = { of: '', pointers: new Set() }
    present(me, fresh.data, () => (answer.ok ? null : words().wentWrong))
  }

  async function decide(me: Me, decision: Decision, result: 'approved' | 'rejected'): Promise<void> {
    const reason = draft.reason.trim()
    const given = {
      result,
      ...(reason !== '' && { reason }),
      ...(result === 'approved' && statedOf(decision, viewOf(decision, spoken()))),
    }
    const stays = (text: () => Child) => present(me, decision, text)
    let assertion: object | undefined
    // An approval needs the opening, and the first try to note it may have failed.
    if (result === 'approved') await opened(decision)
    if (result === 'approved' && asksForPasskey(decision)) {
      const signed = await signApproval(address, decision, me, given)
      if ('fault' in signed) return stays(signed.fault)
      if ('refusal' in signed) return refused(me, decision, signed.refusal, passkeyHelp)
      assertion = signed.assertion
    }
    const answer = await call<Approval>('POST', `${address}/approvals`, {
      ...given,
      channel: 'page',
      ...(assertion && { assertion }),
    })
    if (!answer.ok) return refused(me, decision, answer, () => words().changed)
    sent = true
    if (answer.data.sealedHash === null) return first(me, await nextOf())
    const [fresh, next] = await Promise.all([fetched(), nextOf()])
    if (fresh.ok) present(me, fresh.data, undefined, next)
    else trouble(troubleOf(fresh) as Trouble)
  }

  /** `otherwise` is said after a conflict about a decision that is still open. */
  async function refused(
    me: Me,
    decision: Decision,
    answer: Exclude<Answer<never>, { ok: true }>,
    otherwise: () => Child,
  ): Promise<void> {
    const stays = (text: () => Child) => present(me, decision, text)
    if (answer.status === 401) return again(true)
    if (answer.status === 0) return stays(() => words().notSent)
    if (answer.status === 429) {
      return stays(() => told('tooMany', { time: duration(answer.retryAfter * 1000, spoken()) }))
    }
    if (answer.status === 422) return stays(() => (asksForPasskey(decision) ? passkeyHelp() : words().notAllowed))
    if (answer.status !== 409) return stays(() => words().wentWrong)
    if (answer.reason === 'eligibility') return stays(() => words().newRole)
    if (answer.retryAfter > 0) return stays(() => words().challengeLater)
    sent = true
    const fresh = await fetched()
    if (!fresh.ok) return stays(() => words().notSent)
    present(me, fresh.data, otherwise)
  }

  /** What else waits, the next to expire first. */
  async function nextOf(): Promise<Waiter | null> {
    const waiting = await call<readonly Waiter['item'][]>('GET', `/console/inbox?sort=expiry&limit=${mostCounted}`)
    const others = waiting.ok ? waiting.data.filter((item) => item.eventId !== eventId) : []
    const [item] = others
    return item ? { item, count: others.length, isMore: waiting.ok && waiting.data.length === mostCounted } : null
  }

  /** There is nothing to try again: the other person decides. */
  function first(me: Me, next: Waiter | null): void {
    leave()
    show(() => ({
      ...notice(words().firstTitle, [words().firstBody], next && nextLink(next)),
      owner: ownerOf(me),
    }))
  }

  return open()
}

export const passkeyHelp = (): Child => [
  make('p', {}, words().needPasskey),
  make('p', {}, words().needPasskeyHow),
  make('p', {}, make('a', { class: 'link tap', href: '/account/passkeys' }, words().addPasskeyHere)),
]
