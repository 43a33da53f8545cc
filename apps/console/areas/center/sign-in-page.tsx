/** The sign-in providers of a center. */
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { type ProviderCalls, ProviderList } from '../../ui/providers/provider-list.tsx'
import { useProviderWords } from '../../ui/providers/words.ts'
import { SettingsFrame } from './settings-frame.tsx'

export function SignInPage() {
  const say = useProviderWords()
  const { center } = useParams({ from: '/c/$center/settings/sign-in' })
  const calls: ProviderCalls = {
    of: center,
    list: (signal) => api.signInProviders.list(center, { signal }),
    add: (provider) => api.signInProviders.add(center, provider),
    update: (id, change) => api.signInProviders.update(center, id, change),
    check: (id) => api.signInProviders.check(center, id),
    remove: (id) => api.signInProviders.remove(center, id),
  }
  return (
    <ProviderList
      calls={calls}
      canChange
      frame={(add, list) => (
        <SettingsFrame center={center} title={say('providers')} lede={say('providersLede')} actions={add}>
          <p className="soft">
            {say('providersDomains')}{' '}
            <Link to="/c/$center/domain" params={{ center }}>
              {say('providersDomainsLink')}
            </Link>
          </p>
          {list}
        </SettingsFrame>
      )}
    />
  )
}
