/** A draft's text as people read it, and beside it the workflow's where a person has written another. */
import { type ReactNode, useMemo } from 'react'
import { type Block, blocksOf, spansOf } from './blocks.ts'
import { compareLines, compareWords, type Piece } from './compare.ts'
import { TextTable } from './row-tables.tsx'

const Spans = ({ text }: { readonly text: string }) =>
  spansOf(text).map(({ text: part, strong }, at) => (strong ? <b key={at}>{part}</b> : part))

function Shown({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'title':
      return (
        <h2 className="draft-title">
          <Spans text={block.text} />
        </h2>
      )
    case 'heading':
      return (
        <h3>
          <Spans text={block.text} />
        </h3>
      )
    case 'text':
      return (
        <p>
          <Spans text={block.text} />
        </p>
      )
    case 'list':
      return (
        <ul>
          {block.lines.map((line, at) => (
            <li key={at}>
              <Spans text={line} />
            </li>
          ))}
        </ul>
      )
    case 'table':
      return <TextTable label={block.head.join(', ')} head={block.head} rows={block.rows} />
    case 'quote':
      return (
        <blockquote>
          {blocksOf(block.lines.join('\n')).map((inner, at) =>
            inner.kind === 'list' || inner.kind === 'table' ? (
              <Shown key={at} block={inner} />
            ) : (
              <p key={at}>
                <Spans text={'text' in inner ? inner.text : inner.lines.join(' ')} />
              </p>
            ),
          )}
        </blockquote>
      )
  }
}

export function DraftText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className="draft-text">
      {blocks.map((block, at) => (
        <Shown key={at} block={block} />
      ))}
    </div>
  )
}

function Pieces({ pieces, as }: { readonly pieces: readonly Piece[]; readonly as: 'del' | 'ins' }) {
  const Mark = as
  return pieces.map(({ text, changed }, at): ReactNode => (changed ? <Mark key={at}>{text}</Mark> : text))
}

interface Compared {
  readonly machine: string
  readonly ours: string
  readonly machineLabel: string
  readonly ourLabel: string
}

/** Lines that are the same are shown once; where they differ, the workflow's stand at the left and the person's at the right. */
export function ComparedText({ machine, ours, machineLabel, ourLabel }: Compared) {
  const rows = useMemo(() => compareLines(machine, ours), [machine, ours])
  let isFirst = true
  return (
    <div className="draft-text">
      {rows.map((row, at) => {
        if (row.same) {
          const block = row.after.join('\n')
          return at === 0 ? <Same key={at} text={block} first /> : <Same key={at} text={block} />
        }
        const words = compareWords(row.before.join('\n'), row.after.join('\n'))
        const heads = isFirst
        isFirst = false
        return (
          <div key={at} className="draft-both">
            <div className="draft-machine">
              <p className={heads ? 'draft-side' : 'unseen'}>{machineLabel}</p>
              <p className="draft-lines">
                <Pieces pieces={words.before} as="del" />
              </p>
            </div>
            <div className="draft-ours">
              <p className={heads ? 'draft-side' : 'unseen'}>{ourLabel}</p>
              <p className="draft-lines">
                <Pieces pieces={words.after} as="ins" />
              </p>
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** A run in the middle of a text has no title. */
const Same = ({ text, first = false }: { readonly text: string; readonly first?: boolean }) =>
  blocksOf(first ? text : `\u200b\n\n${text}`)
    .slice(first ? 0 : 1)
    .map((block, at) => <Shown key={at} block={block} />)
