/** The logo of a center or a partner: the picture, a file to replace it, and none. */
import en from '@countersign/words/en/logo.json' with { type: 'json' }
import ko from '@countersign/words/ko/logo.json' with { type: 'json' }
import { useRef, useState } from 'react'
import { ownLogo } from '../app/brand.ts'
import { useChange } from '../app/change.ts'
import { catalog } from '../app/i18n.ts'
import { ErrorLine } from './error-panel.tsx'
import { type LogoFault, logoFrom } from './logo-picture.ts'
import './logo-field.css'

const useLogoWords = catalog(ko, en)

interface Properties {
  /** The address of the picture; empty for none. */
  readonly value: string
  readonly disabled?: boolean
  readonly hint?: string | undefined
  /** Stores the picture and returns its address. */
  upload(png: string): Promise<string>
  onChange(logo: string): void
}

export function LogoField({ value, disabled = false, hint, upload, onChange }: Properties) {
  const say = useLogoWords()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<LogoFault | null>(null)
  // The form saves it.
  const read = useChange<File, string | null>(
    [],
    async (file) => {
      const found = await logoFrom(file)
      if (found === 'svg' || found === 'type' || found === 'large' || found === 'broken') {
        setFault(found)
        return null
      }
      setFault(null)
      return upload(found)
    },
    { told: 'shown', onDone: (logo) => logo !== null && onChange(logo) },
  )
  const shown = ownLogo(value, location.origin)
  return (
    <fieldset className="logo-field">
      <legend className="label">{say('logo')}</legend>
      {hint && <p className="soft small">{hint}</p>}
      {shown ? (
        <p className="logo-shown">
          <img src={shown} alt={say('picture')} />
        </p>
      ) : (
        <p className="soft small">{say(value === '' ? 'none' : 'elsewhere')}</p>
      )}
      <div className="button-line">
        <input
          ref={input}
          type="file"
          className="unseen"
          tabIndex={-1}
          aria-label={say('choose')}
          accept="image/png,image/jpeg,image/webp"
          disabled={disabled}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) read.mutate(file)
            // The same file can be chosen again.
            target.value = ''
          }}
        />
        <button
          type="button"
          className="btn plain low"
          disabled={disabled || read.isPending}
          onClick={() => input.current?.click()}
        >
          {say(read.isPending ? 'reading' : value === '' ? 'choose' : 'replace')}
        </button>
        {value !== '' && (
          <button type="button" className="quiet" disabled={disabled} onClick={() => onChange('')}>
            {say('remove')}
          </button>
        )}
      </div>
      <p className="soft small">{say('rules')}</p>
      {fault && (
        <p role="alert" className="broken small">
          {say(`fault${fault}`)}
        </p>
      )}
      <ErrorLine error={read.error} />
    </fieldset>
  )
}
