'use client'
import { type FormEvent, useState } from 'react'
import type { Happening } from '../lib/runs.ts'

export default function Page() {
  const [text, setText] = useState('')
  const [approvalUrl, setApprovalUrl] = useState<string | null>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { order, won } = Object.fromEntries(new FormData(event.currentTarget))
    const source = new EventSource(`/api/runs/order-${order}`)
    source.onopen = () => fetch(source.url, { method: 'POST', body: `Refund order ${order}: ${won} won` })
    source.onmessage = ({ data }) => {
      const { text: more = '', approvalUrl, ended }: Happening = JSON.parse(data)
      setText((before) => before + more)
      setApprovalUrl(approvalUrl)
      if (ended) source.close()
    }
  }

  return (
    <form onSubmit={submit}>
      <input name="order" aria-label="Order" defaultValue="1041" required />
      <input name="won" aria-label="Won" defaultValue="820000" required />
      <button type="submit">Ask the agent</button>
      <p role="status">{approvalUrl ? <a href={approvalUrl}>Open the decision</a> : text}</p>
    </form>
  )
}
