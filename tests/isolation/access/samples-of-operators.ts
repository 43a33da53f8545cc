/** The pages of the people who run the platform. */
import type { Sample } from './sample.ts'

const plain: Sample = { call: () => ({}), status: 200 }

export const operatorSamples: Readonly<Record<string, Sample>> = {
  'admin.getOverview': plain,
  'admin.listPartners': plain,
  'admin.listCenters': plain,
  'admin.getAlarm': {
    // Of a center of its own: nothing can be sealed onto a broken chain.
    async call({ world }) {
      const { id } = await world.center()
      await world.query(`insert into cell.chain_heads (center_id, domain, broken_at) values ($1, 'proof', 0)`, [id])
      return { params: { centerId: String(id), domain: 'proof' } }
    },
    status: 200,
    nowhere: () => ({ params: { centerId: '999999', domain: 'proof' } }),
  },
}
