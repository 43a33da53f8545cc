/** The proof of a reviewed draft: the file, and the page where anyone checks it. */
import { useState } from 'react'
import { download } from '../../../app/download.ts'
import { Part } from '../../../ui/desk.tsx'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { useCenterWords } from '../words.ts'
import type { Draft } from './data.ts'
import { useDraftWords } from './words.ts'

export function DraftProof({ draft: { id, evidenceLevel } }: { readonly draft: Draft }) {
  const say = useDraftWords()
  const ofCenter = useCenterWords()
  const [error, setError] = useState<unknown>(null)
  if (evidenceLevel === 'DRAFT') return <p className="draft-paper small">{say('printDraft')}</p>
  return (
    <Part title={say('proof')}>
      <p className="draft-paper small">{say('printSealed', { level: ofCenter(`level${evidenceLevel}`), id })}</p>
      <div className="draft-screen">
        <p className="soft small">{say('proofText')}</p>
        <div className="center-moves">
          <button
            type="button"
            className="btn plain low"
            onClick={() => {
              setError(null)
              download(`/api/dpu/${id}/export`, `${id}.jsonld`).catch(setError)
            }}
          >
            {say('proofDownload')}
          </button>
          <a className="btn plain low" href={`/verify/${id}`} target="_blank" rel="noreferrer">
            {say('proofVerify')}
          </a>
        </div>
        <ErrorLine error={error} />
      </div>
    </Part>
  )
}
