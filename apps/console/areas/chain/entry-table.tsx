/** The same entries as a table. */
import type { ChainEntry } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Hash } from '../../ui/hash.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { type Content, levelOf, levels, whatOf } from './level.ts'
import { useChainWords } from './words.ts'

export function EntryTable({
  entries,
  brokenAt,
}: {
  readonly entries: readonly ChainEntry[]
  readonly brokenAt: number | null
}) {
  const say = useChainWords()
  const language = useLanguage()
  return (
    <DataTable
      label={say('table')}
      rows={entries}
      keyOf={({ index }) => index}
      columns={[
        {
          id: 'index',
          title: say('index'),
          cell: ({ index }) =>
            index === brokenAt ? (
              <StatusWord tone="broken">{numberText(index + 1, language)}</StatusWord>
            ) : (
              numberText(index + 1, language)
            ),
        },
        { id: 'what', title: say('what'), cell: ({ content }) => whatOf(content as Content) },
        {
          id: 'level',
          title: say('level'),
          cell: ({ content }) => say(`level${levels[levelOf(content as Content)] ?? 'system'}`),
        },
        { id: 'at', title: say('sealedAt'), cell: ({ sealedAt }) => <Time at={sealedAt} /> },
        {
          id: 'hash',
          title: say('hash'),
          cell: ({ hash }) => <Hash value={hash.replace('sha256:', '')} />,
          mono: true,
        },
        {
          id: 'previous',
          title: say('previous'),
          cell: ({ previousHash }) => (previousHash ? <Hash value={previousHash.replace('sha256:', '')} /> : '—'),
          mono: true,
        },
      ]}
    />
  )
}
