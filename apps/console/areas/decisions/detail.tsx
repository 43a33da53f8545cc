/** One decision: its story, its data, who approved it, and its proof. */
import type { Decision, GivenApproval } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { withParticle } from '../../app/josa.ts'
import { useMe } from '../../app/queries.ts'
import { numberText } from '../../ui/clock.ts'
import { decisionQuery } from '../../ui/decision/decide.ts'
import { DecisionHead, DecisionSentence, factId, takesParticle } from '../../ui/decision/head.tsx'
import { AiPart, ApprovalsPart, CommentsPart, FactsPart, RulesPart } from '../../ui/decision/parts.tsx'
import { actorName, dpuIdOf, type Fact, factsOf, nameOf, piecesOf, whatOf } from '../../ui/decision/read.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Sentence, type SentencePart } from '../../ui/sentence.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProofAct, ProofPart } from './proof.tsx'
import { RedactDialog } from './redact.tsx'
import { ExecutionPart, NumbersPart, PoliciesPart, StoryPart } from './story.tsx'
import { Neighbors, Trace } from './trace.tsx'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly id: string
  readonly center: string
}

const isSealed = ({ evidence }: Decision): boolean => evidence.chainHash !== null

/** Who closed it, how, and what; the facts lead to their data. */
function ClosedSentence(shown: {
  readonly decision: Decision
  readonly by: GivenApproval
  readonly facts: readonly Fact[]
}) {
  const { decision, by, facts } = shown
  const say = useDecisionsWords()
  const what = whatOf(decision)
  const noun = useLanguage() === 'ko' && takesParticle(what)
  const particle = withParticle(what, '을를').slice(what.length)
  const pieces = piecesOf(what, facts).map(
    (piece): SentencePart => (typeof piece === 'string' ? piece : { ...piece, to: factId(piece.number) }),
  )
  const how = by.result === 'approved' ? say(`how${by.identity.level}`) : say('refusedFact')
  const inside = pieces.some((piece) => typeof piece !== 'string') ? pieces : [{ fact: what, to: 'data' }]
  const closing: SentencePart[] = [{ fact: how, to: 'proof' }, say('sealedEnd')]
  const parts = noun ? [...inside, say('object', { particle }), ...closing] : [...closing, ' ', ...inside]
  return <Sentence parts={[say('by', { name: nameOf(by) }), ...parts]} />
}

export function DecisionSheet({ id, center }: Properties) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { data: decision, error, refetch } = useQuery(decisionQuery(id))
  if (error || !decision) {
    return <Sheet>{error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}</Sheet>
  }
  const sealed = isSealed(decision)
  const { chainIndex } = decision.evidence
  const facts = factsOf(decision, language)
  const by = decision.approvals.at(-1)
  const title = sealed
    ? say('place', { index: numberText(chainIndex ?? 0, language) })
    : say('drafted', { actor: actorName(decision) })
  return (
    <Sheet label={title} act={sealed ? <ProofAct decision={decision} /> : undefined}>
      <p className="decisions-back">
        <Link to="." search={(before: object) => ({ ...before, id: undefined })} className="link">
          {say('back')}
        </Link>
      </p>
      <DecisionHead decision={decision} title={title} />
      {sealed && by ? (
        <ClosedSentence decision={decision} by={by} facts={facts} />
      ) : (
        <DecisionSentence decision={decision} facts={facts} />
      )}
      <StoryPart decision={decision} center={center} />
      <FactsPart decision={decision} facts={facts} />
      <AiPart decision={decision} />
      <ApprovalsPart decision={decision} />
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
            <Link to="/c/$center/inbox" params={{ center }} search={{ id }} className="btn plain low">
              {say('toInbox')}
            </Link>
          )}
        </Part>
      )}
      <CommentsPart decision={decision} open={false} />
      <NumbersPart decision={decision} />
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
      {redacting && <RedactDialog dpuId={dpuIdOf(decision)} eventId={id} onClose={() => setRedacting(false)} />}
    </>
  )
}
