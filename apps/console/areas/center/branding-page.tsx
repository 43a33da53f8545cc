/** How a center looks to its people on its own domain, with a preview beside the form. */
import type { Center } from '@countersign/sdk'
import { useParams } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { ownLogo } from '../../app/brand.ts'
import { useChange } from '../../app/change.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { LogoField } from '../../ui/logo-field.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import './center.css'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenter } from './settings-page.tsx'
import { useCenterWords } from './words.ts'

export function BrandingPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/branding' })
  const found = useCenter(center)
  return (
    <SettingsFrame center={center} title={say('branding')} lede={say('brandingLede')}>
      <Loaded query={found} skeletonRows={6}>
        {(data) => <Form center={center} data={data} />}
      </Loaded>
    </SettingsFrame>
  )
}

function Form({ center, data }: { readonly center: string; readonly data: Center }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const id = useId()
  const { branding, inherited } = data.settings
  const [logo, setLogo] = useState(branding.logo)
  const [description, setDescription] = useState(branding.description)
  const [color, setColor] = useState(branding.primaryColor)
  const valid = /^#[0-9a-f]{6}$/.test(color)
  const shown = ownLogo(logo, location.origin)
  const save = useChange(
    ['center', 'site'],
    () => api.centers.updateSettings(center, { branding: { logo, description, primaryColor: color } }),
    {
      told: () => done('settingsSaved'),
      undo: () => async () => {
        const { logo: picture, description: text, primaryColor } = branding
        await api.centers.updateSettings(center, { branding: { logo: picture, description: text, primaryColor } })
        setLogo(picture)
        setDescription(text)
        setColor(primaryColor)
      },
    },
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
          data-field="primaryColor"
          value={color}
          {...(!valid && { fault: say('colorFault') })}
          onChange={({ target }) => setColor(target.value.toLowerCase())}
        />
        <LogoField
          value={logo}
          {...hint('logo')}
          upload={async (png) => (await api.logos.add(center, { png })).logo}
          onChange={setLogo}
        />
        <label className="label" htmlFor={id}>
          {say('description')}
        </label>
        <textarea
          id={id}
          className="field"
          rows={5}
          maxLength={2000}
          data-field="description"
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
            {shown && <img className="center-preview-logo" src={shown} alt="" />}
            <b>{data.name}</b>
            <small className="soft">{branding.customDomain ?? `${data.centerDomain}`}</small>
          </div>
          <p>{description || say('noDescription')}</p>
          <span className="center-preview-button" style={valid ? { borderColor: color } : {}}>
            {say('previewButton')}
          </span>
        </div>
      </figure>
    </div>
  )
}
