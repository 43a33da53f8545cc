/** Every value of a decision, and the sentence that is made of them. */
import { type DecisionView, decisionView } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { headlineNodes, viewNodes } from '@countersign/proof/view-tree.ts'
import type { Decision } from '@countersign/sdk'
import { useMemo } from 'react'
import { type Language, useLanguage } from '../../app/i18n.ts'
import { visible } from '../../decision/read.ts'
import { Tree } from '../picture.tsx'

export function useView(decision: Decision): DecisionView {
  const language = useLanguage()
  return useMemo(() => decisionView(decision, language), [decision, language])
}

/** Of an id that nobody reads out, the end. */
export const keyText = ({ recordedBy, recordedByName }: Decision, language: Language): string =>
  recordedBy === null
    ? sayView(language, 'recordedByNone')
    : [visible(recordedByName ?? ''), `…${recordedBy.slice(-4)}`].filter(Boolean).join(' ')

export const Headline = ({ view }: { readonly view: DecisionView }) => (
  <>
    <h1 className="sentence">
      <Tree nodes={headlineNodes(view)} />
    </h1>
    <p className="from">{sayView(view.language, 'madeOfValues')}</p>
  </>
)

export const Values = ({ decision, view }: { readonly decision: Decision; readonly view: DecisionView }) => (
  <Tree
    nodes={viewNodes(view, { policies: decision.waiting?.rules ?? [], keyName: keyText(decision, view.language) })}
  />
)
