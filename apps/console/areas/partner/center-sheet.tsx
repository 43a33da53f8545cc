/** One center of the partner: rename, suspend and reinstate it, or name an administrator where it has none. */
import type { PartnerCenter } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { VerticalName } from '../../ui/new-center/vertical.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { BrandingFacts, CenterBranding } from './center-branding.tsx'
import { CenterStatus } from './center-status.tsx'
import { InheritedPolicies } from './inherited-policies.tsx'
import { Emergencies } from './outside.tsx'
import { usePartnerWords } from './words.ts'

export function CenterSheet({ center, onBack }: { readonly center: PartnerCenter; readonly onBack: () => void }) {
  const say = usePartnerWords()
  const done = useDoneWords()
  const isAdmin = usePartnerAdmin()
  const { id, name, centerDomain, status, settings } = center
  const [renamed, setRenamed] = useState(name)
  const [email, setEmail] = useState('')
  const [asking, setAsking] = useState(false)
  const change = useChange<Parameters<typeof api.partner.updateCenter>[1]>(
    ['centers'],
    (patch) => api.partner.updateCenter(id, patch),
    {
      told: (_, { status: to }) =>
        done(to === 'SUSPENDED' ? 'suspended' : to === 'ACTIVE' ? 'reinstated' : 'saved', { name }),
      undo: (_, { status: to }) => {
        if (to === undefined)
          return async () => {
            await api.partner.updateCenter(id, { name })
            setRenamed(name)
          }
        return () => api.partner.updateCenter(id, { status: to === 'SUSPENDED' ? 'ACTIVE' : 'SUSPENDED' })
      },
    },
  )
  const admin = useChange(['members'], () => api.partner.nameCenterAdmin(id, { email }), {
    told: () => done('invited', { name: email }),
    onDone: () => setEmail(''),
  })
  const isClosed = status === 'INACTIVE'
  const byOperator = center.suspendedBy === 'operator'
  return (
    <Sheet label={name}>
      <SheetHead name={name} back={say('centers')} onBack={onBack}>
        <CenterStatus status={status} />
      </SheetHead>
      <Part title={say('facts')}>
        <dl className="facts">
          <dt>{say('subdomain')}</dt>
          <dd className="mono">{centerDomain}</dd>
          <dt>{say('vertical')}</dt>
          <dd>
            <VerticalName of={center.vertical} />
          </dd>
          <dt>{say('members')}</dt>
          <dd>{center.memberCount}</dd>
          <dt>{say('country')}</dt>
          <dd>
            {settings.country}
            {settings.region && ` · ${settings.region}`}
          </dd>
          <dt>{say('domain')}</dt>
          <dd>{settings.branding.customDomain ?? say('none')}</dd>
        </dl>
      </Part>
      {isAdmin && (
        <>
          <Part title={say('rename')}>
            <form
              className="field-line"
              onSubmit={(event) => {
                event.preventDefault()
                change.mutate({ name: renamed })
              }}
            >
              <Field
                label={say('name')}
                required
                data-field="name"
                value={renamed}
                onChange={({ target }) => setRenamed(target.value)}
              />
              <button type="submit" className="btn" disabled={renamed === name || change.isPending || isClosed}>
                {say('save')}
              </button>
            </form>
          </Part>
          <Part title={say('nameAdmin')}>
            {center.hasAdmin || isClosed ? (
              <p className="soft">{say(isClosed ? 'meansINACTIVE' : 'hasAdmin')}</p>
            ) : (
              <form
                className="field-line"
                onSubmit={(event) => {
                  event.preventDefault()
                  admin.mutate()
                }}
              >
                <Field
                  label={say('email')}
                  hint={say('nameAdminHint')}
                  type="email"
                  required
                  data-field="email"
                  value={email}
                  onChange={({ target }) => setEmail(target.value)}
                />
                <button type="submit" className="btn" disabled={admin.isPending}>
                  {say('invite')}
                </button>
              </form>
            )}
            <p role="status">{admin.isSuccess && `✓ ${say('invited')}`}</p>
            <ErrorLine error={admin.error} />
          </Part>
        </>
      )}
      {isAdmin ? <CenterBranding center={center} isClosed={isClosed} /> : <BrandingFacts center={center} />}
      <InheritedPolicies center={id} />
      {isAdmin && !isClosed && <Emergencies center={center} />}
      <Part title={say('standing')}>
        <p className="soft">
          {say(`means${status}`)} {center.suspendedBy !== null && say(byOperator ? 'byOperator' : 'byPartner')}
        </p>
        {isAdmin && !isClosed && (
          <p>
            <Link to="/p/stop" search={{ center: String(id) }} className="link">
              {say('stopHere')}
            </Link>
          </p>
        )}
        {isAdmin && status === 'ACTIVE' && (
          <button type="button" className="btn plain" onClick={() => setAsking(true)}>
            {say('suspend')}
          </button>
        )}
        {isAdmin && status === 'SUSPENDED' && !byOperator && (
          <button
            type="button"
            className="btn"
            disabled={change.isPending}
            onClick={() => change.mutate({ status: 'ACTIVE' })}
          >
            {say('reinstate')}
          </button>
        )}
        {isAdmin === false && <p className="soft">{say('readOnly')}</p>}
        <ErrorLine error={change.error} />
      </Part>
      {asking && (
        <Confirm
          title={say('suspendTitle', { name })}
          action={say('suspend')}
          word={centerDomain}
          onConfirm={() => change.mutateAsync({ status: 'SUSPENDED' })}
          onClose={() => setAsking(false)}
        >
          <p>{say('suspendText')}</p>
        </Confirm>
      )}
    </Sheet>
  )
}
