/** The branding of one center, by its partner: what is inherited is marked, and what the center set itself is the center's. */
import type { Center } from '@countersign/sdk'
import { Fragment, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { Field } from '../../ui/field.tsx'
import { LogoField } from '../../ui/logo-field.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { LogoFact, uploadAsPartner } from './logo.tsx'
import { usePartnerWords } from './words.ts'

type Name = 'primaryColor' | 'logo' | 'description'
const names: readonly Name[] = ['primaryColor', 'logo', 'description']
/** As a center begins: nobody has set it. */
const unset: Readonly<Record<Name, string>> = { primaryColor: '#1f5fbf', logo: '', description: '' }

/** For those who may not change it. */
export function BrandingFacts({ center: { settings } }: { readonly center: Center }) {
  const say = usePartnerWords()
  const { branding, inherited } = settings
  return (
    <Part title={say('branding')}>
      <dl className="facts">
        {names.map((name) => (
          <Fragment key={name}>
            <dt>{say(name)}</dt>
            <dd>
              {name === 'logo' ? <LogoFact logo={branding.logo} /> : branding[name] || say('none')}{' '}
              {inherited.includes(`branding.${name}`) && <small className="soft">{say('inherited')}</small>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Part>
  )
}

export function CenterBranding({ center, isClosed }: { readonly center: Center; readonly isClosed: boolean }) {
  const say = usePartnerWords()
  const { branding, inherited } = center.settings
  const [given, setGiven] = useState<Readonly<Record<Name, string>>>(branding)
  const isInherited = (name: Name) => inherited.includes(`branding.${name}`)
  const isOwn = (name: Name) => !isInherited(name) && branding[name] !== unset[name]
  const changed = names.filter((name) => given[name] !== branding[name])
  const save = useChange(
    ['centers'],
    () =>
      api.partner.updateCenter(center.id, {
        branding: Object.fromEntries(changed.map((name) => [name, given[name] === '' ? null : given[name]])),
      }),
    { told: 'shown' },
  )
  const valid = given.primaryColor === '' || /^#[0-9a-f]{6}$/.test(given.primaryColor)
  return (
    <Part title={say('branding')}>
      <p className="soft">{say(isClosed ? 'meansINACTIVE' : 'brandingText')}</p>
      <form
        className="partner-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <LogoField
          value={given.logo}
          disabled={isClosed || isOwn('logo')}
          hint={isOwn('logo') ? say('setByCenter') : isInherited('logo') ? say('inherited') : undefined}
          upload={uploadAsPartner}
          onChange={(logo) => setGiven({ ...given, logo })}
        />
        {(['primaryColor', 'description'] as const).map((name) => (
          <Field
            key={name}
            label={say(name)}
            value={given[name]}
            disabled={isClosed || isOwn(name)}
            {...(isOwn(name) && { hint: say('setByCenter') })}
            {...(isInherited(name) && { hint: say('inherited') })}
            {...(name === 'primaryColor' && !valid && { fault: say('colorFault') })}
            onChange={({ target }) => setGiven({ ...given, [name]: target.value })}
          />
        ))}
        <SaveLine save={save} disabled={!valid || changed.length === 0} />
      </form>
    </Part>
  )
}
