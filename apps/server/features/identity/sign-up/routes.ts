import * as contract from '@countersign/contract/sign-up.ts'
import { type Route, route } from '../../../http/route.ts'
import { confirmSignUp, type SignUpNeeds, signUp } from './sign-up.ts'

export const signUpRoutes = (needs: SignUpNeeds): Route[] => [
  route(contract.signUp, async (context, reply) => {
    await signUp(needs, context)
    return reply(202, { accepted: true })
  }),

  route(contract.confirmSignUp, async (context, reply) => reply(201, await confirmSignUp(needs, context))),
]
