/** The witness over HTTP: POST /add-checkpoint for logs, and two pages of plain text for people. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { VerifierKey } from '@countersign/proof'
import type { WitnessKey } from './key.ts'
import type { State } from './state.ts'
import { parseSubmission, type Submission, trustIn } from './witness.ts'

export interface Witness {
  readonly key: WitnessKey
  readonly state: State
  readonly logKeys: readonly VerifierKey[]
  /** Writes one line to the operator's log. */
  readonly say: (line: string) => void
  /** In milliseconds. */
  readonly now: () => number
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly type?: string
}

/** 63 hashes and a note with a few dozen signatures take less than a quarter of this. */
const bodyLimit = 32 * 1024

export function witnessServer(witness: Witness): Server {
  const server = createServer((request, response) => {
    answerTo(witness, request)
      .catch((error: Error): Answer => {
        witness.say(`error: ${error.stack ?? error.message}`)
        return refusal(500, "The witness couldn't save its state, so it signed nothing. Try again.")
      })
      .then((answer) => send(response, answer))
      .catch(() => response.destroy())
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 10_000
  return server
}

async function answerTo(witness: Witness, request: IncomingMessage): Promise<Answer> {
  const [path] = (request.url ?? '/').split('?')
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return refusal(405, 'Send checkpoints with POST.')
    const body = await bodyOf(request)
    return body === null ? refusal(413, `The body is longer than ${bodyLimit} bytes.`) : addCheckpoint(witness, body)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'This page accepts only GET and HEAD.')
  if (path === '/') return { status: 200, body: introduction(witness) }
  if (path === '/contradictions') return { status: 200, body: evidence(witness.state) }
  return refusal(404, 'Page not found. Use /, /contradictions or /add-checkpoint.')
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > bodyLimit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function addCheckpoint({ key, state, logKeys, say, now }: Witness, body: Uint8Array): Promise<Answer> {
  let submission: Submission
  try {
    submission = parseSubmission(utf8.decode(body))
  } catch (error) {
    return refusal(400, `The body isn't a tlog-witness request: ${(error as Error).message}.`)
  }
  const { note, checkpoint } = submission
  const { origin, size } = checkpoint
  const trust = trustIn(submission, logKeys)
  if (trust === 'unknown log') return refusal(404, `This witness doesn't know the log ${origin}.`)
  if (trust === 'not signed')
    return refusal(403, `The checkpoint isn't signed with a key that this witness trusts for ${origin}.`)

  const at = now()
  const { judgement, size: knownSize } = await state.settle(submission, at)
  switch (judgement) {
    case 'cosign':
      return { status: 200, body: key.cosign(note.text, Math.floor(at / 1000)) }
    case 'backwards':
      return refusal(400, "The old size is larger than the checkpoint's size.")
    case 'another root':
      // The empty tree has only one root: a wrong root for the size 0 is an error and not a contradiction.
      if (size > 0) say(`CONTRADICTION: ${origin} signed two root hashes for size ${size}; see /contradictions`)
      return { status: 409, body: `${knownSize}\n`, type: 'text/x.tlog.size' }
    case 'another size':
      return { status: 409, body: `${knownSize}\n`, type: 'text/x.tlog.size' }
    case 'no proof':
      say(`refused: ${origin} didn't prove that its tree of ${size} entries contains its tree of ${knownSize}`)
      return refusal(
        422,
        `The proof doesn't show that the tree of ${size} entries contains the cosigned tree of ${knownSize}.`,
      )
  }
}

const refusal = (status: number, sentence: string): Answer => ({ status, body: `${sentence}\n` })

function introduction({ key, state, logKeys }: Witness): string {
  const { logs, contradictions } = state.counts()
  return `This is the witness ${key.name}.

It cosigns a log's checkpoint only if the checkpoint contains everything it has cosigned for that log before. A verifier
that requires this cosignature therefore rejects a rewritten history, or a second history shown to someone else.
The witness sees only how many entries a log has and their hash, never the content.

This witness's key, for trust policies:
${key.vkey}

Log hosts that this witness serves: ${logKeys.map(({ name }) => name).join(', ') || 'none yet'}
Cosigned logs: ${logs}
Contradictions: ${contradictions}${contradictions > 0 ? ', see /contradictions' : ''}

Logs send their checkpoints to POST /add-checkpoint, as specified in https://c2sp.org/tlog-witness.
`
}

function evidence(state: State): string {
  const found = state.contradictions()
  if (found.length === 0)
    return 'This witness has no evidence of a log that signed two root hashes for the same size.\n'
  return found
    .map(
      ({ origin, size, seenAt, cosigned, refused }) =>
        `${origin} signed two root hashes for size ${size}; seen at ${new Date(seenAt).toISOString()}.\n\n` +
        `Cosigned:\n\n${cosigned}\nRefused:\n\n${refused}\n`,
    )
    .join('----\n\n')
}

function send(response: ServerResponse, { status, body, type = 'text/plain; charset=utf-8' }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The rest of a body that is too long is not read.
    ...(status === 413 && { connection: 'close' }),
  })
  response.end(response.req.method === 'HEAD' ? '' : body)
}
