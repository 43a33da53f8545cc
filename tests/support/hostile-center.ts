/** Plants texts through the API in every text field of a center that the console shows. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { type AsMember, open } from './approving.ts'
import type { Desk } from './pages-fixture.ts'
import { refund } from './pages-fixture.ts'
import type { Center, Person } from './world.ts'

const bookedDay = '2030-01-07'

export interface Planted {
  /** Addresses below the center that show one of the things. */
  readonly addresses: readonly string[]
  /** How many fields took a text; the others refused it. */
  readonly taken: number
}

/** `admin` and `teacher` are members of the center. */
export async function plant(
  { server }: Pick<Desk, 'server'>,
  center: Center,
  { admin, teacher }: { readonly admin: Person; readonly teacher: Person },
  texts: readonly string[],
): Promise<Planted> {
  const { accessToken: token } = await server.signIn(admin, center.domain)
  const key = await server.world.key(center, { scopes: ['proof:write', 'events:write'] })
  const addresses = new Set<string>()
  let taken = 0
  /** Null where the API refuses the text. */
  const post = async (path: string, body: object, as = token, method = 'POST') => {
    const answer = await server.call(method, path, { token: as, body })
    if (answer.status >= 500) throw new Error(`${path}: ${answer.text}`)
    if (answer.status < 300) taken++
    return answer.status < 300 ? (answer.body.data ?? {}) : null
  }
  const ask: AsMember = async (method, path, body) =>
    (await server.call(method, path, { token, ...(body && { body }) })).body.data
  const slots = await server.call(
    'GET',
    `/api/centers/${center.id}/available-slots?date=${bookedDay}&instructorId=${teacher.actorId}`,
    { token },
  )
  for (const [at, text] of texts.entries()) {
    const type = `hostile.${newUuid()}`
    const field = text === '__proto__' ? `key ${text}` : text
    await post('/api/policies', {
      name: text,
      description: text,
      match: { actionTypes: [type] },
      guards: { humanReview: true },
    })
    const content = { input: { [field]: text, list: [text] }, output: { deep: { [field]: [text] } } }
    for (const result of [null, 'approved', 'rejected']) {
      const event = await post(
        '/api/v1/decision-events',
        {
          ...refund,
          actor: { id: text, type: 'ai_agent', name: text },
          action: { type, description: text, ...content },
          aiContext: { ...refund.aiContext, model: text, provider: text, reasoning: text },
          reason: text,
          tags: [[...text].slice(0, 50).join('')],
        },
        key,
      )
      if (!event) continue
      await post(`/api/decisions/${event.id}/comments`, { text })
      if (result) {
        const shown = await open(ask, event.id)
        await post(`/api/decisions/${event.id}/approvals`, { result, reason: text, ...shown })
      } else addresses.add(`/inbox?id=${event.id}`)
      addresses.add(`/decisions?id=${event.id}`)
    }
    await post('/api/api-keys', { name: text, scopes: ['proof:read'] })
    const webhook = await post('/api/webhooks', {
      url: `https://hooks.example.org/${encodeURIComponent(text)}`,
      events: ['*'],
      description: text,
      active: false,
    })
    if (webhook) addresses.add(`/developers/webhooks/${webhook.id}`)
    await post(`/api/centers/${center.id}/notification-channels`, {
      kind: 'slack',
      name: text,
      url: 'https://hooks.slack.com/services/T0/B0/x',
    })
    const guest = { email: `guest-${newUuid()}@people.example`, name: text, role: 'INSTRUCTOR', approved: true }
    const member = await post(`/api/centers/${center.id}/members`, guest)
    if (member) addresses.add(`/members?member=${member.id}`)
    const group = await post(`/api/centers/${center.id}/groups`, { name: text, actorIds: [teacher.actorId] })
    if (group) addresses.add(`/groups?group=${group.id}`)
    const child = await post(`/api/centers/${center.id}/children`, { name: text })
    const childId = child?.id ?? child?.childId ?? child?.actorId
    if (childId) addresses.add(`/families?child=${childId}`)
    const startsAt = slots.body.data?.slots?.[at % 8]?.startsAt
    const booking = await post(`/api/centers/${center.id}/bookings`, {
      instructorId: teacher.actorId,
      startsAt,
      ...(childId && { bookedFor: childId }),
    })
    if (booking) await post(`/api/centers/${center.id}/bookings/${booking.id}/cancel`, { reason: text })
    const branding = { description: text, logo: text }
    await post(`/api/centers/${center.id}/settings`, { branding }, token, 'PATCH')
    await post(`/api/centers/${center.id}/settings`, { branding: { description: text } }, token, 'PATCH')
    await post('/api/dpu/demo', { content: text })
  }
  addresses.add(`/bookings?view=list&date=${bookedDay}`)
  addresses.add(`/bookings?view=day&date=${bookedDay}`)
  return { addresses: [...addresses], taken }
}

/** What no page of the console has by itself: elements and attributes that a text would have made. */
const foreign = [
  'iframe, base, template, object, embed, form[action], meta[http-equiv], style, script:not([src])',
  '#approve:not(.read-bar .btn), [onerror], [onload], [onfocus], [autofocus][onfocus], [srcdoc]',
  '[href*="evil.example"], [src*="evil.example"], [action*="evil.example"], [href^="javascript:" i]',
].join(', ')

/** For `page.evaluate`: the elements that content became, and whether a script of a text ran. */
export const markupOfContent = `({
  elements: [...document.querySelectorAll(${JSON.stringify(foreign)})].map((each) => each.outerHTML.slice(0, 200)),
  hit: globalThis.hit ?? null,
})`
