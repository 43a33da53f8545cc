/** What a page says at its top: each part for those whom it concerns. */
import type { getNotices } from '@countersign/contract/console-notices.ts'
import { approverRoles } from '@countersign/contract/enums.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { waitingPasskeys } from '../../identity/passkeys/api.ts'
import { noticeOf } from '../subscription/api.ts'
import { chainStates, failingWebhooks } from './queries.ts'

export interface NoticeNeeds {
  readonly config: Pick<Config, 'billingUrl' | 'billingKeys'>
  readonly directory: Directory
  readonly logBook: Pick<LogBook, 'nameOf'>
}

/** A receiver that is restarted is no news. */
const failingMs = 15 * 60_000

export async function readNotices(needs: NoticeNeeds, { tx, principal }: Context<typeof getNotices.spec>) {
  const { roles } = principal.entered
  const isAdmin = roles.includes('ADMIN')
  const isStaff = approverRoles.some((role) => roles.includes(role))
  return {
    subscription: await needs.directory.asCenter(
      tx.caller,
      (inCenter) => noticeOf(inCenter, needs.config, isAdmin),
      'read',
    ),
    chain: isStaff ? await chainNotice(tx, needs) : null,
    webhooks: isAdmin ? await webhookNotices(tx) : [],
    passkeys: isStaff ? await waitingPasskeys(tx, needs, principal) : null,
  }
}

async function chainNotice(tx: TenantTx, { logBook }: NoticeNeeds) {
  const chains = await chainStates(tx)
  const center_id = tx.caller.centerId
  return {
    broken: chains.find(({ is_broken }) => is_broken)?.domain ?? null,
    // A broken chain may have a statement that cannot be proved.
    lost: chains
      .filter(({ generation, is_broken }) => generation > 1 && !is_broken)
      .map(({ domain, generation }) => ({ domain, log: logBook.nameOf({ center_id, domain, generation }) })),
  }
}

async function webhookNotices(tx: TenantTx) {
  const rows = await failingWebhooks(tx, new Date(nowMs() - failingMs))
  return rows.map(({ id, is_disabled, failing_since }) => ({
    id: typedId('webhook', id),
    ...(is_disabled
      ? { state: 'disabled' as const, since: null }
      : { state: 'failing' as const, since: failing_since?.toISOString() ?? null }),
  }))
}
