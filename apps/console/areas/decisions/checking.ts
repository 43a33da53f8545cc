/** Asks the worker about one proof, and stops it when the answer is there or the page was left. */
import { openWorker } from '../../app/worker-url.ts'
import type { Checked } from './check.ts'
import workerUrl from './check-worker.ts?worker&url'

export interface CheckRequest {
  /** The exact text of the proof. */
  readonly text: string
  /** Whom to trust. */
  readonly policy: string
}

export type CheckAnswer = { readonly checked: Checked } | { readonly failure: string }

export function checkApart(request: CheckRequest, signal: AbortSignal): Promise<Checked> {
  const worker = openWorker(workerUrl)
  const answer = new Promise<Checked>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) =>
      'checked' in data ? resolve(data.checked) : reject(new Error(data.failure))
    worker.onerror = ({ message }) => reject(new Error(message))
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  worker.postMessage(request)
  return answer.finally(() => worker.terminate())
}
