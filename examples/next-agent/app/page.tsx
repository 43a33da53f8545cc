'use client'
import { type FormEvent, useEffect, useState } from 'react'
import type { Outcome } from '../lib/agent.ts'

interface Refund {
  readonly order: string
  readonly won: number
}

async function ask(refund: Refund): Promise<Outcome> {
  const answer = await fetch('/api/refund', { method: 'POST', body: JSON.stringify(refund) })
  return answer.ok ? answer.json() : { state: 'ended', text: `The agent failed with ${answer.status}. Read its log.` }
}

export default function Page() {
  const [refund, setRefund] = useState<Refund | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  // While a person has to decide, the agent is run again; each run continues the same decision.
  useEffect(() => {
    if (!refund || outcome?.state === 'ended') return
    const timer = setTimeout(() => ask(refund).then(setOutcome), outcome ? 2000 : 0)
    return () => clearTimeout(timer)
  }, [refund, outcome])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setOutcome(null)
    setRefund({ order: String(form.get('order')), won: Number(form.get('won')) })
  }

  return (
    <main>
      <h1>Refunds</h1>
      <form onSubmit={submit}>
        <label>
          Order <input name="order" defaultValue="1041" required />
        </label>{' '}
        <label>
          Won <input name="won" type="number" defaultValue="820000" required />
        </label>{' '}
        <button type="submit">Ask the agent</button>
      </form>
      <p role="status">
        {outcome?.state === 'waiting' && (
          <>
            A person has to approve. <a href={outcome.approvalUrl}>Open the decision</a>
          </>
        )}
        {outcome?.state === 'ended' && outcome.text}
      </p>
    </main>
  )
}
