import { guard } from '../../guard.ts'
import { action, describeRefund, type Framework, type Refund, reasonOf } from './attempt.ts'

export const plainGuard: Framework = {
  name: 'guard',
  async attempt({ runId, won, options, run, onResult }) {
    const refund = guard<Refund, unknown>({ action, describe: describeRefund, run }, options)
    return refund({ order: '1041', won }, { callId: runId }).then((result) => {
      onResult?.(result)
      return 'ran' as const
    }, reasonOf)
  },
}
