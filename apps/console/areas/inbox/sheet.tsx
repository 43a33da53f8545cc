/** One decision on the sheet: read it, approve or refuse it, and see the seal. */
import { compareDigest, decidingOf } from '@countersign/proof/deciding.ts'
import type { CurrentActor, Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { queries } from '../../app/queries.ts'
import { decide, decisionQuery, type Obstacle } from '../../ui/decision/decide.ts'
import { DecisionHead, DecisionSentence } from '../../ui/decision/head.tsx'
import { AiPart, ApprovalsPart, CommentsPart, FactsPart, RulesPart } from '../../ui/decision/parts.tsx'
import { actorName, asksForPasskey, factsOf, nameOf } from '../../ui/decision/read.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Act } from './act.tsx'
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
  const language = useLanguage()
  const field = useRef<HTMLTextAreaElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Obstacle | 'needReason' | null>(null)
  /** What was sent from here, and whether it was kept. */
  const [sent, setSent] = useState<'kept' | 'lost' | null>(null)
  const standing = decidingOf(decision, me.actorId, Date.now())
  const open = standing.kind === 'open'
  const mine = open && standing.mine !== null
  const compared = compareDigest(decision)
  const facts = factsOf(decision, language)

  useEffect(() => {
    if (!open) return
    // An approver can decide even if the opening could not be noted.
    const timer = setTimeout(() => void api.decisions.open(decision.id).catch(() => {}), openedMs)
    return () => clearTimeout(timer)
  }, [decision.id, open])

  const send = async (result: 'approved' | 'rejected') => {
    if (busy || !open || mine) return
    if (result === 'rejected' && reason.trim() === '') {
      setFault('needReason')
      field.current?.focus()
      return
    }
    setBusy(true)
    setFault(null)
    const outcome = await decide(decision, me.actorId, { result, ...(reason.trim() && { reason: reason.trim() }) })
    setBusy(false)
    if (outcome.kind === 'obstacle') setFault(outcome.obstacle)
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
  useImperativeHandle(ref, () => ({
    focus: () => head.current?.focus(),
    approve: () => void send('approved'),
    refuse: () => (reason.trim() === '' ? field.current?.focus() : void send('rejected')),
  }))

  return (
    <Sheet
      label={say('draftedBy', { actor: actorName(decision) })}
      act={
        open && !mine ? (
          <Act
            {...{ reason, busy, fault, field, onReason: setReason, onSend: send }}
            passkey={asksForPasskey(decision)}
            blocked={compared === 'other'}
          />
        ) : undefined
      }
    >
      <p className="inbox-back">
        <Link to="." search={(before: object) => ({ ...before, id: undefined })} className="link">
          {say('back')}
        </Link>
      </p>
      <div ref={head} tabIndex={-1} className="inbox-head">
        <DecisionHead
          decision={decision}
          title={say('draftedBy', { actor: actorName(decision) })}
          turn={me.name}
          pressing={sent === 'kept'}
        />
      </div>
      {!open && <Closed {...{ decision, standing, sent, center, onNext }} />}
      {mine && (
        <p role="status" className="inbox-told">
          {say('mine')}
        </p>
      )}
      <DecisionSentence decision={decision} facts={facts} />
      <FactsPart decision={decision} facts={facts} />
      <AiPart decision={decision} />
      {open && <RulesPart decision={decision} />}
      <ApprovalsPart decision={decision} />
      {open && !mine && (
        <Part title={say('seals')}>
          <p className="measure">{say(asksForPasskey(decision) ? 'sealsPasskey' : 'sealsText', { name: me.name })}</p>
          <DigestPart compared={compared} digest={decision.actionDigest} />
        </Part>
      )}
      <CommentsPart decision={decision} open={open} />
    </Sheet>
  )
}
