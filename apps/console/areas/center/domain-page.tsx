/** The center's own domain, step by step until it works, and the domains that its mail comes from. */
import type { Center, Domain } from '@countersign/sdk'
import { useParams } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { type DomainCalls, DomainList } from '../../ui/domains/domain-list.tsx'
import { SenderForm } from '../../ui/domains/sender-form.tsx'
import { useDomainWords } from '../../ui/domains/words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import './center.css'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenter } from './settings-page.tsx'

export function DomainPage() {
  const say = useDomainWords()
  const { center } = useParams({ from: '/c/$center/domain' })
  const found = useCenter(center)
  return (
    <SettingsFrame center={center} title={say('title')} lede={say('lede')}>
      <Loaded query={found} skeletonRows={6}>
        {(data) => <Parts center={center} data={data} />}
      </Loaded>
    </SettingsFrame>
  )
}

const use = (center: string, customDomain: string | null) =>
  api.centers.updateSettings(center, { branding: { customDomain } })

function Parts({ center, data }: { readonly center: string; readonly data: Center }) {
  const say = useDomainWords()
  const { customDomain } = data.settings.branding
  const calls: DomainCalls = {
    of: center,
    list: (signal) => api.domains.list(center, { signal }),
    async add(name, purpose) {
      const { domain } = await api.domains.add(center, { domain: name, purpose })
      // The first one is meant for the center: it counts from the moment that it is proven.
      if (purpose === 'site' && customDomain === null) await use(center, domain)
    },
    check: (id) => api.domains.check(center, id),
    async remove({ id, domain }) {
      if (domain === customDomain) await use(center, null)
      await api.domains.remove(center, id)
    },
  }
  return (
    <>
      <Part title={say('siteTitle')}>
        <p className="soft">{say('siteText')}</p>
        <DomainList
          calls={calls}
          purpose="site"
          canChange
          step={(domain) => <Use center={center} domain={domain} customDomain={customDomain} />}
        />
        <p className="soft small">{say('passkeys')}</p>
        {data.tenantType !== 'WHITE_LABEL' && <p className="soft small">{say('sitePlain')}</p>}
      </Part>
      <Part title={say('emailTitle')}>
        <p className="soft">{say('emailText')}</p>
        <DomainList calls={calls} purpose="email" canChange />
      </Part>
      <Part title={say('senderTitle')}>
        <p className="soft">{say('senderText')}</p>
        <SenderForm
          calls={calls}
          sender={data.settings.sender}
          usualName={data.name}
          onSave={(sender) => api.centers.updateSettings(center, { sender })}
        />
      </Part>
    </>
  )
}

interface UseProperties {
  readonly center: string
  readonly domain: Domain
  readonly customDomain: string | null
}

function Use({ center, domain, customDomain }: UseProperties) {
  const say = useDomainWords()
  const save = useChange(['center'], () => use(center, domain.domain), { told: 'shown' })
  return (
    <li>
      <h4>{say('stepUse')}</h4>
      {customDomain === domain.domain ? (
        <p>
          <StatusWord tone="verified">{say('used')}</StatusWord>
        </p>
      ) : (
        <button type="button" className="btn" disabled={save.isPending} onClick={() => save.mutate()}>
          {say('use')}
        </button>
      )}
      <ErrorLine error={save.error} />
    </li>
  )
}
