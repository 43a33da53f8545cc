import * as contract from '@countersign/contract/step-up.ts'
import { type Route, route } from '../../../http/route.ts'
import { challenge, type StepUpNeeds, stepUp } from './step-up.ts'

export const stepUpRoutes = (needs: StepUpNeeds): Route[] => [
  route(contract.challengeStepUp, async (context, reply) => reply(200, await challenge(needs, context))),
  route(contract.stepUp, async (context, reply) => reply(200, await stepUp(needs, context))),
]
