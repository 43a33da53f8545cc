/** What the center uses: each switch with what it does and what stops, and what its plan lacks. */
import type { CenterSettings } from '@countersign/sdk'
import { useParams } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenter } from './settings-page.tsx'
import { useCenterWords } from './words.ts'

const ours = ['booking', 'attendance', 'families', 'customDomain', 'workflowSettings'] as const
const apps = ['lms', 'cms', 'erp'] as const
type Feature = (typeof ours)[number] | (typeof apps)[number]
/** What a press changes, and from what. */
interface Change {
  readonly feature: Feature
  readonly on: boolean
  readonly before: boolean | null
}

export function FeaturesPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/settings/features' })
  const found = useCenter(center)
  return (
    <SettingsFrame center={center} title={say('features')} lede={say('featuresLede')}>
      <Loaded query={found} skeletonRows={8}>
        {({ settings }) => <Switches center={center} features={settings.features} />}
      </Loaded>
    </SettingsFrame>
  )
}

const names = ['center', 'apps', 'bookings']

function Switches({ center, features }: { readonly center: string; readonly features: CenterSettings['features'] }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const set = (feature: Feature, value: boolean | null) =>
    api.centers.updateSettings(center, { features: { [feature]: value } })
  const change = useChange<Change>(names, ({ feature, on }) => set(feature, on), {
    told: (_, { feature, on }) => done(on ? 'turnedOn' : 'turnedOff', { name: say(`feature_${feature}`) }),
    undo:
      (_, { feature, before }) =>
      () =>
        set(feature, before),
  })
  const rows = (list: readonly Feature[]) => (
    <ul className="center-slips">
      {list.map((feature) => {
        const isOn = features[feature] !== false
        return (
          <li key={feature}>
            <div>
              <b>{say(`feature_${feature}`)}</b>
              <p className="soft small">{say(`featureText_${feature}`)}</p>
              <StatusWord tone={isOn ? 'verified' : 'plain'}>{say(isOn ? 'featureOn' : 'featureOff')}</StatusWord>
            </div>
            <button
              type="button"
              className="btn low plain"
              aria-label={say(isOn ? 'featureTurnOffNamed' : 'featureTurnOnNamed', { name: say(`feature_${feature}`) })}
              disabled={change.isPending}
              onClick={() => change.mutate({ feature, on: !isOn, before: features[feature] ?? null })}
            >
              {say(isOn ? 'featureTurnOff' : 'featureTurnOn')}
            </button>
          </li>
        )
      })}
    </ul>
  )
  return (
    <>
      <ErrorLine error={change.error} />
      <Part title={say('featuresOurs')}>
        <p className="soft">{say('featuresOursText')}</p>
        {rows(ours)}
      </Part>
      <Part title={say('featuresApps')}>
        <p className="soft">{say('featuresAppsText')}</p>
        {rows(apps)}
      </Part>
      <p className="soft small">{say('featuresWho')}</p>
    </>
  )
}
