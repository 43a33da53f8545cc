/** One decision: its story, its data, who approved it, and its proof. */
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import type { Decision, GivenApproval } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { nameOf } from '../../decision/read.ts'
import { recordedText } from '../../decision/recorded.ts'
import { numberText } from '../../ui/clock.ts'
import { decisionQuery } from '../../ui/decision/decide.ts'
import { EmergencyPart } from '../../ui/decision/emergency.tsx'
import { DecisionHead } from '../../ui/decision/head.tsx'
import { ApprovalsPart, CommentsPart, RulesPart } from '../../ui/decision/parts.tsx'
import { Headline, useView, Values } from '../../ui/decision/view.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { later } from '../../ui/later.tsx'
import { Sentence, type SentencePart } from '../../ui/sentence.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PaperFoot, PaperHead, PrintButton } from './paper.tsx'
import { ProofAct, ProofPart } from './proof.tsx'
import { ExecutionPart, NumbersPart, PoliciesPart, StoryPart } from './story.tsx'
import { Neighbors, Trace } from './trace.tsx'
import { Withdraw } from './withdraw.tsx'
import { useDecisionsWords } from './words.ts'

const RedactDialog = later(async () => (await import('./redact.tsx')).RedactDialog)

interface Properties {
  readonly id: string
  readonly center: string
}

const isSealed = ({ evidence }: Decision): boolean => evidence.chainHash !== null

/** Who closed it, how, and what. */
function ClosedSentence({ by, view }: { readonly by: GivenApproval; readonly view: DecisionView }) {
  const say = useDecisionsWords()
  const isWithdrawn = by.identity.level === 'system' && by.reason === 'withdrawn'
  const refused = say(isWithdrawn ? 'withdrawn' : 'refusedFact')
  const how = by.result === 'approved' ? say(`how${by.identity.level}`) : refused
  const closing: readonly SentencePart[] = [
    say('by', { name: nameOf(by) }),
    { fact: how, to: 'proof' },
    say('sealedEnd'),
  ]
  return <Sentence parts={[...closing, ' ', headlineText(view)]} />
}

export function DecisionSheet({ id, center }: Properties) {
  const { data: decision, error, refetch } = useQuery(decisionQuery(id))
  if (error || !decision) {
    return <Sheet>{error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}</Sheet>
  }
  return <Shown decision={decision} center={center} />
}

function Shown({ decision, center }: { readonly decision: Decision; readonly center: string }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const view = useView(decision)
  const sealed = isSealed(decision)
  const { chainIndex } = decision.evidence
  const by = decision.approvals.at(-1)
  const title = sealed
    ? say('place', { index: numberText((chainIndex ?? 0) + 1, language) })
    : recordedText(decision, language)
  return (
    <Sheet label={title} act={sealed ? <ProofAct decision={decision} /> : undefined}>
      <p className="decisions-back">
        <Link to="." search={(before: object) => ({ ...before, id: undefined })} className="link">
          {say('back')}
        </Link>
      </p>
      <PaperHead center={center} />
      <DecisionHead decision={decision} title={title} />
      <PrintButton />
      {sealed && by ? <ClosedSentence by={by} view={view} /> : <Headline view={view} />}
      <StoryPart decision={decision} center={center} />
      <Values decision={decision} view={view} />
      <ApprovalsPart decision={decision} />
      <EmergencyPart decision={decision} />
      {decision.waiting ? (
        <RulesPart decision={decision} />
      ) : (
        sealed && <PoliciesPart decision={decision} center={center} />
      )}
      {sealed && <ExecutionPart decision={decision} />}
      {sealed ? (
        <ProofPart decision={decision} />
      ) : (
        <Part title={say('proof')}>
          <p>{say('notSealed')}</p>
          {decision.waiting && (
            <Link to="/c/$center/inbox" params={{ center }} search={{ id: decision.id }} className="btn plain low">
              {say('toInbox')}
            </Link>
          )}{' '}
          <Withdraw decision={decision} />
        </Part>
      )}
      <CommentsPart decision={decision} open={false} />
      <NumbersPart decision={decision} />
      <PaperFoot decision={decision} />
    </Sheet>
  )
}

export function Margin({ id, center }: Properties) {
  const say = useDecisionsWords()
  const { data: me } = useMe()
  const { data: decision } = useQuery(decisionQuery(id))
  const [redacting, setRedacting] = useState(false)
  if (!decision) return null
  const isAdmin = me?.memberships.find(({ centerDomain }) => centerDomain === center)?.role === 'ADMIN'
  return (
    <>
      {isSealed(decision) && <Neighbors decision={decision} />}
      <Trace decision={decision} />
      {isSealed(decision) && isAdmin && (
        <section>
          <h3>{say('reduce')}</h3>
          <p>{say('reduceText')}</p>
          <button type="button" className="quiet link" onClick={() => setRedacting(true)}>
            {say('reduceOpen')}
          </button>
        </section>
      )}
      {redacting && <RedactDialog decision={decision} onClose={() => setRedacting(false)} />}
    </>
  )
}
