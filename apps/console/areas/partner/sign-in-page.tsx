/** The sign-in providers of a partner, which members of all its centers can use. */
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Page } from '../../ui/desk.tsx'
import { type ProviderCalls, ProviderList } from '../../ui/providers/provider-list.tsx'
import { useProviderWords } from '../../ui/providers/words.ts'

const calls: ProviderCalls = {
  of: 'partner',
  list: (signal) => api.signInProviders.listAsPartner({ signal }),
  add: (provider) => api.signInProviders.addAsPartner(provider),
  update: (id, change) => api.signInProviders.updateAsPartner(id, change),
  check: (id) => api.signInProviders.checkAsPartner(id),
  remove: (id) => api.signInProviders.removeAsPartner(id),
}

export function PartnerSignInPage() {
  const say = useProviderWords()
  const isAdmin = usePartnerAdmin()
  return (
    <ProviderList
      calls={calls}
      canChange={isAdmin === true}
      frame={(add, list) => (
        <Page title={say('providers')} lede={say('providersLedePartner')} actions={add}>
          <p className="soft">
            {say('providersDomainsPartner')} {isAdmin && <Link to="/p/settings">{say('providersDomainsLink')}</Link>}
          </p>
          {list}
          {isAdmin === false && <p className="soft">{say('providersReadOnly')}</p>}
        </Page>
      )}
    />
  )
}
