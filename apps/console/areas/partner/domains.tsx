/** Domains of the partner: what to publish in the DNS, and what the name servers said last. */
import { api } from '../../app/api.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Part } from '../../ui/desk.tsx'
import { type DomainCalls, DomainList } from '../../ui/domains/domain-list.tsx'
import { useDomainWords } from '../../ui/domains/words.ts'

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
    <Part title={say('emailTitle')}>
      <p className="soft">{say('emailText')}</p>
      <DomainList calls={calls} purpose="email" canChange={isAdmin === true} />
    </Part>
  )
}
