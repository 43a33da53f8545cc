/** The person who is signed in: centers, passkeys, messages, sessions. */
import { useMe } from '../../app/queries.ts'
import { Desk, Part, Sheet, useTitle } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import './me.css'
import { Calendar } from './calendar.tsx'
import { Centers } from './centers.tsx'
import { Erasure } from './erasure.tsx'
import { Linked } from './linked.tsx'
import { Messages } from './messages.tsx'
import { Passkeys } from './passkeys.tsx'
import { Person } from './person.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'
import { useMeWords } from './words.ts'

const parts = [
  'person',
  'signIn',
  'passkeys',
  'linked',
  'messages',
  'calendar',
  'sessions',
  'myCenters',
  'erasure',
] as const

export function ProfilePage() {
  const say = useMeWords()
  const { data: me, error, refetch } = useMe()
  useTitle(say('title'))
  const list = (
    <>
      <div className="tray-head">
        <h1>{say('title')}</h1>
      </div>
      {me && (
        <p className="me-name">
          <b>{me.name}</b>
          <span className="soft small">{me.email}</span>
        </p>
      )}
      {me?.confined === false && (
        <nav aria-label={say('title')}>
          {parts.map((part) => (
            <a key={part} className="item" href={`#${part}`}>
              <b>{say(part)}</b>
            </a>
          ))}
        </nav>
      )}
    </>
  )
  const sheet = (
    <Sheet label={say('title')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton rows={6} />}
      {me?.confined && (
        <Part title={say('person')}>
          <p>{say('confined')}</p>
        </Part>
      )}
      {me?.confined === false && (
        <>
          <Person me={me} />
          <SignIn me={me} />
          <Passkeys actorId={me.actorId} />
          <Linked me={me} />
          <Messages />
          <Calendar />
          <Sessions />
          <Centers me={me} />
          <Erasure actorId={me.actorId} />
        </>
      )}
    </Sheet>
  )
  const margin = (
    <>
      <section>
        <h3>{say('marginTitle')}</h3>
        <p>{say('marginText')}</p>
      </section>
      <section>
        <h3>{say('marginNotTitle')}</h3>
        <p>{say('marginNot')}</p>
      </section>
    </>
  )
  return <Desk list={list} listLabel={say('title')} sheet={sheet} margin={margin} keepList />
}
