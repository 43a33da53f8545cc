/** The end of a step: what happened, and the way on. */
import { EntryFrame } from './frame.tsx'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly text: string
  /** Whether there is something to sign in for. */
  readonly signIn?: boolean
}

export function Outcome({ title, text, signIn = true }: Properties) {
  const say = useEntryWords()
  return (
    <EntryFrame title={title}>
      <p role="status">{text}</p>
      {signIn && (
        <a className="btn first" href="/login">
          {say('enter')}
        </a>
      )}
    </EntryFrame>
  )
}

export function BadLink() {
  const say = useEntryWords()
  return <Outcome title={say('badLinkTitle')} text={say('badLinkBody')} />
}
