import * as contract from '@countersign/contract/calendar-feeds.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import type { ActorPrincipal } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import { turns } from '../../../concurrency/turns.ts'
import type { Config } from '../../../config/config.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { addressKey } from '../../../http/identify.ts'
import type { RateLimits } from '../../../http/rate-limit.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { type AppointmentNeeds, appointmentsSeen } from './appointments.ts'
import { feedText } from './feed.ts'
import { dropFeed, feedOf, ownerOf, setNames, storeFeed } from './queries.ts'

interface CalendarNeeds extends AppointmentNeeds {
  readonly config: Pick<Config, 'publicUrl'>
  readonly limits: RateLimits
}

const tokenForm = /^(csc_[\w-]{43})\.ics$/
/** Calendars that are made at a time, in this process. */
const maxAtOnce = 4

const noted = (
  tx: IdentityTx,
  { actorId, entered }: ActorPrincipal,
  action: 'created' | 'changed' | 'removed',
): Promise<void> =>
  audit(tx, {
    ...{ type: 'settings.updated', action: `calendar_feed.${action}`, actorId, centerId: entered?.centerId ?? 0 },
    target: { type: 'actor', id: actorId },
  })

const unknownAddress = () =>
  new Problem(
    'NOT_FOUND',
    "There's no calendar at this address. It may have been reset or turned off: get a new address on your profile page.",
  )

async function* whole(text: string): AsyncIterable<string> {
  yield text
}

export const calendarRoutes = (needs: CalendarNeeds): Route[] => {
  const { config, directory, limits } = needs
  const making = turns({ total: maxAtOnce, perKey: 1 })
  return [
    route(contract.getCalendarFeed, async ({ principal, identity }, reply) => {
      const feed = await identity((tx) => feedOf(tx, principal.actorId), 'read')
      return reply(200, { createdAt: feed?.created_at.toISOString() ?? null, names: feed?.names ?? false })
    }),

    route(contract.createCalendarFeed, async ({ body: { names }, principal, identity }, reply) => {
      const token = newToken('csc')
      const createdAt = now()
      await identity(async (tx) => {
        await storeFeed(tx, { actor_id: principal.actorId, token_hash: hashToken(token), names, created_at: createdAt })
        await noted(tx, principal, 'created')
      })
      return reply(201, {
        url: `${config.publicUrl}/api/calendar/${token}.ics`,
        createdAt: createdAt.toISOString(),
        names,
      })
    }),

    route(contract.updateCalendarFeed, async ({ body: { names }, principal, identity }, reply) => {
      await identity(async (tx) => {
        if (!(await setNames(tx, principal.actorId, names)))
          throw new Problem('NOT_FOUND', 'Your calendar subscription is off. Turn it on first.')
        await noted(tx, principal, 'changed')
      })
      return reply(204, null)
    }),

    route(contract.deleteCalendarFeed, async ({ principal, identity }, reply) => {
      await identity(async (tx) => {
        if (await dropFeed(tx, principal.actorId)) await noted(tx, principal, 'removed')
      })
      return reply(204, null)
    }),

    // Guesses count against the address that they come from. Readings count against the calendar: all those of a calendar service
    // come from a few addresses.
    route(contract.readCalendarFeed, async ({ params, client, requestId }, reply) => {
      const [, token] = tokenForm.exec(params.file) ?? []
      if (token === undefined) throw unknownAddress()
      const outside = { requestId, actorId: null, centerId: 0 }
      const owner = await directory.identity(outside, (tx) => ownerOf(tx, hashToken(token)), 'read')
      if (!owner) throw unknownAddress()
      const { actor_id: actorId } = owner
      await limits.refund('public', addressKey(client.address))
      const { allowed, retryAfter } = await limits.consume('public', `calendar ${actorId}`)
      if (!allowed)
        throw new Problem('RATE_LIMITED', `This calendar is read too often. Try again in ${retryAfter} seconds.`, {
          retryAfter,
        })
      const text = await making.run(actorId, async () =>
        feedText(config, await appointmentsSeen(needs, { requestId, actorId }), owner),
      )
      return reply(200, whole(text))
    }),
  ]
}
