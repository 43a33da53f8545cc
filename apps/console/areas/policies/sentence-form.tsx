/** The form reads as the policy: every blank of the sentence is a control. */
import { useLanguage } from '../../app/i18n.ts'
import {
  type Body,
  type Count,
  countOf,
  useOf,
  type Who,
  whoOf,
  withActions,
  withActors,
  withConditions,
  withExpiry,
  withIdentity,
  withPeople,
  withUse,
} from './body.ts'
import { Blank, Choice, Filled } from './clause.tsx'
import { Conditions } from './conditions.tsx'
import { conditionText, expiryText, limitText, peopleText, tailsOf } from './facts.ts'
import { lineText, type Naming } from './naming.ts'
import { usePolicyWords } from './words.ts'

const actors = ['', 'ai_agent', 'human', 'service', 'system'] as const
const people = ['ADMIN1', 'ADMIN2', 'INSTRUCTOR1', 'ANY1', 'ANY2'] as const
const identities = ['passkey', 'session', 'claim'] as const
const hour = 3600
const expiries = [0, hour, 4 * hour, 24 * hour, 72 * hour, 168 * hour]
const uses = [hour, 24 * hour, 168 * hour, 720 * hour, 8760 * hour]

interface Properties {
  readonly body: Body
  readonly naming: Naming
  readonly saved: Body | null
  /** What was typed for the action, which may end in a comma that the body does not keep. */
  readonly action: string
  readonly onAction: (text: string) => void
  readonly onChange: (body: Body) => void
}

export function SentenceForm({ body, naming, saved, action, onAction, onChange }: Properties) {
  const say = usePolicyWords()
  const language = useLanguage()
  const actor = body.match.actorTypes?.join() ?? ''
  const count = countOf(body)
  const who = `${whoOf(body)}${count}`
  const expiry = body.approval?.expiresAfterSeconds ?? 0
  const identity = body.approval?.identity ?? 'session'
  const actorText = (each: string) => say(each ? `actors${each as 'human'}` : 'actors')
  const knownPeople = [...people, ...(count > 0 && !people.some((each) => each === who) ? [who as 'NAMED1'] : [])]
  const was = <T,>(read: (from: Body) => T, now: T) => saved !== null && read(saved) !== now
  const blanks = {
    actors: (
      <Choice
        label={say('blankActors')}
        value={actor}
        options={[...new Set([...actors, actor])].map((each) => [each, each.split(',').map(actorText).join(', ')])}
        onChange={(type) => onChange(withActors(body, type))}
        changed={was((from) => from.match.actorTypes?.join() ?? '', actor)}
      />
    ),
    action: (
      <Blank
        label={say('blankAction')}
        value={action}
        placeholder={say('anyAction')}
        onChange={(text) => {
          onAction(text)
          onChange(withActions(body, text))
        }}
        changed={was((from) => from.match.actionTypes?.join(), body.match.actionTypes?.join())}
        invalid={Boolean(body.match.when && !body.match.actionTypes && !body.match.eventTypes)}
      />
    ),
    conditions: (
      <Conditions
        when={body.match.when ?? []}
        saved={saved ? (saved.match.when ?? []) : (body.match.when ?? [])}
        onChange={(when) => onChange(withConditions(body, when))}
      />
    ),
    people: (
      <Choice
        label={say('blankPeople')}
        value={count === 0 ? '0' : who}
        options={[
          ...knownPeople.map((each) => [each, say(`people${each}`)] as const),
          ...(count === 0 ? [['0', say('people0')] as const] : []),
        ]}
        onChange={(each) => onChange(withPeople(body, each.slice(0, -1) as Who, Number(each.at(-1)) as Count))}
        changed={was((from) => peopleText(from, say), peopleText(body, say))}
      />
    ),
    identity: (
      <Choice
        label={say('blankIdentity')}
        value={identity}
        options={identities.map((each) => [each, say(`identity${each}`)])}
        onChange={(each) => onChange(withIdentity(body, each as 'passkey'))}
        changed={was((from) => from.approval?.identity ?? 'session', identity)}
      />
    ),
    expiry: (
      <Choice
        label={say('blankExpiry')}
        value={String(expiry)}
        options={[...new Set([...expiries, expiry])]
          .toSorted((a, b) => a - b)
          .map((seconds) => [String(seconds), expiryText(seconds || undefined, say, language)])}
        onChange={(seconds) => onChange(withExpiry(body, Number(seconds)))}
        changed={was((from) => from.approval?.expiresAfterSeconds ?? 0, expiry)}
      />
    ),
    use: (
      <Choice
        label={say('blankUse')}
        value={String(useOf(body))}
        options={[...new Set([...uses, useOf(body)])]
          .toSorted((a, b) => a - b)
          .map((seconds) => [String(seconds), limitText(seconds, language)])}
        onChange={(seconds) => onChange(withUse(body, Number(seconds)))}
        changed={was(useOf, useOf(body))}
      />
    ),
  }
  const add = () =>
    onChange(
      withConditions(body, [...(body.match.when ?? []), { pointer: '/action/input/amount', op: 'gt', value: 500_000 }]),
    )
  return (
    <>
      <div className="policy-clause">
        <Filled text={say(clauseOf(body))} blanks={{ ...blanks, line: <LineFact body={body} naming={naming} /> }} />{' '}
        {count > 0 && <Filled text={say('clauseUse')} blanks={blanks} />} {tailsOf(body, say, language).join(' ')}
      </div>
      <p className="policy-under small soft">
        <button type="button" className="quiet" onClick={add}>
          + {say('moreConditions')}
        </button>
        <span>{say('actionHint')}</span>
      </p>
    </>
  )
}

const clauseOf = (body: Body) => {
  if (countOf(body) === 0) return 'clauseRun'
  return body.approval?.steps ? 'clauseLine' : 'clause'
}

const LineFact = ({ body, naming }: { readonly body: Body; readonly naming: Naming }) => (
  <b className="policy-line-text">{lineText(body, naming, usePolicyWords(), useLanguage())}</b>
)

/** The same sentence without controls, for a policy that this center cannot change. */
export function SentenceText({ body, naming }: { readonly body: Body; readonly naming: Naming }) {
  const say = usePolicyWords()
  const language = useLanguage()
  const fact = (text: string) => <b className="policy-fact">{text}</b>
  const when = body.match.when ?? []
  const blanks = {
    actors: fact(body.match.actorTypes?.map((type) => say(`actors${type}`)).join(', ') ?? say('actors')),
    action: fact(body.match.actionTypes?.join(', ') ?? say('anyAction')),
    conditions: when.map((each, at) => <span key={at}>{fact(conditionText(each, say, language))} </span>),
    people: fact(peopleText(body, say)),
    identity: fact(say(`identity${body.approval?.identity ?? 'session'}`)),
    expiry: fact(expiryText(body.approval?.expiresAfterSeconds, say, language)),
    use: fact(limitText(useOf(body), language)),
  }
  return (
    <div className="policy-clause">
      <Filled text={say(clauseOf(body))} blanks={{ ...blanks, line: <LineFact body={body} naming={naming} /> }} />{' '}
      {countOf(body) > 0 && <Filled text={say('clauseUse')} blanks={blanks} />} {tailsOf(body, say, language).join(' ')}
    </div>
  )
}
