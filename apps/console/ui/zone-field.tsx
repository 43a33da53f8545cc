/** A time zone, found by typing a part of its name, with the time that it is there now. */
import { useId, useMemo, useState } from 'react'
import { useLanguage } from '../app/i18n.ts'
import { Field } from './field.tsx'
import { useUiWords } from './words.ts'
import { timeIn, zoneLabel, zoneOf, zonesIn } from './zones.ts'

interface Properties {
  readonly label: string
  readonly value: string
  /** What is typed and names no zone yet, is passed on as it is: the server refuses it. */
  readonly onChange: (zone: string) => void
}

export function ZoneField({ label, value, onChange }: Properties) {
  const say = useUiWords()
  const language = useLanguage()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpened, setOpened] = useState(false)
  const zones = useMemo(() => (isOpened ? zonesIn(language) : []), [isOpened, language])
  const known = useMemo(() => {
    try {
      return zoneLabel(value, language)
    } catch {
      return null
    }
  }, [value, language])
  const choose = (text: string) => {
    setTyped(text)
    onChange(zoneOf(text, zones) ?? text.trim())
  }
  return (
    <>
      <Field
        label={label}
        list={id}
        autoComplete="off"
        spellCheck={false}
        data-field="timezone"
        value={typed ?? known ?? value}
        hint={known === null ? '' : say('zoneNow', { time: timeIn(value, language, new Date()) })}
        fault={known === null && typed !== null ? say('zoneUnknown') : undefined}
        onFocus={({ target }) => {
          setOpened(true)
          target.select()
        }}
        // A zone that was found is shown by its whole name.
        onBlur={() => known !== null && setTyped(null)}
        onChange={({ target }) => choose(target.value)}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone.id} value={zone.label} />
        ))}
      </datalist>
    </>
  )
}
