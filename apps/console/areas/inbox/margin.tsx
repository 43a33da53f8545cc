/** What surrounds the decision: what happens without a decision, who else looks, and who decides during an absence. */
import type { InboxItem } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { usePreferences } from '../../app/preferences.ts'
import { timeText } from '../../ui/clock.ts'
import { openHelp } from '../../ui/overlays.tsx'
import { Away } from './away.tsx'
import { useInboxWords } from './words.ts'

const keys = [
  ['J', 'keyNext'],
  ['K', 'keyBefore'],
  ['O', 'keyOpen'],
  ['A', 'keyApprove'],
  ['R', 'keyRefuse'],
] as const

export function Margin({ item, center }: { readonly item: InboxItem | undefined; readonly center: string }) {
  const say = useInboxWords()
  const language = useLanguage()
  const { singleKeys } = usePreferences()
  return (
    <>
      {item && (
        <section>
          <h3>{say('undecided')}</h3>
          <p>
            {item.expiresAt === null
              ? say('undecidedNever')
              : say('undecidedAt', { time: timeText(item.expiresAt, language, 'short') })}
          </p>
        </section>
      )}
      {item && (
        <section>
          <h3>{say('together')}</h3>
          <p>{item.openedByOthers > 0 ? say('togetherSome', { count: item.openedByOthers }) : say('togetherNone')}</p>
        </section>
      )}
      <Away center={center} />
      <section className="inbox-keys">
        <h3>{say('keys')}</h3>
        {singleKeys && (
          <p>
            {keys.map(([key, word]) => (
              <span key={key}>
                <kbd>{key}</kbd> {say(word)}
              </span>
            ))}
          </p>
        )}
        <p>{say(singleKeys ? 'keysTwice' : 'keysOff')}</p>
        <button type="button" className="quiet link" onClick={openHelp}>
          {say('keysOpen')}
        </button>
      </section>
    </>
  )
}
