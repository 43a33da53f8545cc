/** Splits a stream of chunks into lines of JSON. */
import type { ChainEntry, Json } from '@countersign/proof'

/** Far above any entry; a stream without line feeds must not exhaust memory. */
const longestLine = 64 * 1024 * 1024

/** The lines that a chunk completes. A last line without a line feed is dropped: the connection was cut there. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() as string
    if (rest.length > longestLine) throw new Error('a line is too long')
    if (lines.length > 0) yield lines
  }
}

const mark = ',"content":{'
const unreadable: ChainEntry = { index: -1, id: '', hash: '', previousHash: null, sealedAt: '', content: '' }

/**
 * The content is left as the text that was hashed: to parse it and write it again would cost more than the hash. Quotes
 * in strings are escaped, so the mark cannot stand inside of one. A line of another form is parsed as a whole, and one
 * that cannot be read becomes an entry that the verifier refuses.
 */
export function entryOf(line: string): ChainEntry {
  try {
    const at = line.indexOf(mark)
    if (at < 0 || !line.endsWith('}}')) return JSON.parse(line) as ChainEntry
    const head = JSON.parse(`${line.slice(0, at)}}`) as Omit<ChainEntry, 'content'>
    return { ...head, content: line.slice(at + mark.length - 1, -1) }
  } catch {
    return unreadable
  }
}

/** An entry, and what its commitments stand for, as far as it is not redacted. */
export interface ValuedEntry extends ChainEntry {
  readonly values?: Readonly<Record<string, Json>> | undefined
  readonly salts?: Readonly<Record<string, string>> | undefined
}

const next = '},"values":{'

/**
 * Values and salts follow the content. They may have members of any name, and so may the content: of the places where the one
 * could end and the other begin, only the right one leaves both complete.
 */
export function valuedEntryOf(line: string): ValuedEntry {
  const start = line.indexOf(mark)
  for (let end = line.indexOf(next, start); start >= 0 && end >= 0; end = line.indexOf(next, end + 1)) {
    try {
      const { values, salts } = JSON.parse(`{${line.slice(end + 2)}`) as ValuedEntry
      return { ...entryOf(`${line.slice(0, end + 1)}}`), values, salts }
    } catch {
      // Not the end of the content.
    }
  }
  return entryOf(line)
}

interface Content {
  readonly commitments?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** An entry that cannot be read is reported by the check of the chain. */
export function contentOf({ content }: ChainEntry): Content {
  try {
    return ((typeof content === 'string' ? JSON.parse(content) : content) ?? {}) as Content
  } catch {
    return {}
  }
}
