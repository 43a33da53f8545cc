/** A secret that the server shows once. Escape does not close it: the person says that it is stored. */
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useDeveloperWords } from './words.ts'

interface Properties {
  readonly kind: 'key' | 'secret'
  readonly value: string
  readonly onClose: () => void
}

export function ShownOnce({ kind, value, onClose }: Properties) {
  const say = useDeveloperWords()
  const title = say(`shown_${kind}`)
  return (
    <Dialog title={title} onClose={onClose} mustAct action={{ text: say('stored'), run: onClose }}>
      <p>{say(`shownText_${kind}`)}</p>
      <p className="dev-secret">
        <code className="mono">{value}</code>
        <Copy text={value} what={title} />
      </p>
    </Dialog>
  )
}
