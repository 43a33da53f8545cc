/** What the page is for, and the keys that work on it. The texts are those of the documentation. */

import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import en from '../../../../docs/guides/pages.md?raw'
import ko from '../../../../docs/ko/guides/pages.md?raw'
import { useDocs } from '../../app/docs.ts'
import { useLanguage } from '../../app/i18n.ts'
import { type Shortcut, shortcutsNow } from '../../app/keys.ts'
import { prefer, usePreferences } from '../../app/preferences.ts'
import { Dialog } from '../dialog.tsx'
import { useUiWords } from '../words.ts'
import { guideOf, guidesIn } from './guide.ts'
import './help.css'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export default function HelpPanel({ onClose }: { readonly onClose: () => void }) {
  const say = useUiWords()
  const language = useLanguage()
  const { pathname } = useLocation()
  const { singleKeys } = usePreferences()
  // Of the page below: this panel has none of its own.
  const [keys] = useState(shortcutsNow)
  const guide = guideOf(guidesIn({ ko, en }[language]), pathname)
  const docs = useDocs()
  return (
    <Dialog title={guide?.title ?? say('helpTitle')} onClose={onClose} className="help-panel">
      {guide?.paragraphs.map((paragraph, place) => (
        <p key={place}>
          {paragraph.map(({ text, page }) =>
            page === null ? (
              text
            ) : (
              <a key={page} className="link" href={`${docs}/${page}`} target="_blank" rel="noreferrer">
                {text}
              </a>
            ),
          )}
        </p>
      ))}
      <h3>{say('keysHere')}</h3>
      {keys.here.length === 0 ? <p className="soft">{say('noKeysHere')}</p> : <Keys list={keys.here} />}
      <h3>{say('keysEverywhere')}</h3>
      <Keys list={keys.everywhere} />
      <label className="switch">
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => prefer({ singleKeys: event.target.checked })}
        />
        {say('singleKeys')}
      </label>
    </Dialog>
  )
}

const Keys = ({ list }: { readonly list: readonly Shortcut[] }) => (
  <dl className="keys">
    {list.map(({ keys, label }) => (
      <div key={keys}>
        <dt>
          {keys.split(/[ +]/).map((key) => (
            <kbd key={key}>{key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key.toUpperCase()}</kbd>
          ))}
        </dt>
        <dd>{label}</dd>
      </div>
    ))}
  </dl>
)
