/** What needs a person now, the most urgent first; below it how large the platform is. */
import type { PlatformOverview } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { useSoleAdmins } from '../../app/waiting-passkeys.ts'
import { durationText, numberText } from '../../ui/clock.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Joint } from '../../ui/picture.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { allTasks, isFailing, type Task, useOverview } from './data.ts'
import './operator.css'
import { useOperatorWords } from './words.ts'

export function OverviewPage() {
  const say = useOperatorWords()
  const { data, error, refetch } = useOverview()
  const { data: passkeys } = useSoleAdmins('operator')
  const waiting = passkeys?.length ?? 0
  const tasks = data && allTasks(data)
  const count = (tasks?.length ?? 0) + waiting
  return (
    <Page title={say('overview')} lede={tasks && count > 0 && say('taskCount', { count })}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {tasks && count === 0 && (
        <Empty title={say('nothing')}>
          <p>{say('nothingText')}</p>
        </Empty>
      )}
      {tasks && count > 0 && (
        <ol className="operator-tasks">
          {tasks.map((task) => (
            <li key={JSON.stringify(task)}>
              <TaskRow task={task} />
            </li>
          ))}
          {passkeys?.map(({ centerId, centerName, id, name }) => (
            <li key={`${centerId} ${id}`}>
              <Link to="/operator/passkeys" className="operator-task">
                <span className="operator-blank" aria-hidden="true" />
                <span>
                  <StatusWord tone="waiting">{say('passkeyWaits')}</StatusWord>
                  <b>{say('passkeyOf', { center: centerName, name })}</b>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
      {data && <Sizes of={data} />}
    </Page>
  )
}

function TaskRow({ task }: { readonly task: Task }) {
  const say = useOperatorWords()
  const language = useLanguage()
  if (task.kind === 'alarm') {
    const { centerId, centerName, domain, brokenAt } = task.alarm
    const index = numberText(brokenAt + 1, language)
    return (
      <Link to="/operator/alarms" search={{ center: String(centerId), chain: domain }} className="operator-task">
        <Joint hashA={`center ${centerId}`} hashB="broken" size={44} label="" />
        <span>
          <StatusWord tone="broken">{say('brokenChain')}</StatusWord>
          <b>{say('brokenAt', { center: centerName, domain: say(`domain${domain}`), index })}</b>
        </span>
      </Link>
    )
  }
  if (task.kind === 'away') {
    return (
      <Link to="/operator/cells" className="operator-task">
        <span className="operator-blank" aria-hidden="true" />
        <span>
          <StatusWord tone="broken">{say('away')}</StatusWord>
          <b>{say('awayText', { cell: task.cell, count: numberText(task.centers, language) })}</b>
        </span>
      </Link>
    )
  }
  const [tone, word, text] =
    task.kind === 'job'
      ? ([
          isFailing(task.job) ? 'broken' : 'waiting',
          say(isFailing(task.job) ? 'failing' : 'late'),
          say('jobText', { job: task.job.name, cell: task.cell }),
        ] as const)
      : ([
          'waiting',
          say('stuck'),
          say(`stuck${task.queue}`, { cell: task.cell, time: durationText(task.seconds * 1000, language) }),
        ] as const)
  return (
    <Link to={task.kind === 'job' ? '/operator/jobs' : '/operator/cells'} className="operator-task">
      <span className="operator-blank" aria-hidden="true" />
      <span>
        <StatusWord tone={tone}>{word}</StatusWord>
        <b>{text}</b>
      </span>
    </Link>
  )
}

function Sizes({ of: { centers, partners, cells } }: { readonly of: PlatformOverview }) {
  const say = useOperatorWords()
  const language = useLanguage()
  const number = (value: number) => numberText(value, language)
  return (
    <Part title={say('sizes')}>
      <dl className="facts">
        <dt>{say('centers')}</dt>
        <dd>
          <Link to="/operator/centers" search={{}}>
            {say('centersOpen', { count: number(centers.active) })}
          </Link>
          {' · '}
          {say('centersOther', {
            suspended: number(centers.suspended),
            inactive: number(centers.inactive),
            sandboxes: number(centers.sandboxes),
          })}
        </dd>
        <dt>{say('partners')}</dt>
        <dd>
          <Link to="/operator/partners" search={{}}>
            {number(partners)}
          </Link>
        </dd>
        <dt>{say('cells')}</dt>
        <dd>
          <Link to="/operator/cells">{number(cells.length)}</Link>
        </dd>
      </dl>
    </Part>
  )
}
