/** Responses with one JSON object per line. */
import type { Answer } from './call.ts'
import { ConnectionError } from './errors.ts'

/** Sends the request when the first item is asked for. Leaving the loop ends the stream. */
export async function* linesOf<T>(load: () => Promise<Answer<unknown>>): AsyncGenerator<T> {
  const { data, attempts } = await load()
  const reader = (data as ReadableStream<Uint8Array>).getReader()
  const lost = (why: string, cause?: unknown) => new ConnectionError(`The stream ended early: ${why}`, attempts, cause)
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const step = await reader.read().catch((error: Error) => {
        throw lost(error.message, error)
      })
      if (step.done) break
      const lines = (rest + decoder.decode(step.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as T
    }
    if (rest !== '') throw lost('it stopped in the middle of a line.')
  } finally {
    await reader.cancel().catch(() => {})
  }
}
