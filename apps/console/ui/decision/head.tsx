/** The head of a document: which key recorded it and when, its number, and the boxes for the seals. */
import type { Decision } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { sealBoxes } from '../../decision/seal-boxes.ts'
import { Tree } from '../picture.tsx'
import { Time } from '../time.tsx'
import { useDecisionWords } from './words.ts'
import '../../decision/seal-boxes.css'
import './decision.css'

interface HeadProperties {
  readonly decision: Decision
  /** What the first line says. */
  readonly title: string
  /** The seal was pressed just now. */
  readonly pressing?: boolean
}

export function DecisionHead({ decision, title, pressing = false }: HeadProperties) {
  const say = useDecisionWords()
  const language = useLanguage()
  const { data: me } = useMe()
  return (
    <div className={pressing ? 'doc-head pressing' : 'doc-head'}>
      <div className="doc-no">
        <span className="ink">{title}</span>
        <Time at={decision.createdAt} form="long" />
        <span className="mono">{decision.decisionId}</span>
      </div>
      <Tree nodes={[sealBoxes(decision, { say, language, viewer: me?.actorId ?? '' })]} />
    </div>
  )
}
