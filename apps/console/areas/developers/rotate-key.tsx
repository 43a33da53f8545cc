/** A new key in the place of another one, which works until a chosen time. */
import type { ApiKey } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { useExpiry } from './expiry.tsx'
import { useDeveloperWords } from './words.ts'

const overlaps = ['604800', '86400', '3600', '0'] as const

interface Properties {
  readonly rotated: ApiKey
  readonly onRotated: (key: string) => void
  readonly onClose: () => void
}

export function RotateKey({ rotated, onRotated, onClose }: Properties) {
  const say = useDeveloperWords()
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const expiry = useExpiry('same')
  const done = useDoneWords()
  const rotate = useChange(
    ['api-keys'],
    () => {
      const expiresAt = expiry.at()
      return api.apiKeys.rotate(rotated.id, {
        expirePreviousAfterSeconds: Number(overlap),
        ...(expiresAt !== undefined && { expiresAt }),
      })
    },
    { told: () => done('keyRotated', { name: rotated.name }), onDone: ({ key }) => onRotated(key) },
  )
  return (
    <Confirm
      title={say('rotateKeyTitle', { name: rotated.name })}
      action={say('rotateKey')}
      missing={expiry.missing}
      onConfirm={() => rotate.mutateAsync()}
      onClose={onClose}
    >
      <ol className="dev-steps">
        <li>{say('rotateKey1')}</li>
        <li>{say('rotateKey2')}</li>
        <li>{say('rotateKey3')}</li>
      </ol>
      {rotated.keepsWebhooks && <p className="waiting">{say('rotateKeyWebhooks')}</p>}
      <div className="dev-form">
        <fieldset>
          <legend className="label">{say('keyOverlap')}</legend>
          {overlaps.map((each) => (
            <label key={each} className="dev-check">
              <input type="radio" name="overlap" checked={each === overlap} onChange={() => setOverlap(each)} />
              {say(`keyOverlap${each}`)}
            </label>
          ))}
        </fieldset>
        {expiry.form}
      </div>
      <p className="soft small">{say('rotateKeyNoUndo')}</p>
    </Confirm>
  )
}
