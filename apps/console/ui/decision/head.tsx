/** The head of a document: which key recorded it and when, its number, and the box for the seals. */
import type { Decision, GivenApproval } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { asksForTwo, nameOf } from '../../decision/read.ts'
import { timeText } from '../clock.ts'
import { Seal } from '../picture.tsx'
import { Time } from '../time.tsx'
import { useUiWords } from '../words.ts'
import { useDecisionWords } from './words.ts'
import './decision.css'

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
  const { approvals, waiting, createdAt, evidence, actionDigest } = decision
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
