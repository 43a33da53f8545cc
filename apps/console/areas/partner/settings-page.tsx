/** What new centers inherit, and the domains of the partner with the record that proves each. */
import type { JsonObject } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { LogoField } from '../../ui/logo-field.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { Domains } from './domains.tsx'
import { LogoFact, uploadAsPartner } from './logo.tsx'
import './partner.css'
import { usePartnerWords } from './words.ts'

const objectOf = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function PartnerSettingsPage() {
  const say = usePartnerWords()
  const isAdmin = usePartnerAdmin()
  const found = useQuery({
    queryKey: ['partner', 'settings'],
    queryFn: ({ signal }) => api.partner.getSettings({ signal }),
  })
  return (
    <Page title={say('settings')}>
      <Loaded query={found} skeletonRows={6}>
        {(settings) => (isAdmin ? <Defaults settings={settings} /> : <DefaultFacts settings={settings} />)}
      </Loaded>
      <Domains />
      {isAdmin === false && <p className="soft">{say('readOnly')}</p>}
    </Page>
  )
}

const usePlans = () =>
  useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => api.provisioning.listCenterPlans({ signal }),
    staleTime: 3_600_000,
  }).data

/** For those who may not change it. */
function DefaultFacts({ settings }: { readonly settings: JsonObject }) {
  const say = usePartnerWords()
  const plans = usePlans()
  const { branding: given, planId } = objectOf(settings.newCenters)
  const branding = objectOf(given)
  const plan = textOf(planId)
  return (
    <Part title={say('defaults')}>
      <p className="soft">{say('defaultsText')}</p>
      <dl className="facts">
        <dt>{say('primaryColor')}</dt>
        <dd className="mono">{textOf(branding.primaryColor) || say('none')}</dd>
        <dt>{say('logo')}</dt>
        <dd>
          <LogoFact logo={textOf(branding.logo)} />
        </dd>
        <dt>{say('description')}</dt>
        <dd>{textOf(branding.description) || say('none')}</dd>
        <dt>{say('plan')}</dt>
        <dd>{plan === '' ? say('usualPlan') : (plans?.find(({ id }) => id === plan)?.name ?? plan)}</dd>
      </dl>
    </Part>
  )
}

function Defaults({ settings }: { readonly settings: JsonObject }) {
  const say = usePartnerWords()
  const { branding: given, planId: givenPlan } = objectOf(settings.newCenters)
  const branding = objectOf(given)
  const [color, setColor] = useState(textOf(branding.primaryColor))
  const [logo, setLogo] = useState(textOf(branding.logo))
  const [description, setDescription] = useState(textOf(branding.description))
  const [planId, setPlanId] = useState(textOf(givenPlan))
  const plans = usePlans()
  const valid = color === '' || /^#[0-9a-f]{6}$/.test(color)
  const save = useChange(
    ['partner'],
    () =>
      api.partner.updateSettings({
        newCenters: {
          branding: { primaryColor: color || null, logo: logo || null, description: description || null },
          planId: planId || null,
        },
      }),
    { told: 'shown' },
  )
  return (
    <Part title={say('defaults')}>
      <p className="soft">{say('defaultsText')}</p>
      <form
        className="partner-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <div className="partner-color">
          <Field
            label={say('primaryColor')}
            data-field="primaryColor"
            value={color}
            placeholder="#1f5fbf"
            {...(!valid && { fault: say('colorFault') })}
            onChange={({ target }) => setColor(target.value.toLowerCase())}
          />
          <span
            className="partner-swatch"
            role="img"
            aria-label={say('preview')}
            style={valid && color ? { background: color } : {}}
          />
        </div>
        <LogoField value={logo} upload={uploadAsPartner} onChange={setLogo} />
        <Field
          label={say('description')}
          maxLength={2000}
          data-field="description"
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <label className="labeled">
          <span className="label">{say('plan')}</span>
          <select className="field" value={planId} onChange={({ target }) => setPlanId(target.value)}>
            <option value="">{say('usualPlan')}</option>
            {plans?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <SaveLine save={save} disabled={!valid} />
      </form>
    </Part>
  )
}
