/** Runs the worker and keeps what it has said. A page that was left stops its worker. */
import type { ChainOverview } from '@countersign/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { openWorker } from '../../app/worker-url.ts'
import type { BrowserVerdict, FromWorker, ToWorker } from './verify-messages.ts'
import workerUrl from './verify-worker.ts?worker&url'

export interface Verification {
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  readonly checked: number
  readonly verdict: BrowserVerdict | null
  readonly failure: string | null
  /** One byte per entry that was read. */
  readonly levels: Uint8Array
  /** How long it took. */
  readonly ms: number
}

const idle = (length: number): Verification => ({
  state: 'idle',
  checked: 0,
  verdict: null,
  failure: null,
  levels: new Uint8Array(length),
  ms: 0,
})

export function useVerification(chain: ChainOverview | undefined) {
  const [shown, setShown] = useState<Verification>(() => idle(0))
  const worker = useRef<Worker | null>(null)
  const stop = useCallback(() => {
    worker.current?.terminate()
    worker.current = null
  }, [])
  useEffect(() => stop, [stop])
  const domain = chain?.domain
  useEffect(() => {
    stop()
    setShown(idle(0))
  }, [domain, stop])

  const start = useCallback(() => {
    if (!chain) return
    stop()
    const began = performance.now()
    const levels = new Uint8Array(chain.length)
    setShown({ ...idle(0), state: 'running', levels })
    const made = openWorker(workerUrl)
    worker.current = made
    const send = (message: ToWorker) => made.postMessage(message)
    made.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'renew') {
        // Any call renews the session, and its cookie with it.
        void api.auth.getMe().then(
          () => send({ type: 'renewed' }),
          () => send({ type: 'renewed' }),
        )
      } else if (data.type === 'progress') {
        levels.set(data.levels, data.from)
        setShown((old) => ({ ...old, checked: data.checked, ms: performance.now() - began }))
      } else {
        stop()
        setShown((old) => ({
          ...old,
          state: data.type,
          verdict: data.type === 'done' ? data.verdict : null,
          failure: data.type === 'failed' ? data.message : null,
          ms: performance.now() - began,
        }))
      }
    }
    made.onerror = ({ message }) => {
      stop()
      setShown((old) => ({ ...old, state: 'failed', failure: message }))
    }
    send({ type: 'start', domain: chain.domain, log: chain.log, total: chain.length })
  }, [chain, stop])
  return { ...shown, start, stop }
}
