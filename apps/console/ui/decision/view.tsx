/** Every value of a decision, and the sentence that is made of them. */
import { type DecisionView, decisionView } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { headlineFold, headlineNodes, viewNodes } from '@countersign/proof/view-tree.ts'
import type { Decision } from '@countersign/sdk'
import { useMemo } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { contextOf } from '../../decision/recorded.ts'
import { Tree } from '../picture.tsx'

export function useView(decision: Decision): DecisionView {
  const language = useLanguage()
  return useMemo(() => decisionView(decision, language), [decision, language])
}

export function Headline({ view }: { readonly view: DecisionView }) {
  const fold = headlineFold(view)
  return (
    <>
      <h1 className={fold ? 'sentence long' : 'sentence'}>
        <Tree nodes={headlineNodes(view)} />
      </h1>
      {fold && <Tree nodes={[fold]} />}
      <p className="from">{sayView(view.language, 'madeOfValues')}</p>
    </>
  )
}

export const Values = ({ decision, view }: { readonly decision: Decision; readonly view: DecisionView }) => (
  <Tree nodes={viewNodes(view, contextOf(decision))} />
)
