/** What operators do to centers from pages, each audited. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { AlarmAcknowledgement, CenterOverview } from './console-operator.ts'
import { ChainDomain, oneOf, SubscriptionStatusSchema } from './enums.ts'
import { operation } from './operation.ts'
import { PlanId } from './provisioning.ts'

const OneCenter = Type.Object({ centerId: described(CenterId, "The center's ID, as in the list of centers.") })
const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why you make this change. It is kept in the audit entry.',
  examples: ['Agreed with the center by phone on 17 November'],
})

const shared = { surface: 'platform', tag: 'Platform operators', access: { kind: 'operator' } } as const

const OperatedCenter = named(
  'OperatedCenter',
  {
    ...CenterOverview.properties,
    suspendedBy: nullable(
      oneOf('CenterSuspender', ['partner', 'operator'], 'Who suspended the center, and can reinstate it.'),
    ),
    subscription: nullable(
      named(
        'OperatedSubscription',
        {
          planId: described(PlanId, 'The plan, as in the list of plans.'),
          planName: Type.String({ description: 'The name of the plan when this version was made.' }),
          planVersion: Type.Integer({ description: 'The version of the plan that the subscription keeps.' }),
          status: SubscriptionStatusSchema,
          currentPeriodEnd: described(DateTime, 'When the trial or the paid period ends.'),
          seatLimit: Type.Integer({ description: 'The number of seats that the plan includes.' }),
          seatUsed: Type.Integer({ description: 'The number of ACTIVE memberships.' }),
          staffLimit: nullable(
            Type.Integer({ description: 'The number of ADMINs and INSTRUCTORs, if the plan counts them.' }),
          ),
          staffUsed: Type.Integer({ description: 'The number of ACTIVE memberships of ADMINs and INSTRUCTORs.' }),
        },
        { description: "The center's subscription. Null if it has none." },
      ),
    ),
  },
  { description: 'A center with its subscription, as shown to operators.' },
)

export const getOperatedCenter = operation({
  ...shared,
  id: 'admin.getCenter',
  method: 'GET',
  path: '/admin/centers/{centerId}',
  store: 'identity',
  summary: 'Retrieve a center as the operator',
  description: 'Returns a center with its state, partner and subscription.',
  params: OneCenter,
  replies: { 200: OperatedCenter },
  errors: ['CENTER_NOT_FOUND'],
})

export const setCenterStatus = operation({
  ...shared,
  id: 'admin.setCenterStatus',
  method: 'PUT',
  path: '/admin/centers/{centerId}/status',
  store: 'directory',
  stepUp: { within: 'rules' },
  summary: 'Suspend or reinstate a center',
  description:
    "Suspends a center, or reinstates it. Within a second, its members can't enter it and its API keys stop working; no data is lost. The center's partner can't lift a suspension by the operator; if the partner suspended the center first, suspending it here takes the suspension over. A center that is closed, or already has the status, gets 409.",
  params: OneCenter,
  body: named(
    'CenterStatusUpdate',
    {
      status: oneOf('OperatedStatus', ['ACTIVE', 'SUSPENDED'], 'The status to set.'),
      reason: Reason,
    },
    {
      description: 'The status to set, with the reason.',
      examples: [{ status: 'SUSPENDED', reason: 'Agreed with the center by phone on 17 November' }],
    },
  ),
  replies: { 200: OperatedCenter },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT'],
})

export const setCenterSubscription = operation({
  ...shared,
  id: 'admin.updateSubscription',
  method: 'PATCH',
  path: '/admin/centers/{centerId}/subscription',
  store: 'directory',
  stepUp: { within: 'rules' },
  summary: "Change a center's subscription",
  description:
    "Changes the plan of a center's subscription, its status, or both. The subscription gets the latest version of the plan. ACTIVE ends a suspension; after CANCELED, it starts a new subscription. A change of status that isn't allowed, or a plan with fewer seats than are used, gets 409.",
  params: OneCenter,
  body: named(
    'SubscriptionUpdate',
    {
      planId: Type.Optional(described(PlanId, 'The plan from now on, as in the list of plans.', 'center-growth')),
      status: Type.Optional(SubscriptionStatusSchema),
      reason: Reason,
    },
    {
      description: 'What to change, with the reason.',
      examples: [{ status: 'ACTIVE', reason: 'Paid by bank transfer on 17 November' }],
    },
  ),
  replies: { 200: OperatedCenter },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT'],
})

export const acknowledgeAlarm = operation({
  ...shared,
  id: 'admin.acknowledgeAlarm',
  method: 'POST',
  path: '/admin/alarms/{centerId}/{domain}/acknowledge',
  store: 'none',
  summary: 'Acknowledge a chain alarm',
  description:
    "Records that you are looking after an alarm, so that your colleagues know. The alarm stays, and nothing is sealed onto the chain, until it is cleared on the operator's command line. If a colleague has acknowledged it already, the response is 409. The center's audit log names you.",
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    domain: ChainDomain,
  }),
  body: named(
    'NewAlarmAcknowledgement',
    {
      note: {
        ...Reason,
        description: 'What you are doing about it.',
        examples: ['Comparing with the backup of 16 November'],
      },
    },
    { description: 'What you are doing about it.', examples: [{ note: 'Comparing with the backup of 16 November' }] },
  ),
  replies: { 200: AlarmAcknowledgement },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
