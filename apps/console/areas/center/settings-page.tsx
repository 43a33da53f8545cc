/** Settings that staff live by: language and time zone, opening hours, length of an appointment. */
import type { CenterSettings, WeekHours } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { centerQuery } from '../../app/queries.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { HoursForm } from '../../ui/hours-form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { ZoneField } from '../../ui/zone-field.tsx'
import { AdminPasskeysPart } from './admin-passkeys.tsx'
import './center.css'
import { Rename } from './rename.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { TermsPart } from './terms.tsx'
import { useCenterWords } from './words.ts'

export const useCenter = (center: string) => useQuery(centerQuery(center))

export function SettingsPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/settings' })
  const found = useCenter(center)
  return (
    <SettingsFrame center={center} title={say('settings')} lede={say('settingsLede')}>
      <Loaded query={found} skeletonRows={8}>
        {({ name, hasPartner, sandbox, vertical, settings }) => (
          <>
            {hasPartner ? (
              <Part title={say('renameCenter')}>
                <p>{name}</p>
                <p className="soft">{say('partnerNames')}</p>
              </Part>
            ) : (
              !sandbox && (
                <Rename
                  title={say('renameCenter')}
                  hint={say('renameCenterHint')}
                  name={name}
                  changes={['center', 'me']}
                  onSave={(next) => api.centers.rename(center, { name: next })}
                />
              )
            )}
            <Form center={center} settings={settings} />
            <TermsPart center={center} vertical={vertical} terms={settings.terms} />
          </>
        )}
      </Loaded>
      <AdminPasskeysPart center={center} />
    </SettingsFrame>
  )
}

function Form({ center, settings }: { readonly center: string; readonly settings: CenterSettings }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const language = useLanguage()
  const [locale, setLocale] = useState(settings.locale)
  const [timezone, setTimezone] = useState(settings.timezone)
  const [slotMinutes, setSlotMinutes] = useState(String(settings.booking.slotMinutes))
  const [openingHours, setOpeningHours] = useState<WeekHours>(settings.booking.openingHours)
  // Mails and drafts are written in these; a center whose language is another one keeps it.
  const locales = [...new Set(['ko-KR', 'en-US', settings.locale])]
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const save = useChange(
    ['center', 'bookings'],
    () =>
      api.centers.updateSettings(center, {
        locale,
        timezone,
        booking: { slotMinutes: Number(slotMinutes), openingHours },
      }),
    {
      told: () => done('settingsSaved'),
      undo: () => async () => {
        const { booking } = settings
        await api.centers.updateSettings(center, { locale: settings.locale, timezone: settings.timezone, booking })
        setLocale(settings.locale)
        setTimezone(settings.timezone)
        setSlotMinutes(String(booking.slotMinutes))
        setOpeningHours(booking.openingHours)
      },
    },
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Part title={say('place')}>
        <div className="center-two">
          <label className="labeled">
            <span className="label">{say('locale')}</span>
            <select className="field" value={locale} onChange={({ target }) => setLocale(target.value)}>
              {locales.map((each) => (
                <option key={each} value={each}>
                  {names.of(each)}
                </option>
              ))}
            </select>
            <span className="soft small">{say('localeHint')}</span>
          </label>
          <ZoneField label={say('timezone')} value={timezone} onChange={setTimezone} />
        </div>
        <dl className="facts">
          <dt>{say('country')}</dt>
          <dd>
            {settings.country}
            {settings.region && ` · ${settings.region}`} <small className="soft">{say('countryHint')}</small>
          </dd>
        </dl>
      </Part>
      <Part title={say('appointments')}>
        <Field
          label={say('slotMinutes')}
          hint={say('slotHint')}
          type="number"
          min={5}
          max={480}
          required
          data-field="slotMinutes"
          value={slotMinutes}
          onChange={({ target }) => setSlotMinutes(target.value)}
        />
        <HoursForm title={say('openingHours')} value={openingHours} onChange={setOpeningHours} />
      </Part>
      <SaveLine save={save} />
    </form>
  )
}
