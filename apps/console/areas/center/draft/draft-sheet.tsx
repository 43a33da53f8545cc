/** A draft as a document: its text with names, what people did with it, and at the bottom its review. */
import type { ExecutionDetails } from '@countersign/sdk'
import { useState } from 'react'
import { useLanguage } from '../../../app/i18n.ts'
import { useMe } from '../../../app/queries.ts'
import { useRole } from '../../../app/role.ts'
import { AskButton } from '../../../ui/ask.tsx'
import type { Wanted } from '../../../ui/ask-dialog.tsx'
import { timeText } from '../../../ui/clock.ts'
import { Sheet } from '../../../ui/desk.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { PaperLogo } from '../../../ui/paper-logo.tsx'
import { SheetName } from '../../../ui/sheet-head.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import type { WordedWorkflow } from '../../../ui/workflow-words.ts'
import { ExecutionStatus } from '../workflow-sheet.tsx'
import { CountedRows } from './counted-rows.tsx'
import { type Draft, isDraft, useDraft, useRun } from './data.ts'
import { ComparedText, DraftText } from './draft-text.tsx'
import { DraftEditor } from './editor.tsx'
import { withNames } from './names.ts'
import { DraftProof } from './proof.tsx'
import { Review } from './review.tsx'
import { RowTables } from './row-tables.tsx'
import { SendDialog } from './send-dialog.tsx'
import { Steps } from './steps.tsx'
import { useDraftWords } from './words.ts'
import './draft.css'

interface Properties {
  readonly center: string
  readonly executionId: string
  readonly workflow: WordedWorkflow
  readonly onBack: () => void
  /** Starts the workflow again. */
  readonly onRunAgain: () => void
}

export function DraftSheet({ center, executionId, workflow, onBack, onRunAgain }: Properties) {
  const isAdmin = useRole(center) === 'ADMIN'
  const { data: run, error, refetch } = useRun(executionId)
  const found = useDraft(run?.dpuId)
  const draft = found.data && isDraft(found.data) ? found.data : undefined
  const [editing, setEditing] = useState(false)
  const isReviewable = run?.status === 'COMPLETED' && draft !== undefined && !draft.draft.refused && !editing
  const level = draft?.evidenceLevel
  const act = isReviewable && (level === 'DRAFT' || (level === 'DOCUMENTED' && isAdmin))
  return (
    <Sheet label={workflow.name} bar={act && <Review draft={draft} isAdmin={isAdmin} />}>
      <button type="button" className="quiet back always" onClick={onBack}>
        ← {workflow.name}
      </button>
      <SheetName name={workflow.name} className="unseen" />
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!run && !error && <Skeleton rows={6} />}
      {run && run.status !== 'COMPLETED' && (
        <p className="center-draft-head">
          <ExecutionStatus status={run.status} /> <Time at={run.startedAt} form="long" />
        </p>
      )}
      {draft && run && (
        <Document
          {...{ center, draft, editing, setEditing, onRunAgain }}
          canReview={run.status === 'COMPLETED'}
          writtenAt={run.completedAt ?? run.startedAt}
          counted={run.counted}
        />
      )}
      {run?.dpuId && found.isPending && <Skeleton rows={8} />}
      {found.error && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      {run?.failure && <p className="broken">{run.failure}</p>}
      {run && <Steps run={run} name={workflow.name} />}
    </Sheet>
  )
}

interface DocumentProperties {
  readonly center: string
  readonly draft: Draft
  readonly editing: boolean
  readonly canReview: boolean
  readonly writtenAt: string
  readonly counted: ExecutionDetails['counted']
  setEditing(on: boolean): void
  onRunAgain(): void
}

const views = ['compare', 'ours', 'machine'] as const

function Document({
  center,
  draft,
  editing,
  canReview,
  writtenAt,
  counted,
  setEditing,
  onRunAgain,
}: DocumentProperties) {
  const say = useDraftWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const [view, setView] = useState<(typeof views)[number]>('compare')
  const [sending, setSending] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { text, editedBy, editedAt } = draft.draft
  const asked = draft.metadata.asks as Wanted | undefined
  const named = (of: string) => withNames(of, draft.people, say('unknownLabel'))
  const machine = named(draft.content)
  const ours = text === null ? machine : named(text)
  const isOpen = draft.evidenceLevel === 'DRAFT' && canReview
  const centerName = me?.memberships.find(({ centerDomain }) => centerDomain === center)?.centerName ?? ''
  const when = (at: string | null) => (at === null ? '' : timeText(at, language, 'short'))
  if (editing)
    return (
      <DraftEditor
        draft={draft}
        onDone={(saved) => {
          setEditing(false)
          setSaved(saved)
        }}
      />
    )
  return (
    <>
      <PaperLogo center={center} />
      <p className="draft-paper small">
        {say('printedFor', { center: centerName, time: timeText(Date.now(), language, 'long') })}
      </p>
      <Ribbon draft={draft} canReview={canReview} />
      <p className="small soft draft-by">
        {editedBy
          ? say('editedBy', { name: editedBy.name, time: when(editedAt) })
          : say('writtenBy', { time: when(writtenAt) })}
      </p>
      <fieldset className="draft-tools" aria-label={say('tools')}>
        {isOpen && (
          <button type="button" className="btn plain low" onClick={() => setEditing(true)}>
            {say('edit')}
          </button>
        )}
        {isOpen && !draft.draft.refused && (
          <button type="button" className="btn plain low" onClick={() => setSending(true)}>
            {say('send')}
          </button>
        )}
        <button type="button" className="btn plain low" onClick={() => print()}>
          {say('print')}
        </button>
        {draft.draft.refused && (
          <button type="button" className="btn plain low" onClick={onRunAgain}>
            {say('runAgain')}
          </button>
        )}
      </fieldset>
      <p role="status" className="verified small draft-screen">
        {isSaved && `✓ ${say('saved')}`}
      </p>
      {text !== null && (
        <fieldset className="draft-views" aria-label={say('view')}>
          {views.map((each) => (
            <button
              key={each}
              type="button"
              className="btn plain low"
              aria-pressed={view === each}
              onClick={() => setView(each)}
            >
              {say(`view${each}`)}
            </button>
          ))}
        </fieldset>
      )}
      {text !== null && view === 'compare' ? (
        <>
          <ComparedText
            {...{ machine, ours }}
            machineLabel={say('machineText')}
            ourLabel={say('ourText', { name: editedBy?.name ?? '' })}
          />
          <div className="draft-paper">
            <DraftText text={ours} />
          </div>
        </>
      ) : (
        <DraftText text={view === 'machine' ? machine : ours} />
      )}
      <RowTables draft={draft} />
      {counted && <CountedRows counted={counted} />}
      {asked && isOpen && <AskButton center={center} wanted={{ ...asked, tags: draft.tags }} />}
      <DraftProof draft={draft} />
      {sending && <SendDialog draft={draft} onClose={() => setSending(false)} />}
    </>
  )
}

/** Where the draft stands, in one line, also on paper. */
function Ribbon({ draft, canReview }: { readonly draft: Draft; readonly canReview: boolean }) {
  const say = useDraftWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const { refused, sentTo, sentBy, sentAt } = draft.draft
  const when = (at: string) => timeText(at, language, 'short')
  if (refused) {
    return (
      <div className="center-ribbon broken draft-refused">
        <p>
          <span aria-hidden="true">✕ </span>
          {say('refusedRibbon', { name: refused.by.name, time: when(refused.at) })}
        </p>
        <blockquote className="draft-reason">{refused.reason}</blockquote>
        <p className="small soft">{say('refusedNext')}</p>
      </div>
    )
  }
  if (!canReview) return <p className="center-ribbon soft">{say('outcome')}</p>
  const level = draft.evidenceLevel
  if (level !== 'DRAFT') {
    return (
      <p className="center-ribbon verified">
        <span aria-hidden="true">✓ </span>
        {say(level === 'AUDIT_READY' ? 'sealed' : 'documented')}
      </p>
    )
  }
  const sent = sentTo && sentBy && sentAt
  return (
    <p className="center-ribbon waiting">
      <span aria-hidden="true">◷ </span>
      {sent
        ? say(sentTo.id === me?.actorId ? 'sentToYou' : 'sentTo', {
            name: sentTo.name,
            by: sentBy.name,
            time: when(sentAt),
          })
        : say('waits')}
    </p>
  )
}
