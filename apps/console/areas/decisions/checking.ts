/** Asks the worker about one proof, and stops it when the answer is there or the page was left. */
import { openWorker } from '../../app/worker-url.ts'
import type { Checked } from './check.ts'
import type { CheckAnswer, CheckRequest } from './check-messages.ts'
import workerUrl from './check-worker.ts?worker&url'

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
