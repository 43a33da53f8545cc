/** The certificate of the file that is shown, on a sheet of its own. A file that does not prove a decision has none. */
import { certificateDrawing } from '@countersign/design/certificate.ts'
import { pageElement } from '@countersign/design/drawing.ts'
import { type Certificate, certificateOf } from '@countersign/proof/certificate.ts'
import { languages } from '../words.ts'
import { make } from './dom.ts'
import { inWords } from './facts-view.ts'
import type { Shown } from './shown.ts'

export const certificateFor = ({ judged, policy, alteration }: Shown): Certificate | null =>
  alteration || policy === null
    ? null
    : certificateOf(judged.document, judged.verdict, {
        address: location.protocol.startsWith('http') ? `${location.origin}/verify` : null,
        trust: policy.from === 'trustFromServer' ? 'server' : 'reader',
        time: inWords,
        now: new Date().toISOString(),
      })

export function certificateView(shown: Shown, onBack: () => void): HTMLElement | null {
  const certificate = certificateFor(shown)
  if (certificate === null) return null
  const words = languages[shown.language]
  const drawing = certificateDrawing(certificate, 'both', shown.judged.verdict.facts.hash ?? '')
  return make(
    'div',
    { id: 'certificate' },
    make(
      'p',
      { class: 'actions' },
      make('button', { type: 'button', class: 'btn first', id: 'print', click: () => print() }, words.certificatePrint),
      ' ',
      make('button', { type: 'button', class: 'btn plain', id: 'back', click: onBack }, words.certificateBack),
    ),
    pageElement(drawing, document as never) as unknown as HTMLElement,
  )
}
