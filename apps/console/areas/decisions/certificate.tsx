/** The certificate on a sheet of its own, in one language or both; only the paper is printed. */
import { certificateDrawing, type PaperLanguages } from '@countersign/design/certificate.ts'
import '@countersign/design/certificate.css'
import type { Certificate } from '@countersign/proof/certificate.ts'
import { useEffect, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Tree } from '../../ui/picture.tsx'
import { useUiWords } from '../../ui/words.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly certificate: Certificate
  readonly hash: string
  readonly onClose: () => void
}

const choices = ['both', 'ko', 'en'] as const satisfies readonly PaperLanguages[]

export function CertificateDialog({ certificate, hash, onClose }: Properties) {
  const say = useDecisionsWords()
  const ui = useUiWords()
  const [languages, setLanguages] = useState<PaperLanguages>('both')
  // The buttons below it have the focus; reading begins above.
  useEffect(() => document.querySelector('dialog.paper-dialog')?.scrollTo(0, 0), [])
  const choice = (
    <select
      className="field"
      aria-label={say('paperLanguages')}
      value={languages}
      onChange={({ target }) => setLanguages(choices.find((each) => each === target.value) ?? 'both')}
    >
      {choices.map((each) => (
        <option key={each} value={each}>
          {say(`paper ${each}`)}
        </option>
      ))}
    </select>
  )
  return (
    <Dialog
      title={say('certificate')}
      onClose={onClose}
      action={{ text: say('printPaper'), run: () => window.print() }}
      closing={ui('close')}
      beside={choice}
      className="paper-dialog"
    >
      <Tree nodes={[certificateDrawing(certificate, languages, hash)]} />
    </Dialog>
  )
}
