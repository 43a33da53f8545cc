/** Drafts that this person was asked to review, above the decisions. */
import type { Today } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useWorkflowWords } from '../../ui/workflow-words.ts'
import { useInboxWords } from './words.ts'

export function SentDrafts({ center, drafts }: { readonly center: string; readonly drafts: Today['drafts'] }) {
  const say = useInboxWords()
  const worded = useWorkflowWords()
  const { data } = useQuery({
    queryKey: ['workflows', center],
    queryFn: ({ signal }) => api.workflows.list({ signal }),
  })
  const names = new Map(data?.map((workflow) => [workflow.id, worded(workflow).name]))
  return (
    <section aria-label={say('sentDrafts')}>
      <p className="group">{say('sentDrafts')}</p>
      <ul>
        {drafts.map(({ executionId, workflowId }) => (
          <li key={executionId} className="inbox-row">
            <Link
              className="item"
              to="/c/$center/workflows"
              params={{ center }}
              search={{ workflow: workflowId, run: executionId }}
            >
              <b>{names.get(workflowId) ?? '…'}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
