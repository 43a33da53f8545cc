/** How many DPUs there are. */
import { Type } from 'typebox'
import { described, named } from './common.ts'
import { dpuOperation } from './dpu.ts'
import { verticals } from './enums.ts'
import { operation } from './operation.ts'

const Count = Type.Integer({ minimum: 0, description: 'A number of DPUs.' })
const Counts = named(
  'DpuCounts',
  {
    total: described(Count, 'The total number of DPUs.'),
    byEvidenceLevel: named(
      'CountsByLevel',
      {
        DRAFT: described(Count, 'The number of DPUs that nobody has reviewed yet.'),
        DOCUMENTED: described(Count, 'The number of DPUs that have been reviewed.'),
        AUDIT_READY: described(Count, "The number of DPUs that are ready for an audit and can't be changed."),
      },
      { description: 'The number of DPUs at each evidence level.' },
    ),
    byVertical: named(
      'CountsByVertical',
      Object.fromEntries(
        verticals.map((name) => [name, described(Count, `The number of DPUs in centers in the \`${name}\` vertical.`)]),
      ),
      { description: 'The number of DPUs in the centers of each vertical.' },
    ),
  },
  { description: 'Counts of DPUs.' },
)

export const getDpuStats = operation({
  ...dpuOperation,
  id: 'dpus.getStats',
  method: 'GET',
  path: '/dpu/stats',
  store: 'cell',
  summary: 'Retrieve DPU statistics',
  description:
    "Counts the DPUs on the whole platform and in this center. The platform's counts are at most two seconds old; the center's counts are exact.",
  replies: {
    200: named(
      'DpuStats',
      {
        ...Counts.properties,
        center: described(Counts, 'The counts for this center only.'),
      },
      { description: 'Counts of the DPUs on the platform and in the center.' },
    ),
  },
})
