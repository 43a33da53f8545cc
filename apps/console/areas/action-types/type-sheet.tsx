/** One action type: how its decisions are worded, who asks for it, and which policies it is under. */
import { inLanguage } from '@countersign/proof/action-template.ts'
import type { ActionType } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { policiesFor, policiesQuery } from '../../app/policies.ts'
import { recentQuery } from '../../app/recent.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { Time } from '../../ui/time.tsx'
import { exampleQuery, isOwn, isSameType } from './data.ts'
import { bodyOfTemplate } from './form.ts'
import { Headline } from './headline.tsx'
import { TypeForm } from './type-form.tsx'
import { useTypeWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly type: string
  /** Absent for a type that nobody has described. */
  readonly template: ActionType | undefined
  readonly mayChange: boolean
  readonly onBack: () => void
}

export function TypeSheet({ center, type, template, mayChange, onBack }: Properties) {
  const say = useTypeWords()
  const done = useDoneWords()
  const language = useLanguage()
  const [editing, setEditing] = useState(false)
  const { data: recent } = useQuery(recentQuery(center))
  const decisions = recent?.decisions.filter(({ action }) => isSameType(action.type, type)) ?? []
  const { data: example } = useQuery(exampleQuery(decisions[0]?.id))
  const { data: policies } = useQuery({ ...policiesQuery, enabled: mayChange })
  const own = template !== undefined && isOwn(template)
  const name = template ? inLanguage(template.name, language) : type
  const remove = useChange<ActionType>(
    ['action-types', 'decisions'],
    (removed) => api.actionTypes.delete(removed.type),
    {
      told: () => done('typeRemoved', { name }),
      undo: (_, removed) => () => api.actionTypes.put(removed.type, bodyOfTemplate(removed)),
    },
  )
  const askers = new Map(
    decisions.flatMap(({ actor: { id, name: called } }) => (id ? [[id, called || id] as const] : [])),
  )
  const under = policiesFor(type, policies ?? [])
  return (
    <Sheet label={name}>
      <SheetHead name={name} back={say('back')} onBack={onBack}>
        <code className="mono soft types-break">{type}</code>
      </SheetHead>
      <p className="soft small types-version">
        {own ? (
          <>
            {say('version', { version: template.version })}
            {template.createdAt && (
              <>
                {' · '}
                <Time at={template.createdAt} />
              </>
            )}
          </>
        ) : (
          say(template ? 'providedNote' : 'unnamedNote')
        )}
      </p>
      {template && (
        <>
          <Part title={say('headline')}>
            {template.sentence ? (
              <Headline template={template} example={example} />
            ) : (
              <p className="soft">{say('noHeadline')}</p>
            )}
          </Part>
          <Part title={say('values')}>
            {Object.keys(template.labels).length === 0 ? (
              <p className="soft">{say('noValues')}</p>
            ) : (
              <dl className="facts types-values">
                {Object.entries(template.labels).map(([pointer, label]) => (
                  <div key={pointer}>
                    <dt className="mono types-break">{pointer}</dt>
                    <dd>{inLanguage(label, language)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </Part>
        </>
      )}
      <Part title={say('askers')} aside={say('askersNote')}>
        {askers.size === 0 ? (
          <p className="soft">{say('noAskers')}</p>
        ) : (
          <ul className="types-links">
            {[...askers].map(([id, called]) => (
              <li key={id}>
                <Link to="/c/$center/decisions" params={{ center }} search={{ actorId: id }} className="link tap">
                  {called}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Part>
      {mayChange && (
        <Part title={say('policies')}>
          {under.length === 0 ? (
            <p className="soft">{policies && say('noPolicies')}</p>
          ) : (
            <ul className="types-links">
              {under.map(({ id, name: called }) => (
                <li key={id}>
                  <Link to="/c/$center/policies" params={{ center }} search={{ policy: id }} className="link tap">
                    {called}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      {mayChange && (
        <div className="types-moves">
          <button type="button" className="btn" onClick={() => setEditing(true)}>
            {say(own ? 'edit' : template ? 'makeOwn' : 'describe')}
          </button>
          {own && (
            <button
              type="button"
              className="btn plain"
              disabled={remove.isPending}
              onClick={() => remove.mutate(template)}
            >
              {say('remove')}
            </button>
          )}
        </div>
      )}
      <ErrorLine error={remove.error} />
      {editing && <TypeForm center={center} type={type} template={template} onClose={() => setEditing(false)} />}
    </Sheet>
  )
}
