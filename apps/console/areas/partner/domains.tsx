/** Domains of the partner: what to publish in the DNS, and what the name servers said last. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Part } from '../../ui/desk.tsx'
import { type DomainCalls, DomainList } from '../../ui/domains/domain-list.tsx'
import { type Sender, SenderForm } from '../../ui/domains/sender-form.tsx'
import { useDomainWords } from '../../ui/domains/words.ts'
import { Loaded } from '../../ui/loaded.tsx'

const calls: DomainCalls = {
  of: 'partner',
  list: (signal) => api.domains.listAsPartner({ signal }),
  add: (domain) => api.domains.addAsPartner({ domain }),
  check: (id) => api.domains.checkAsPartner(id),
  remove: ({ id }) => api.domains.removeAsPartner(id),
}

export function Domains() {
  const say = useDomainWords()
  const isAdmin = usePartnerAdmin()
  return (
    <>
      <Part title={say('emailTitle')}>
        <p className="soft">{say('emailText')}</p>
        <DomainList calls={calls} purpose="email" canChange={isAdmin === true} />
      </Part>
      {isAdmin && <PartnerSender />}
    </>
  )
}

function PartnerSender() {
  const say = useDomainWords()
  const found = useQuery({
    queryKey: ['partner', 'settings'],
    queryFn: ({ signal }) => api.partner.getSettings({ signal }),
  })
  return (
    <Part title={say('senderTitle')}>
      <p className="soft">{say('senderPartnerText')}</p>
      <Loaded query={found} skeletonRows={3}>
        {({ sender }) => (
          <SenderForm
            calls={calls}
            sender={(sender ?? {}) as Partial<Sender>}
            onSave={(sender) => api.partner.updateSettings({ sender })}
          />
        )}
      </Loaded>
    </Part>
  )
}
