import * as contract from '@countersign/contract/account.ts'
import { type Context, type Route, route } from '../../../http/route.ts'
import { currentActor } from '../auth/api.ts'
import { type AccountNeeds, changeAccount } from './account.ts'
import { type AddressNeeds, askForCode, confirmAddress, removePhone } from './addresses.ts'
import { type ErasureNeeds, eraseAccount, previewErasure } from './erasure.ts'
import { changePassword, type PasswordNeeds } from './password.ts'

const accepted = { accepted: true } as const

export function accountRoutes(needs: AccountNeeds & AddressNeeds & ErasureNeeds & PasswordNeeds): Route[] {
  const shown = async (context: Pick<Context<typeof contract.updateMe.spec>, 'identity' | 'principal'>) =>
    currentActor(context, await needs.authenticate.again(context.principal))
  return [
    route(contract.updateMe, async (context, reply) => {
      await changeAccount(needs, context)
      return reply(200, await shown(context))
    }),

    route(contract.changePassword, async (context, reply) => {
      await changePassword(needs, context)
      return reply(204, null)
    }),

    route(contract.changeEmail, async (context, reply) => {
      await askForCode(needs, context, 'email', context.body.email)
      return reply(202, accepted)
    }),

    route(contract.confirmEmail, async (context, reply) => {
      await confirmAddress(needs, context, 'email', context.body.code)
      return reply(200, await shown(context))
    }),

    route(contract.changePhone, async (context, reply) => {
      await askForCode(needs, context, 'phone', context.body.phone)
      return reply(202, accepted)
    }),

    route(contract.confirmPhone, async (context, reply) => {
      await confirmAddress(needs, context, 'phone', context.body.code)
      return reply(200, await shown(context))
    }),

    route(contract.removePhone, async (context, reply) => {
      await removePhone(needs, context)
      return reply(204, null)
    }),

    route(contract.getErasure, async (context, reply) => reply(200, await previewErasure(context))),

    route(contract.deleteMe, async (context, reply) => reply(200, await eraseAccount(needs, context))),
  ]
}
