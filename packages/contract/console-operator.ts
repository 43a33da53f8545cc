/** The platform in one call, for the people who run it. Reading only: commands are in the operator's command line. */
import { Type } from 'typebox'
import { CenterId, named } from './common.ts'
import { ChainDomain, PartnerKind } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Count = Type.Integer({ minimum: 0 })

const CellOverview = named('CellOverview', {
  name: Type.String(),
  up: Type.Boolean({ description: 'Whether it answers within half a second and can be written' }),
  centers: Count,
  alarms: Type.Array(
    named('CellAlarm', {
      centerId: CenterId,
      centerName: Type.String(),
      centerDomain: Type.String(),
      domain: ChainDomain,
      brokenAt: Count,
    }),
    { description: 'Chains that were found broken and not cleared, at most 100' },
  ),
})

const PartnerOverview = named('PartnerOverview', {
  id: TypedId('partner', 'Partner id'),
  name: Type.String(),
  kind: PartnerKind,
  centers: Count,
  members: Count,
})

export const getOverview = operation({
  id: 'admin.getOverview',
  surface: 'platform',
  tag: 'Platform operators',
  method: 'GET',
  path: '/admin/overview',
  access: { kind: 'operator' },
  store: 'identity',
  summary: 'Get partners, centers, cells and the alarms of broken chains',
  replies: {
    200: named('PlatformOverview', {
      centers: named('CenterCounts', { active: Count, suspended: Count, inactive: Count, sandboxes: Count }),
      partners: Type.Array(PartnerOverview, { description: 'The newest 200' }),
      cells: Type.Array(CellOverview),
    }),
  },
})
