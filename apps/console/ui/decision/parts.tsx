/** The parts of a decision around its values: rules, approvals, comments. */
import type { Decision, WaitingRule } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { nameOf, visible } from '../../decision/read.ts'
import { ruleSentences } from '../../decision/rules.ts'
import { Part } from '../desk.tsx'
import { useDoneWords } from '../done-words.ts'
import { ErrorLine } from '../error-panel.tsx'
import { Seal } from '../picture.tsx'
import { Time } from '../time.tsx'
import { useDecisionWords } from './words.ts'

/** Texts of a record keep their lines. */
export const Said = ({ children }: { readonly children: string }) => <span className="said">{visible(children)}</span>

function RuleText({ rule }: { readonly rule: WaitingRule }) {
  const say = useDecisionWords()
  const language = useLanguage()
  return (
    <>
      <p className="measure">
        <b>{visible(rule.name)}</b> <span className="soft small">{say('ruleVersion', { version: rule.version })}</span>
      </p>
      <p className="measure">{ruleSentences(rule, say, language)}</p>
      {rule.description && (
        <p className="soft small">
          <Said>{rule.description}</Said>
        </p>
      )}
    </>
  )
}

export function RulesPart({ decision: { waiting } }: { readonly decision: Decision }) {
  const say = useDecisionWords()
  const rules = waiting?.rules ?? []
  return (
    <Part title={say('rules')}>
      {rules.length === 0 && <p>{say('noRule')}</p>}
      {rules.map((rule) => (
        <RuleText key={rule.id} rule={rule} />
      ))}
    </Part>
  )
}

const did = { passkey: 'didPasskey', session: 'didSession', claim: 'didClaim', system: 'didSystem' } as const

export function ApprovalsPart({ decision }: { readonly decision: Decision }) {
  const say = useDecisionWords()
  const { approvals, evidence, actionDigest } = decision
  if (approvals.length === 0) return null
  return (
    <Part title={say('approvals')}>
      <ul className="given">
        {approvals.map((given) => {
          const { level } = given.identity
          const name = nameOf(given)
          return (
            <li key={given.approvalId}>
              <span className="mark">
                {given.result === 'approved' ? (
                  <Seal level={level} name={name} hash={evidence.chainHash ?? actionDigest} size={56} label="" />
                ) : (
                  <span className="broken big" aria-hidden="true">
                    ✕
                  </span>
                )}
              </span>
              <div>
                <p>
                  <b>{say(did[level], { name })}</b>
                  {given.result !== 'approved' && <span className="broken"> · {say('refusedBy')}</span>}{' '}
                  <span className="soft small">
                    <Time at={given.createdAt} />
                  </span>
                </p>
                {given.reason && (
                  <p>
                    <Said>{given.reason}</Said>
                  </p>
                )}
                {level === 'claim' && <p className="soft small">{say('claimNote')}</p>}
                {given.onBehalfOf && (
                  <p className="soft small">
                    {say('behalf', { name: visible(given.onBehalfOfName ?? given.onBehalfOf) })}
                  </p>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

export function CommentsPart({ decision, open }: { readonly decision: Decision; readonly open: boolean }) {
  const say = useDecisionWords()
  const done = useDoneWords()
  const [text, setText] = useState('')
  const post = useChange(['decisions'], () => api.decisions.comment(decision.id, { text }), {
    told: () => done('commentSent'),
    onDone: () => setText(''),
  })
  if (!open && decision.comments.length === 0) return null
  return (
    <Part title={say('comments')}>
      {decision.comments.length === 0 && <p className="soft">{say('noComments')}</p>}
      <ol>
        {decision.comments.map(({ id, author, text: said, createdAt }) => (
          <li key={id}>
            <p className="soft small">
              <b>{visible(author.name)}</b> · <Time at={createdAt} />
            </p>
            <p>
              <Said>{said}</Said>
            </p>
          </li>
        ))}
      </ol>
      {open && (
        <form
          className="ask"
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') post.mutate()
          }}
        >
          <textarea
            className="field"
            rows={1}
            maxLength={10_000}
            aria-label={say('askLabel')}
            placeholder={say('askLabel')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="btn plain" disabled={post.isPending || text.trim() === ''}>
            {say('askSend')}
          </button>
        </form>
      )}
      <ErrorLine error={post.error} />
    </Part>
  )
}
