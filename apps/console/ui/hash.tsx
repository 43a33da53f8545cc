/** A hash in groups of four: its first eight and last four characters; the whole value where it is selected or copied. */
import { Copy } from './copy.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly value: string
  /** All groups, for a page about this one hash. */
  readonly whole?: boolean
  readonly copy?: boolean
}

const grouped = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? ''

export function Hash({ value, whole = false, copy = false }: Properties) {
  const say = useUiWords()
  const short = !whole && value.length > 16
  return (
    <span className="hash" title={short ? value : undefined}>
      <b>{grouped(value.slice(0, 8))}</b> {grouped(short ? '' : value.slice(8))}
      {short && `… ${value.slice(-4)}`}
      {copy && (
        <>
          {' '}
          <Copy text={value} what={say('hash')} />
        </>
      )}
    </span>
  )
}
