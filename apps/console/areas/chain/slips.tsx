/** Single entries as slips that share an edge: a joint seal on each edge, parted where the hashes differ. */
import type { ChainEntry } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { Joint, Seal } from '../../ui/picture.tsx'
import { type Content, levelOf, levels, whatOf } from './level.ts'
import { useChainWords } from './words.ts'

interface Properties {
  readonly entries: readonly ChainEntry[]
  readonly at: number
  /** The lowest index that is broken. */
  readonly brokenAt: number | null
}

const plain = (hash: string): string => hash.replace('sha256:', '')

/** Drawn again only for other entries: the page around it changes five times a second while it verifies. */
export const Slips = memo(function Slips({ entries, at, brokenAt }: Properties) {
  const say = useChainWords()
  const language = useLanguage()
  return (
    <ol className="chain-slips">
      {entries.map((entry, place) => {
        const content = entry.content as Content
        const level = levels[levelOf(content)] ?? 'system'
        const next = entries[place + 1]
        const unsure = brokenAt !== null && entry.index >= brokenAt
        const parted = brokenAt !== null && entry.index === brokenAt - 1
        const what = whatOf(content)
        const label = say(entry.index === brokenAt ? 'entryBroken' : 'entry', {
          index: numberText(entry.index + 1, language),
          what,
          level: say(`level${level}`),
        })
        return (
          <li key={entry.index} className={`chain-slip${unsure ? ' unsure' : ''}${parted ? ' parted' : ''}`}>
            <Link
              to="."
              search={(old) => ({ ...old, at: entry.index })}
              replace
              aria-current={entry.index === at ? 'true' : undefined}
            >
              <span className="unseen">{label}</span>
              <b className={entry.index === brokenAt ? 'broken' : undefined} aria-hidden="true">
                {entry.index === brokenAt && '✕ '}
                {numberText(entry.index + 1, language)}
              </b>
              <span className="what" aria-hidden="true">
                {what}
              </span>
              <span className="who" aria-hidden="true">
                <Seal level={level} name="" hash={entry.hash} size={level === 'system' ? 34 : 56} label="" />
                {say(`level${level}`)}
              </span>
              <span className="h" aria-hidden="true">
                {plain(entry.hash).slice(0, 4)}
                {'\n'}
                {plain(entry.hash).slice(-4)}
              </span>
            </Link>
            {next && <Joint hashA={entry.hash} hashB={next.previousHash ?? ''} broken={parted} size={56} label="" />}
          </li>
        )
      })}
    </ol>
  )
})
