/** Checks one proof in a thread of its own: signatures take longer than a frame, and the page keeps answering. */
import { check } from './check.ts'
import type { CheckAnswer, CheckRequest } from './check-messages.ts'

const tell = (answer: CheckAnswer) => postMessage(answer)

addEventListener('message', ({ data: { text, policy } }: MessageEvent<CheckRequest>) => {
  try {
    tell({ checked: check(JSON.parse(text), policy) })
  } catch (error) {
    tell({ failure: String(error) })
  }
})
