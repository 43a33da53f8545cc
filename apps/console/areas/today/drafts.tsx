/** Drafts that nobody has reviewed, by the name of their workflow. */
import type { Today } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { useWorkflowWords } from '../../ui/workflow-words.ts'
import { useTodayWords } from './words.ts'

const most = 5

export function Drafts({ center, drafts }: { readonly center: string; readonly drafts: Today['drafts'] }) {
  const say = useTodayWords()
  const language = useLanguage()
  const worded = useWorkflowWords()
  const { data } = useQuery({
    queryKey: ['workflows', center],
    enabled: drafts.length > 0,
    queryFn: ({ signal }) => api.workflows.list({ signal }),
  })
  const names = new Map(data?.map((workflow) => [workflow.id, worded(workflow).name]))
  // What this person was asked to review comes first.
  const known = drafts
    .filter(({ workflowId }) => names.has(workflowId))
    .toSorted((a, b) => Number(b.sentToMe) - Number(a.sentToMe))
    .slice(0, most)
  if (known.length === 0) return null
  return (
    <Part title={say('drafts')}>
      <ul className="today-waiting">
        {known.map(({ executionId, workflowId, completedAt, sentToMe, sentTo }) => {
          const name = names.get(workflowId) ?? ''
          return (
            <li key={executionId}>
              <b>{name}</b>
              <Link
                to="/c/$center/workflows"
                params={{ center }}
                search={{ workflow: workflowId, run: executionId }}
                className="btn plain low"
                aria-label={say('reviewOf', { name })}
              >
                {say('review')}
              </Link>
              <p className="small soft">
                {say('written', { time: timeText(completedAt, language, 'short') })}
                {sentTo !== null && (
                  <span className={sentToMe ? 'waiting' : undefined}>
                    {' · '}
                    {sentToMe ? say('sentToYou') : say('sentTo', { name: sentTo })}
                  </span>
                )}
              </p>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
