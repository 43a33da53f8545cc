/** The head of a document: who drafted it and when, its number, the box for the seals, and the sentence. */
import type { Decision, GivenApproval } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { withParticle } from '../../app/josa.ts'
import { timeText } from '../clock.ts'
import { Seal } from '../picture.tsx'
import { Sentence, type SentencePart } from '../sentence.tsx'
import { Time } from '../time.tsx'
import { useUiWords } from '../words.ts'
import { actorName, asksForTwo, type Fact, nameOf, piecesOf, whatOf } from './read.ts'
import { useDecisionWords } from './words.ts'
import './decision.css'

/** A description that is a sentence already, or not in Korean, takes no particle. */
export const takesParticle = (text: string): boolean => /[가-힣\d]$/.test(text.trim()) && !/[다요까]$/.test(text.trim())

export const factId = (number: number): string => `fact-${number}`

const marked = (text: string, facts: readonly Fact[]): SentencePart[] =>
  piecesOf(text, facts).map((piece) => (typeof piece === 'string' ? piece : { ...piece, to: factId(piece.number) }))

/** Opens every view of a decision. What the record says is put in as it is, and never looked into for words of ours. */
export function DecisionSentence({
  decision,
  facts,
}: {
  readonly decision: Decision
  readonly facts: readonly Fact[]
}) {
  const say = useDecisionWords()
  const [actor, what] = [actorName(decision), whatOf(decision)]
  const korean = /[가-힣\d]$/.test(actor.trim())
  const noun = korean && takesParticle(what)
  const particle = useLanguage() === 'ko' ? withParticle(what, '을를').slice(what.length) : ''
  const pieces = marked(what, facts)
  const inside: SentencePart[] = pieces.some((piece) => typeof piece !== 'string')
    ? pieces
    : [{ fact: what, to: 'data' }]
  const at = facts.findIndex(({ key }) => key === 'reason')
  const reason = facts[at]
  return (
    <Sentence
      parts={[
        say(noun ? 'asks' : korean ? 'asksFull' : 'asksPlain', { actor }),
        ...inside,
        ...(noun ? [say('asksNoun', { particle })] : []),
        ...(reason
          ? [say('because'), { fact: reason.value, number: at + 1, to: factId(at + 1) }, say('becauseEnd')]
          : []),
      ]}
    />
  )
}

interface CellProperties {
  readonly given: GivenApproval
  readonly hash: string
}

function Given({ given, hash }: CellProperties) {
  const say = useDecisionWords()
  const ui = useUiWords()
  const language = useLanguage()
  const { level } = given.identity
  const words = {
    passkey: 'levelPasskey',
    session: 'levelSession',
    claim: 'levelClaim',
    system: 'levelSystem',
  } as const
  const refused = given.result !== 'approved'
  return (
    <div>
      <span className="role">{say(refused ? 'refuses' : 'approves')}</span>
      <span className="cell">
        {refused ? (
          <span className="broken">
            <span aria-hidden="true">✕ </span>
            {level === 'system' ? ui('levelSystem') : nameOf(given)}
          </span>
        ) : (
          <Seal level={level} name={nameOf(given)} hash={hash} size={76} label={nameOf(given)} />
        )}
      </span>
      <span className="foot">
        {ui(words[level])} · {timeText(given.createdAt, language, 'clock')}
      </span>
    </div>
  )
}

interface HeadProperties {
  readonly decision: Decision
  /** What the first line says. */
  readonly title: string
  /** The person whose turn it is. */
  readonly turn?: string | undefined
  /** The seal was pressed just now. */
  readonly pressing?: boolean
}

export function DecisionHead({ decision, title, turn, pressing = false }: HeadProperties) {
  const say = useDecisionWords()
  const language = useLanguage()
  const { approvals, waiting, createdAt, evidence, actionDigest, actor } = decision
  const hash = evidence.chainHash ?? actionDigest
  const open = decision.status === 'recorded'
  const places = open ? Math.max(1, (asksForTwo(decision) ? 2 : 1) - approvals.length) : 0
  return (
    <div className={pressing ? 'doc-head pressing' : 'doc-head'}>
      <div className="doc-no">
        <span className="ink">{title}</span>
        <Time at={createdAt} form="long" />
        <span className="mono">{decision.decisionId}</span>
      </div>
      <div className="sealbox">
        <div className="side" aria-hidden="true">
          {say('approval')}
        </div>
        <div>
          <span className="role">{say('drafted')}</span>
          <span className="cell">
            {actor.type === 'human' ? (
              <Seal level="claim" name={actorName(decision)} size={56} label={actorName(decision)} />
            ) : (
              <Seal level="system" size={72} label={actorName(decision)} />
            )}
          </span>
          <span className="foot">{timeText(createdAt, language, 'clock')}</span>
        </div>
        {approvals.slice(-2).map((given) => (
          <Given key={given.approvalId} given={given} hash={hash} />
        ))}
        {Array.from({ length: places }, (_, at) => (
          <div key={at}>
            <span className="role">{say('approves')}</span>
            <span className="cell soft small">
              {waiting === null
                ? say('noApproval')
                : at === 0 && turn
                  ? say('turnOf', { name: turn })
                  : say('turnOpen')}
            </span>
            <span className="foot">{say('waits')}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
