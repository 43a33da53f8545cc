/** What the draft and the other policies would ask of a request for an amount, as the server judges it. */
import type { CheckedChange, PolicyCheck } from '@countersign/sdk'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Body } from './body.ts'
import { draftName, useCheck } from './data.ts'
import { useRested } from './dry-run.tsx'
import { stepTitle } from './naming.ts'
import { usePolicyWords } from './words.ts'

/** The value that the policy's first limit is about. */
const limitOf = ({ match }: Body) =>
  match.when?.find(({ pointer, value }) => pointer.startsWith('/action/input/') && typeof value === 'number')

const numberOf = (text: string): number | null => {
  const plain = text.replaceAll(/[,\s]/g, '')
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : null
}

interface Properties {
  readonly body: Body
  readonly policyId: string | null
  /** The draft, once it has rested; null while it is incomplete. */
  readonly draft: string | null
}

export function AmountPart({ body, policyId, draft }: Properties) {
  const say = usePolicyWords()
  const language = useLanguage()
  const limit = limitOf(body)
  const [text, setText] = useState(() => (limit ? numberText(Number(limit.value) * 2, language) : ''))
  const rested = useRested(text)
  const amount = numberOf(rested)
  const pointer = limit?.pointer ?? '/action/input/amount'
  const { data, error } = useCheck(policyId, amount === null ? null : draft, { pointer, value: amount ?? 0 })
  return (
    <Part title={say('amountTitle')} aside={say('amountNote')}>
      <div className="line-try">
        <input
          className="field"
          inputMode="decimal"
          aria-label={say('amount')}
          placeholder={numberText(1_000_000, language)}
          aria-invalid={text !== '' && numberOf(text) === null ? true : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div role="status">
          {draft === null && <p className="soft">{say('incomplete')}</p>}
          {draft !== null && amount !== null && !data && !error && <Skeleton rows={1} />}
          {data && amount !== null && <Needs check={data} name={body.name} />}
        </div>
      </div>
      <ErrorLine error={error} />
    </Part>
  )
}

function Needs({ check, name }: { readonly check: PolicyCheck; readonly name: string }) {
  const say = usePolicyWords()
  const language = useLanguage()
  const { outcome, approval } = check
  if (outcome !== 'approval_required' || !approval) return <p>{say(`outcome${outcome}`)}</p>
  return (
    <>
      <p>
        <b>{say('amountNeeds', { count: numberText(approval.approvals, language) })}</b>
      </p>
      <ul>
        {approval.lines.map((line) => (
          <li key={line.policyId}>
            <span className="soft">{line.name === draftName ? name || say('newHead') : line.name}</span>{' '}
            {line.steps
              .map((step, at) => {
                const title = line.steps.length === 1 && !step.title ? say('approver') : stepTitle(step, at, say)
                return step.count > 1 ? `${title} ${say('stepCountOf', { count: step.count })}` : title
              })
              .join(' → ')}
          </li>
        ))}
      </ul>
      {approval.problem !== null && <p className="waiting">△ {say('lineStuck')}</p>}
    </>
  )
}

const mostNamed = 5

/** Who could make the policy less strict once it is in use; a looser policy is itself a decision. */
export function Looser({ change }: { readonly change: CheckedChange | undefined }) {
  const say = usePolicyWords()
  const language = useLanguage()
  if (!change || change.approvals === 0) return null
  const { approvals, people, peopleCount, aloneAfterWait } = change
  if (peopleCount < approvals) {
    return <p className="line-looser small waiting">△ {say(aloneAfterWait ? 'looserAlone' : 'looserFew')}</p>
  }
  const names = people.slice(0, mostNamed).map(({ name }) => name)
  const rest = peopleCount - names.length
  const more = rest > 0 ? ` ${say('ableMore', { count: numberText(rest, language) })}` : ''
  return (
    <p className="line-looser small soft">
      {say('looserBy', { count: approvals, names: `${names.join(', ')}${more}` })}
    </p>
  )
}
