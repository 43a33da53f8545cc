/** One policy on the sheet: its sentence, what the draft changes, and what it would have changed. */
import type { Policy } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { centerQuery, queries } from '../../app/queries.ts'
import { timeText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet, useTitle } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-unsaved.ts'
import { type Body, bodyOf, countOf, emptyBody, isComplete, sameText } from './body.ts'
import { draftName, useCheck, useDryRun } from './data.ts'
import { DryRunPart, useRested } from './dry-run.tsx'
import { differences, factsOf, scopeText } from './facts.ts'
import { LineBuilder } from './line-builder.tsx'
import { AmountPart, Looser } from './line-check.tsx'
import { stepTitle, useNaming } from './naming.ts'
import { SentenceForm, SentenceText } from './sentence-form.tsx'
import { type Starting, startingBody, startingsOf } from './starting.ts'
import { Differences, Versions } from './versions.tsx'
import { usePolicyWords } from './words.ts'

interface Properties {
  /** Null: a new one. */
  readonly policy: Policy | null
  readonly onBody: (body: Body | null) => void
}

export function InheritedSheet({ policy }: { readonly policy: Policy }) {
  const say = usePolicyWords()
  const naming = useNaming()
  useTitle(policy.name)
  return (
    <Sheet label={policy.name}>
      <h1 className="policy-name">{policy.name}</h1>
      <p className="soft small">{say('fixedBy', { scope: scopeText(policy, say) })}</p>
      <SentenceText body={bodyOf(policy)} naming={naming} />
      {policy.description && <p className="policy-measure">{policy.description}</p>}
    </Sheet>
  )
}

export function PolicySheet({ policy, onBody }: Properties) {
  const say = usePolicyWords()
  const done = useDoneWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const saved = policy ? bodyOf(policy) : null
  const [body, setBody] = useState<Body>(saved ?? emptyBody)
  const [action, setAction] = useState(body.match.actionTypes?.join(', ') ?? '')
  const [asking, setAsking] = useState(false)
  /** The decision that a change of this policy waits for. */
  const [pending, setPending] = useState<string | null>(null)
  const version = (policy?.version ?? 0) + 1
  const dirty = saved === null || sameText(saved) !== sameText(body)
  const ready = isComplete(body)
  // The name does not change an outcome.
  const text = ready ? sameText({ ...body, name: draftName }) : null
  const rested = useRested(text)
  const query = useDryRun(policy?.id ?? null, dirty ? rested : null)
  // Neither a dry run nor a check that cannot be made keeps a center from a stricter policy.
  const naming = useNaming()
  const check = useCheck(policy?.id ?? null, rested)
  const tried = rested === text && (query.isSuccess || query.isError) && (check.isSuccess || check.isError)
  // What was judged before the last change is about other steps.
  const lines = (rested === text && check.data?.approval?.lines) || []
  const own = lines.find(({ policyId, name }) => policyId === policy?.id || name === draftName)
  const checkedPolicy =
    rested === text ? check.data?.policies.find(({ id, name }) => id === policy?.id || name === draftName) : undefined
  const stuck = own?.steps.findIndex(({ count, peopleCount }) => peopleCount < count) ?? -1
  const stuckStep = own?.steps[stuck]
  const stuckTitle =
    own?.steps.length === 1 && !stuckStep?.title ? say('approver') : stepTitle(stuckStep ?? {}, stuck, say)
  useTitle(policy?.name ?? say('newHead'))

  const draft = useDraft()
  const change = (next: Body) => {
    draft.current = sameText(next) !== sameText(saved ?? emptyBody)
    setBody(next)
    onBody(next)
  }
  const { center = '' } = useParams({ strict: false })
  const { data: profile } = useQuery({ ...centerQuery(center), enabled: center !== '' })
  const vertical = profile?.vertical
  const titles = { staff: say('titleStaff'), director: say(vertical ? `director${vertical}` : 'titleDirector') }
  const startOf = (starting: Starting) => startingBody(starting, say(`name${starting}`), titles)
  const start = (starting: Starting) => {
    const next = startOf(starting)
    change(next)
    setAction(next.match.actionTypes?.join(', ') ?? '')
  }
  const discard = () => {
    change(saved ?? emptyBody)
    setAction((saved ?? emptyBody).match.actionTypes?.join(', ') ?? '')
    if (!policy) void navigate({ to: '.', search: {} })
  }
  /** Looser rules are a decision: it is in the inbox of those who can agree. */
  const waits = async ({ eventId }: { readonly eventId: string }) => {
    change(saved ?? emptyBody)
    setPending(eventId)
    await queries.invalidateQueries({ queryKey: ['inbox'] })
  }
  const save = useChange(
    ['policies'],
    async (next: Body) =>
      policy
        ? api.policies.update(policy.id, { ...next, approval: next.approval ?? null })
        : api.policies.create({ ...next, scope: 'center' }),
    {
      told: (answer, { name }) => ('pending' in answer ? null : done('saved', { name })),
      onDone(answer) {
        draft.current = false
        onBody(null)
        if ('pending' in answer) void waits(answer.pending)
        else void navigate({ to: '.', search: { policy: answer.id } })
      },
    },
  )
  const withdraw = useChange(['policies'], async () => (policy ? api.policies.delete(policy.id) : null), {
    told: (answer) => (answer ? null : done('policyWithdrawn', { name: policy?.name ?? '' })),
    onDone(answer) {
      draft.current = false
      if (answer) void waits(answer.pending)
      else void navigate({ to: '.', search: {} })
    },
  })
  const rows =
    saved && dirty ? differences(factsOf(saved, say, language, naming), factsOf(body, say, language, naming)) : []

  const act = dirty && (
    <div className="policy-act">
      <div>
        {stuck >= 0 && (
          <p className="small waiting">
            △{' '}
            {own?.steps[stuck]?.identity === 'passkey'
              ? say('saveNoPasskey', { title: stuckTitle })
              : say('saveNobody', { title: stuckTitle })}
          </p>
        )}
        <p className="small soft">{say(ready ? (tried ? 'saveNote' : 'untried') : 'incomplete', { version })}</p>
        <ErrorLine error={save.error} />
      </div>
      <button type="button" className="btn plain" onClick={discard}>
        {say('discard')}
      </button>
      <button
        type="button"
        className="btn first"
        disabled={!ready || !tried || save.isPending}
        onClick={() => save.mutate(body)}
      >
        {say('save', { version })}
      </button>
    </div>
  )

  return (
    <Sheet label={policy?.name ?? say('newHead')} act={act}>
      <h1 className="policy-name">
        {policy ? (dirty ? say('draftHead', { name: policy.name, version }) : policy.name) : say('newHead')}
      </h1>
      {!policy && (
        <fieldset className="line-templates" aria-label={say('startFrom')}>
          {startingsOf(vertical).map((each) => (
            <button
              key={each}
              type="button"
              className="btn low plain"
              aria-pressed={sameText(body) === sameText(startOf(each))}
              onClick={() => start(each)}
            >
              {say(`start${each}`)}
            </button>
          ))}
        </fieldset>
      )}
      {pending && (
        <p role="status" className="small">
          {say('pendingChange')} <a href={`/approve/${pending}`}>{say('pendingLink')}</a>
        </p>
      )}
      <p className="soft small">
        {policy?.createdAt
          ? say('inUse', { version: policy.version, at: timeText(policy.createdAt, language, 'day') })
          : say('notSaved')}
      </p>
      <SentenceForm body={body} naming={naming} saved={saved} action={action} onAction={setAction} onChange={change} />
      <LineBuilder body={body} naming={naming} checked={own} onChange={change} />
      <Looser change={checkedPolicy?.change} />
      <div className="policy-line">
        <Field
          label={say('name')}
          placeholder={say('namePlaceholder')}
          maxLength={200}
          data-field="name"
          value={body.name}
          onChange={(event) => change({ ...body, name: event.target.value })}
        />
        {policy && (
          <>
            <button
              type="button"
              className="btn plain"
              onClick={() => change({ ...body, active: body.active === false })}
            >
              {say(body.active === false ? 'resume' : 'rest')}
            </button>
            <button type="button" className="btn plain" onClick={() => setAsking(true)}>
              {say('withdraw')}
            </button>
          </>
        )}
      </div>
      {countOf(body) > 0 && <AmountPart body={body} policyId={policy?.id ?? null} draft={rested} />}
      {rows.length > 0 && (
        <Part title={say('differences', { version: policy?.version ?? 1 })}>
          <Differences rows={rows} />
        </Part>
      )}
      {dirty && <DryRunPart query={query} ready={ready} />}
      {policy && <Versions policy={policy} />}
      {asking && policy && (
        <Confirm
          title={say('withdrawTitle')}
          action={say('withdraw')}
          onConfirm={() => withdraw.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>{say('withdrawText', { name: policy.name })}</p>
        </Confirm>
      )}
    </Sheet>
  )
}
