/** A new partner, with its first center and the person who administers both. */
import type { PartnerOnboarding, Vertical } from '@countersign/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Page } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { VerticalField } from '../../ui/new-center/vertical.tsx'
import './operator.css'
import { useDoneWords } from '../../ui/done-words.ts'
import { useOperatorWords } from './words.ts'

type Kind = PartnerOnboarding['partner']['kind']

export function NewPartnerPage() {
  const say = useOperatorWords()
  const done = useDoneWords()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('white_label')
  const [center, setCenter] = useState('')
  const [vertical, setVertical] = useState<Vertical>('rehabilitation')
  const [email, setEmail] = useState('')
  const [person, setPerson] = useState('')
  const create = useChange(
    ['partners', 'centers'],
    () =>
      api.admin.onboardPartner({
        partner: { name, kind },
        center: { name: center, vertical, tenantType: 'CENTER' },
        admin: { email, name: person },
      }),
    {
      told: () => done('added', { name }),
      onDone: () => void navigate({ to: '/operator/partners', search: { q: name } }),
    },
  )
  return (
    <Page
      title={say('newPartner')}
      lede={say('newPartnerLede')}
      actions={
        <Link to="/operator/partners" search={{}} className="btn plain low">
          {say('partners')}
        </Link>
      }
    >
      <form
        className="operator-form"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field
          label={say('partnerName')}
          required
          maxLength={200}
          data-field="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <label className="labeled">
          <span className="label">{say('kind')}</span>
          <select
            className="field"
            value={kind}
            onChange={({ target }) => setKind(target.value === 'franchise' ? 'franchise' : 'white_label')}
          >
            <option value="white_label">{say('kindwhite_label')}</option>
            <option value="franchise">{say('kindfranchise')}</option>
          </select>
        </label>
        <p className="soft small">{say(`kindText${kind}`)}</p>
        <Field
          label={say('firstCenter')}
          required
          maxLength={200}
          value={center}
          onChange={({ target }) => setCenter(target.value)}
        />
        <VerticalField value={vertical} onChange={setVertical} />
        <Field
          label={say('adminEmail')}
          type="email"
          required
          data-field="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Field
          label={say('adminName')}
          required
          maxLength={200}
          value={person}
          onChange={({ target }) => setPerson(target.value)}
        />
        <div>
          <button type="submit" className="btn first" disabled={create.isPending}>
            {say('onboard')}
          </button>
        </div>
        <ErrorLine error={create.error} />
      </form>
    </Page>
  )
}
