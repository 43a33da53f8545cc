/** A new center of a partner. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Page } from '../../ui/desk.tsx'
import { NewCenterForm } from '../../ui/new-center/form.tsx'
import { usePartnerWords } from './words.ts'

export function NewCenterPage() {
  const say = usePartnerWords()
  const navigate = useNavigate()
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
      <NewCenterForm
        whiteLabel
        onMade={(subdomain) => void navigate({ to: '/p', search: { q: subdomain, center: undefined } })}
      />
    </Page>
  )
}
