/** Valid calls of the operations of partners, and of those that create partners. */
import { newId, newUuid } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'

const unique = () => newUuid().slice(-12)

const plain: Sample = { call: () => ({}), status: 200 }
const params = ({ center }: Cast) => ({ centerId: String(center.id) })
const elsewhere = { centerId: '2000000000' }
const foreign = { status: 404, code: 'CENTER_NOT_FOUND' }

/** A center of a franchise with a policy that it inherited. */
async function inheriting(server: TestServer, { partner, partnerAdmin }: Cast) {
  const { accessToken: token } = await server.signIn(partnerAdmin)
  const call = (method: string, path: string, body: object) =>
    server.call(method, `/api/partner${path}`, { token, body })
  const policy = { name: 'A person reviews', match: {}, guards: { humanReview: true } }
  await server.world.query(`update directory.partners set kind = 'franchise' where id = $1`, [partner.id])
  await call('PATCH', '/settings', { newCenters: { policies: [policy] } })
  const made = await call('POST', '/centers', {
    ...{ name: `Branch ${unique()}`, tenantType: 'CENTER', vertical: 'welfare' },
    adminEmail: `boss-${unique()}@branches.example`,
  })
  await call('PATCH', '/settings', { newCenters: null })
  const centerId = String(made.body.data.id)
  const listed = await server.call('GET', `/api/partner/centers/${centerId}/policies`, { token })
  return { centerId, id: listed.body.data[0].id as string }
}

export const partnerSamples: Readonly<Record<string, Sample>> = {
  'partner.listCenters': plain,
  'partner.createCenter': {
    call: () => ({
      body: {
        name: `Branch ${unique()}`,
        tenantType: 'CENTER',
        vertical: 'welfare',
        adminEmail: `boss-${unique()}@branches.example`,
      },
    }),
    status: 201,
  },
  'partner.getCenter': {
    call: (_, cast) => ({ params: params(cast) }),
    status: 200,
    foreign,
    nowhere: () => ({ params: elsewhere }),
  },
  'partner.updateCenter': {
    call: (_, cast) => ({ params: params(cast), body: { name: `Renamed ${unique()}` } }),
    status: 200,
    foreign,
    nowhere: () => ({ params: elsewhere, body: { name: 'Renamed' } }),
  },
  'partner.nameCenterAdmin': {
    async call({ world }, { partner }) {
      const center = await world.center({ partner })
      return { params: { centerId: String(center.id) }, body: { email: `boss-${unique()}@branches.example` } }
    },
    status: 201,
    foreign,
    nowhere: () => ({ params: elsewhere, body: { email: `boss-${unique()}@branches.example` } }),
  },
  'partner.listCenterPolicies': {
    call: (_, cast) => ({ params: params(cast) }),
    status: 200,
    foreign,
    nowhere: () => ({ params: elsewhere }),
  },
  'partner.updateCenterPolicy': {
    async call(server, cast) {
      return { params: await inheriting(server, cast), body: { name: `Renamed ${unique()}` } }
    },
    status: 200,
    foreign,
    nowhere: () => ({ params: { ...elsewhere, id: newId('policy') }, body: { name: 'Renamed' } }),
  },
  'partner.exportCentersCsv': plain,
  'partnerInvitations.create': {
    call: () => ({ body: { email: `colleague-${unique()}@partners.example`, role: 'PARTNER_OPERATOR' } }),
    status: 201,
  },
  'partnerInvitations.list': plain,
  'partnerInvitations.revoke': {
    async call(server, { partnerAdmin }) {
      const { accessToken: token } = await server.signIn(partnerAdmin)
      const body = { email: `colleague-${unique()}@partners.example`, role: 'PARTNER_ADMIN' }
      const made = await server.call('POST', '/api/partner/invitations', { token, body })
      return { params: { id: made.body.data.id } }
    },
    status: 204,
    nowhere: () => ({ params: { id: newId('partnerInvitation') } }),
  },
  'partnerAccounts.list': plain,
  'partnerAccounts.update': {
    async call({ world }, { partner }) {
      const person = await world.person()
      await world.account(person, partner)
      return { params: { actorId: person.actorId }, body: { role: 'PARTNER_OPERATOR' } }
    },
    status: 200,
    nowhere: () => ({ params: { actorId: newUuid() }, body: { role: 'PARTNER_OPERATOR' } }),
  },
  'partnerAccounts.end': {
    async call({ world }, { partner }) {
      const person = await world.person()
      await world.account(person, partner)
      return { params: { actorId: person.actorId } }
    },
    status: 204,
    nowhere: () => ({ params: { actorId: newUuid() } }),
  },
  'partner.getDashboard': plain,
  'partner.listAuditEntries': plain,
  'partner.listMembers': plain,
  'partner.getSettings': plain,
  'partner.updateSettings': { call: () => ({ body: { color: unique() } }), status: 200 },

  'admin.onboardPartner': {
    call: () => ({
      body: {
        partner: { name: `Partner ${unique()}`, kind: 'franchise' },
        center: { name: `First ${unique()}`, vertical: 'commerce', tenantType: 'CENTER' },
        admin: { email: `first-${unique()}@partners.example`, name: 'First' },
      },
    }),
    status: 201,
  },
  'whitelabel.getConfig': { call: (_, { center }) => ({ params: { domain: center.domain } }), status: 200 },
}
