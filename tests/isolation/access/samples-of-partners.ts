/** Good calls of the operations of partners, and of those who make them. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './samples.ts'

const unique = () => newUuid().slice(-12)

const plain: Sample = { call: () => ({}), status: 200 }
const params = ({ center }: Cast) => ({ centerId: String(center.id) })
const elsewhere = { centerId: '2000000000' }
const foreign = { status: 404, code: 'CENTER_NOT_FOUND' }

export const partnerSamples: Readonly<Record<string, Sample>> = {
  listPartnerCenters: plain,
  createPartnerCenter: {
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
  getPartnerCenter: {
    call: (_, cast) => ({ params: params(cast) }),
    status: 200,
    foreign,
    nowhere: () => ({ params: elsewhere }),
  },
  updatePartnerCenter: {
    call: (_, cast) => ({ params: params(cast), body: { name: `Renamed ${unique()}` } }),
    status: 200,
    foreign,
    nowhere: () => ({ params: elsewhere, body: { name: 'Renamed' } }),
  },
  getPartnerDashboard: plain,
  listPartnerAudit: plain,
  listPartnerMembers: plain,
  getPartnerSettings: plain,
  updatePartnerSettings: { call: () => ({ body: { color: unique() } }), status: 200 },

  onboardPartner: {
    call: () => ({
      body: {
        partner: { name: `Partner ${unique()}`, kind: 'franchise' },
        center: { name: `First ${unique()}`, vertical: 'commerce', tenantType: 'CENTER' },
        admin: { email: `first-${unique()}@partners.example`, name: 'First' },
      },
    }),
    status: 201,
  },
  getWhitelabelConfig: { call: (_, { center }) => ({ params: { domain: center.domain } }), status: 200 },
}
