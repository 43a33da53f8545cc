/**
 * Recomputes a chain from its first entry on, in a thread of its own. Memory stays constant: one page is parsed line by
 * line, and one byte per entry goes back, for the picture.
 */
import { familyOf } from '@countersign/proof/generations.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { levelOf } from './level.ts'
import type { FromWorker, ToWorker } from './verify-messages.ts'

const pageSize = 10_000
const tellMs = 200

const tell = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer })

let resume: (() => void) | null = null

/** The session is renewed by the page: this thread has only its cookie. */
async function page(address: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(address, { credentials: 'same-origin' })
    if (response.ok) return response
    const wait = Number(response.headers.get('retry-after') ?? 0)
    if (tries === 3 || (response.status !== 401 && response.status !== 429)) throw new Error(`HTTP ${response.status}`)
    if (response.status === 401) {
      const renewed = new Promise<void>((resolve) => {
        resume = resolve
      })
      tell({ type: 'renew' })
      await renewed
    } else await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait) * 1000))
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) break
    const lines = (rest + chunk.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function run({ domain, log, total }: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  const verifier = chainVerifier({ domain, log: familyOf(log).first })
  let checked = 0
  let levels: number[] = []
  let told = performance.now()
  const report = () => {
    const bytes = Uint8Array.from(levels)
    tell({ type: 'progress', from: checked - bytes.length, checked, levels: bytes }, [bytes.buffer])
    levels = []
    told = performance.now()
  }
  while (checked < total) {
    const before = checked
    const limit = Math.min(pageSize, total - checked)
    for await (const line of linesOf(await page(`/api/chains/${domain}/entries?from=${checked}&limit=${limit}`))) {
      if (line === '') continue
      const entry = JSON.parse(line)
      verifier.add(entry)
      levels.push(levelOf(entry.content))
      checked++
      if (performance.now() - told > tellMs) report()
    }
    // The chain is shorter than the server said: the verdict has the length that was read.
    if (checked === before) break
  }
  report()
  const { brokenAt, reason, chainLength, headHash } = verifier.result()
  tell({ type: 'done', verdict: { brokenAt, reason, chainLength, headHash } })
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'renewed') resume?.()
  else run(data).catch((error: unknown) => tell({ type: 'failed', message: String(error) }))
})
