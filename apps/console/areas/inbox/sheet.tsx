/** One decision on the sheet: read it, approve or refuse it, and see the seal. */
import { compareDigest, decidingOf } from '@countersign/proof/deciding.ts'
import type { CurrentActor, Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { queries } from '../../app/queries.ts'
import { sessionState } from '../../app/session.ts'
import { turnObstacle } from '../../decision/decide.ts'
import { asksForPasskey, nameOf } from '../../decision/read.ts'
import { recordedText } from '../../decision/recorded.ts'
import { decide, decisionQuery } from '../../ui/decision/decide.ts'
import { EmergencyPart } from '../../ui/decision/emergency.tsx'
import { DecisionHead } from '../../ui/decision/head.tsx'
import { ApprovalsPart, CommentsPart, RulesPart } from '../../ui/decision/parts.tsx'
import { useReading } from '../../ui/decision/reading.ts'
import { Headline, useView, Values } from '../../ui/decision/view.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useKept } from '../../ui/kept.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Act, type Armed, type Fault } from './act.tsx'
import { Closed } from './closed.tsx'
import { DigestPart } from './digest.tsx'
import { press } from './pressed.ts'
import { useInboxWords } from './words.ts'

export interface SheetHandle {
  focus(): void
  approve(): void
  refuse(): void
}

interface Properties {
  readonly id: string
  readonly me: CurrentActor
  readonly center: string
  readonly ref: Ref<SheetHandle>
  /** The decision is closed: it stays on the sheet, although the list loses it. */
  onClosed(): void
  onNext(): void
}

/** Shown for this long before it counts as opened. */
const openedMs = 1000
/** How long the first press of a key that decides waits for the second. */
const armedMs = 4000

export function InboxSheet({ id, me, center, ref, onClosed, onNext }: Properties) {
  const { data: decision, error, refetch } = useQuery(decisionQuery(id))
  if (error) {
    return (
      <Sheet>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </Sheet>
    )
  }
  if (!decision) {
    return (
      <Sheet>
        <Skeleton rows={10} />
      </Sheet>
    )
  }
  return <Shown {...{ decision, me, center, ref, onClosed, onNext }} />
}

function Shown({
  decision,
  me,
  center,
  ref,
  onClosed,
  onNext,
}: Omit<Properties, 'id'> & { readonly decision: Decision }) {
  const say = useInboxWords()
  const told = useDoneWords()
  const ofDecision = useDecisionWords()
  const language = useLanguage()
  const field = useRef<HTMLTextAreaElement>(null)
  const sheet = useRef<HTMLElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [reason, setReason] = useKept(me.actorId, decision.id)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  /** What was sent from here, and whether it was kept. */
  const [sent, setSent] = useState<'kept' | 'lost' | null>(null)
  const standing = decidingOf(decision, me.actorId, Date.now())
  const open = standing.kind === 'open'
  const isFrozen = (decision.waiting?.frozen ?? null) !== null
  const mine = open && standing.mine !== null
  const mayConfirm = decision.emergency?.mayConfirm ?? false
  const compared = compareDigest(decision)
  const view = useView(decision)
  const asking = (decision.waiting?.policies ?? []).map(({ id, version }) => `${id} ${version}`)
  const reading = useReading([decision.id, decision.actionDigest, ...asking, language, open, mine].join(), sheet, bar)
  const [armed, setArmed] = useState<Armed>(null)
  const right = decision.waiting?.emergency ?? null
  const [urgent, setUrgent] = useState(false)
  const emergency = right !== null && right.blocked === null && urgent ? true : undefined
  const notNow = emergency ? null : turnObstacle(decision)

  useEffect(() => {
    if (!open) return
    // An approver can decide even if the opening could not be noted.
    const { id, actionDigest } = decision
    const note = async () => {
      // While another center is being entered, the sheet of this one is still there.
      if (sessionState().session?.center?.domain !== center) return
      await api.decisions.open(id, { actionDigest })
      await queries.invalidateQueries({ queryKey: ['inbox'] })
    }
    const timer = setTimeout(() => void note().catch(() => {}), openedMs)
    return () => clearTimeout(timer)
  }, [decision.id, decision.actionDigest, open, center])
  useEffect(() => {
    if (armed === null) return
    const timer = setTimeout(() => setArmed(null), armedMs)
    return () => clearTimeout(timer)
  }, [armed])

  const send = async (result: 'approved' | 'rejected') => {
    if (busy || !open || mine) return
    setArmed(null)
    if (result === 'rejected' && reason.trim() === '') {
      setFault('needReason')
      // The bar opens the field first.
      requestAnimationFrame(() => field.current?.focus({ preventScroll: true }))
      return
    }
    if (result === 'approved' && emergency && reason.trim() === '') {
      setFault('emergencyReason')
      field.current?.focus({ preventScroll: true })
      return
    }
    if (result === 'approved' && isFrozen) return setFault({ obstacle: 'frozen' })
    if (result === 'approved' && reading.progress.done < reading.progress.total) return reading.ahead()
    if (result === 'approved' && notNow) return setFault(notNow)
    // A press that was meant to go on reading does not approve.
    if (result === 'approved' && !reading.isRead()) return
    setBusy(true)
    setFault(null)
    // An approval needs the opening, and the first try to note it may have failed.
    if (result === 'approved')
      await api.decisions.open(decision.id, { actionDigest: decision.actionDigest }).catch(() => {})
    const outcome = await decide(decision, view, me.actorId, {
      result,
      ...(reason.trim() && { reason: reason.trim() }),
      ...(emergency && { emergency }),
    })
    setBusy(false)
    if (outcome.kind !== 'obstacle') setReason('')
    if (outcome.kind === 'obstacle') setFault(outcome)
    else setSent(outcome.kind === 'faster' ? 'lost' : 'kept')
    if (outcome.kind === 'sealed') {
      const { approvals, evidence, actionDigest } = outcome.decision
      const given = approvals.at(-1)
      if (given) {
        const { level } = given.identity
        press({ id: decision.id, hash: evidence.chainHash ?? actionDigest, name: nameOf(given), level, result })
      }
    }
    if (outcome.kind === 'obstacle') return
    onClosed()
    void queries.invalidateQueries({ queryKey: ['inbox'] })
  }
  const takeBack = useChange(['decisions'], () => api.decisions.takeBackApproval(decision.id), {
    told: () => told('approvalTakenBack'),
    onDone: () => setSent(null),
    onFailed: () => setFault({ obstacle: 'failed' }),
  })
  const recorded = recordedText(decision, language)
  useImperativeHandle(ref, () => ({
    focus: () => sheet.current?.focus({ preventScroll: true }),
    // A key that decides is pressed twice; until all was in view it goes on reading.
    approve: () => {
      if (armed === 'approved' || reading.progress.done < reading.progress.total) void send('approved')
      else if (open && !mine) setArmed('approved')
    },
    refuse: () => {
      if (armed === 'rejected' || reason.trim() === '') void send('rejected')
      else if (open && !mine) setArmed('rejected')
    },
  }))

  return (
    <Sheet
      ref={sheet}
      label={recorded}
      bar={
        open && !mine ? (
          <Act
            {...{ reason, busy, fault, field, armed, onReason: setReason, onSend: send }}
            ref={bar}
            of={decision.id}
            progress={reading.progress}
            passkey={asksForPasskey(decision, emergency)}
            emergency={right === null ? undefined : { right, on: emergency === true, onChange: setUrgent }}
            blocked={compared === 'other' ? 'digest' : !view.size.fits ? 'size' : isFrozen ? 'frozen' : null}
            notNow={notNow}
          />
        ) : undefined
      }
    >
      <p className="inbox-back">
        <Link to="." search={(before: object) => ({ ...before, id: undefined })} className="link tap">
          {say('back')}
        </Link>
      </p>
      <DecisionHead decision={decision} title={recorded} pressing={sent === 'kept'} />
      {!open && !mayConfirm && <Closed {...{ decision, standing, sent, center, onNext }} />}
      {mine && (
        <div role="status" className="inbox-told">
          <p>{ofDecision('mine')}</p>
          <p className="inbox-after">
            <button type="button" className="btn low" onClick={onNext}>
              {say('next')}
            </button>
            <button
              type="button"
              className="btn plain low"
              disabled={takeBack.isPending}
              onClick={() => takeBack.mutate()}
            >
              {ofDecision('takeBack')}
            </button>
          </p>
        </div>
      )}
      <Headline view={view} />
      <Values decision={decision} view={view} />
      {open && <RulesPart decision={decision} />}
      <ApprovalsPart decision={decision} />
      <EmergencyPart decision={decision} />
      {open && !mine && (
        <Part title={say('seals')}>
          <p className="measure">
            {say(asksForPasskey(decision, emergency) ? 'sealsPasskey' : 'sealsText', { name: me.name })}
          </p>
          <DigestPart compared={compared} digest={decision.actionDigest} />
        </Part>
      )}
      <CommentsPart decision={decision} open={open} />
    </Sheet>
  )
}
