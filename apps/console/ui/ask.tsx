/** The button with which a member asks for an approval. */
import { useState } from 'react'
import type { Wanted } from './ask-dialog.tsx'
import { useAskWords } from './ask-words.ts'
import { later } from './later.tsx'

interface Properties {
  readonly center: string
  readonly wanted?: Wanted
}

const AskDialog = later(async () => (await import('./ask-dialog.tsx')).AskDialog)

export function AskButton({ center, wanted }: Properties) {
  const say = useAskWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={wanted ? 'btn first' : 'btn plain low'} onClick={() => setOpen(true)}>
        {say('ask')}
      </button>
      {open && <AskDialog center={center} {...(wanted && { wanted })} onClose={() => setOpen(false)} />}
    </>
  )
}
