/** The drafts that nobody has reviewed, those sent to this person first: the same list as on the first page. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import type { WordedWorkflow } from '../../ui/workflow-words.ts'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly workflows: readonly WordedWorkflow[]
  /** The execution on the sheet. */
  readonly shown: string | undefined
}

export function DraftsToReview({ center, workflows, shown }: Properties) {
  const say = useCenterWords()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['today', center],
    queryFn: ({ signal }) => api.console.getToday({ signal }),
    staleTime: 60_000,
  })
  const names = new Map(workflows.map(({ id, name }) => [id, name]))
  const drafts = (data?.drafts ?? [])
    .filter(({ workflowId }) => names.has(workflowId))
    .toSorted((one, other) => Number(other.sentToMe) - Number(one.sentToMe))
  if (!data) return null
  return (
    <section aria-label={say('draftsToReview')}>
      <p className="group">
        {say('draftsToReview')} <span>{drafts.length}</span>
      </p>
      {drafts.length === 0 && <p className="center-none soft small">{say('noDraftsToReview')}</p>}
      {drafts.map(({ executionId, workflowId, completedAt, sentToMe, sentTo }) => (
        <Link
          key={executionId}
          from="/c/$center/workflows"
          search={{ workflow: workflowId, run: executionId }}
          className="item"
          aria-current={executionId === shown ? 'true' : undefined}
        >
          <b>{names.get(workflowId)}</b>
          <span className="when soft">{timeText(completedAt, language, 'short')}</span>
          <span className={sentToMe ? 'sub waiting' : 'sub'}>
            {sentToMe
              ? say('draftSentToYou')
              : sentTo === null
                ? say('draftSentToNobody')
                : say('draftSentTo', { name: sentTo })}
          </span>
        </Link>
      ))}
      <p className="group">{say('allWorkflows')}</p>
    </section>
  )
}
