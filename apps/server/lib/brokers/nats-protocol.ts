/**
 * What a NATS server sends to a client, read from a stream of bytes. The server is a customer's, so lines, messages and
 * the whole have a bound, and what is not NATS throws.
 */
const maxLineBytes = 32 * 1024
/** Acknowledgments of JetStream are some hundred bytes. */
const maxMessageBytes = 64 * 1024

export type ServerFrame =
  | { readonly verb: 'INFO'; readonly info: ServerInfo }
  | { readonly verb: 'MSG'; readonly subject: string; readonly headers: string; readonly payload: string }
  | { readonly verb: '-ERR'; readonly text: string }
  | { readonly verb: 'PING' | 'PONG' | '+OK' }

export interface ServerInfo {
  readonly tls_required?: unknown
  readonly tls_available?: unknown
  readonly headers?: unknown
  readonly max_payload?: unknown
}

export class NotNats extends Error {}

interface Announced {
  readonly subject: string
  readonly headerBytes: number
  readonly bytes: number
}

/** Returns a function that takes the next bytes and returns the frames that are complete. */
export function natsReader(): (chunk: Buffer) => ServerFrame[] {
  let rest: Buffer = Buffer.alloc(0)
  let announced: Announced | null = null
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: ServerFrame[] = []
    for (;;) {
      if (announced) {
        if (rest.length < announced.bytes + 2) return frames
        frames.push(messageOf(announced, rest))
        rest = rest.subarray(announced.bytes + 2)
        announced = null
        continue
      }
      const end = rest.indexOf('\r\n')
      if (Math.max(end, end === -1 ? rest.length : 0) > maxLineBytes) throw new NotNats('a line without end')
      if (end === -1) return frames
      const read = lineOf(rest.subarray(0, end).toString())
      rest = rest.subarray(end + 2)
      if ('verb' in read) frames.push(read)
      else announced = read
    }
  }
}

function messageOf({ subject, headerBytes, bytes }: Announced, from: Buffer): ServerFrame {
  return {
    verb: 'MSG',
    subject,
    headers: from.subarray(0, headerBytes).toString(),
    payload: from.subarray(headerBytes, bytes).toString(),
  }
}

function lineOf(line: string): ServerFrame | Announced {
  const [, verb = '', text = ''] = /^(\S+)[ \t]*(.*)$/s.exec(line) ?? []
  switch (verb.toUpperCase()) {
    case 'INFO':
      return { verb: 'INFO', info: infoOf(text) }
    case 'MSG':
    case 'HMSG':
      return announcedBy(verb.toUpperCase(), text.trim().split(/[ \t]+/))
    case '-ERR':
      return { verb: '-ERR', text: text.trim() }
    case 'PING':
      return { verb: 'PING' }
    case 'PONG':
      return { verb: 'PONG' }
    case '+OK':
      return { verb: '+OK' }
    default:
      throw new NotNats('an unknown line')
  }
}

function infoOf(text: string): ServerInfo {
  try {
    const info: unknown = JSON.parse(text)
    if (typeof info === 'object' && info !== null) return info
  } catch {
    // Falls through to the refusal.
  }
  throw new NotNats('INFO without an object')
}

/** `subject sid [reply] [header bytes] bytes` */
function announcedBy(verb: string, words: readonly string[]): Announced {
  const bytes = Number(words.at(-1))
  const headerBytes = verb === 'HMSG' ? Number(words.at(-2)) : 0
  const isWhole = [bytes, headerBytes].every((each) => Number.isSafeInteger(each) && each >= 0)
  if (!isWhole || headerBytes > bytes || bytes > maxMessageBytes || words.length < 3) throw new NotNats('a bad message')
  return { subject: words[0] ?? '', headerBytes, bytes }
}
