/** A new center of a partner, for the person whose address is given: an invitation makes them its administrator. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../ui/desk.tsx'
import { NewCenterForm } from '../../ui/new-center/form.tsx'
import { usePartnerWords } from './words.ts'

interface Made {
  readonly subdomain: string
  readonly email: string
}

export function NewCenterPage() {
  const say = usePartnerWords()
  const navigate = useNavigate()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Page
      title={say('newCenter')}
      lede={say('newCenterLede')}
      actions={
        <Link to="/p" search={{ q: undefined, center: undefined }} className="btn plain low">
          {say('centers')}
        </Link>
      }
    >
      {made === null ? (
        <NewCenterForm forPartner onMade={(subdomain, email = '') => setMade({ subdomain, email })} />
      ) : (
        <div className="new-center" role="status">
          <p className="verified">✓ {say('centerMade', { email: made.email })}</p>
          <p className="soft">{say('centerMadeText')}</p>
          <div className="button-line">
            <button
              type="button"
              className="btn first"
              onClick={() => void navigate({ to: '/p', search: { q: made.subdomain, center: undefined } })}
            >
              {say('showCenter')}
            </button>
            <button type="button" className="btn plain" onClick={() => setMade(null)}>
              {say('oneMore')}
            </button>
          </div>
        </div>
      )}
    </Page>
  )
}
