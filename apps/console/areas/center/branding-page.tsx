/** How a center looks to its people on its own domain, with a preview beside the form. */
import type { Center } from '@countersign/sdk'
import { useParams } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Page } from '../../ui/desk.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import './center.css'
import { useCenter } from './settings-page.tsx'
import { useCenterWords } from './words.ts'

export function BrandingPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/branding' })
  const found = useCenter(center)
  return (
    <Page title={say('branding')} lede={say('brandingLede')}>
      <Loaded query={found} skeletonRows={6}>
        {(data) => <Form center={center} data={data} />}
      </Loaded>
    </Page>
  )
}

function Form({ center, data }: { readonly center: string; readonly data: Center }) {
  const say = useCenterWords()
  const id = useId()
  const { branding, inherited } = data.settings
  const [logo, setLogo] = useState(branding.logo)
  const [description, setDescription] = useState(branding.description)
  const [color, setColor] = useState(branding.primaryColor)
  const valid = /^#[0-9a-f]{6}$/.test(color)
  const save = useChange(['center'], () =>
    api.centers.updateSettings(center, { branding: { logo, description, primaryColor: color } }),
  )
  const hint = (name: string) => (inherited.includes(`branding.${name}`) ? { hint: say('inherited') } : {})
  return (
    <div className="center-branding">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label={say('primaryColor')}
          {...hint('primaryColor')}
          value={color}
          {...(!valid && { fault: say('colorFault') })}
          onChange={({ target }) => setColor(target.value.toLowerCase())}
        />
        <Field
          label={say('logo')}
          type="url"
          {...hint('logo')}
          value={logo}
          onChange={({ target }) => setLogo(target.value)}
        />
        <label className="label" htmlFor={id}>
          {say('description')}
        </label>
        <textarea
          id={id}
          className="field"
          rows={5}
          maxLength={2000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <dl className="facts">
          <dt>{say('customDomain')}</dt>
          <dd>{branding.customDomain ?? say('noDomain')}</dd>
        </dl>
        <SaveLine save={save} disabled={!valid} />
      </form>
      <figure className="center-preview">
        <figcaption className="soft small">{say('preview')}</figcaption>
        <div className="center-preview-page">
          <div className="center-preview-band" style={{ borderTopColor: valid ? color : 'transparent' }}>
            <b>{data.name}</b>
            <small className="soft">{branding.customDomain ?? `${data.centerDomain}`}</small>
          </div>
          <p>{description || say('noDescription')}</p>
          <span className="center-preview-button" style={valid ? { borderColor: color } : {}}>
            {say('previewButton')}
          </span>
          {logo && <p className="soft small mono">{logo}</p>}
        </div>
      </figure>
    </div>
  )
}
