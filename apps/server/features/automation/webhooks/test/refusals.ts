/** Refusals of every webhook operation: other credentials, keys without the scope, webhooks that do not exist. */
import { describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { elsewhere, type Fixture, said } from './fixture.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

type Scope = 'proof:read' | 'proof:write' | 'events:write'

/** Scopes that are not sufficient. `proof:write` includes reading; publishing events needs its own scope. */
const others: Readonly<Record<Scope, readonly Scope[]>> = {
  'proof:read': ['events:write'],
  'proof:write': ['proof:read', 'events:write'],
  'events:write': ['proof:read', 'proof:write'],
}

const anHourAgo = () => new Date(Date.now() - 3_600_000)

export function refusesOthers(fixture: () => Fixture, scope: Scope, asked: Asked): void {
  const call = (token: string | undefined) =>
    fixture().server.call(asked.method, asked.path, {
      ...(asked.body !== undefined && { body: asked.body }),
      ...(token !== undefined && { token }),
    })
  const key = (options: object) => fixture().server.world.key(fixture().center, { scopes: [scope], ...options })

  describe('401 UNAUTHORIZED', () => {
    it.each<[string, () => Promise<string | undefined>]>([
      ['no credential', async () => undefined],
      ['the token of an ADMIN of the center', async () => fixture().token],
      ['an invalid key', async () => 'csk_test_wrong'],
      ['a key that has expired', () => key({ expiresAt: anHourAgo() })],
      ['a key that was revoked', () => key({ revoked: true })],
    ])('for %s', async (_, credential) => {
      expect(said(await call(await credential()))).toEqual([401, 'UNAUTHORIZED'])
    })
  })

  describe('403 FORBIDDEN', () => {
    it.each(others[scope])('for a key with only the scope %s', async (other) => {
      expect(said(await call(await key({ scopes: [other] })))).toEqual([403, 'FORBIDDEN'])
    })
  })
}

/** The response must not reveal whether another center has a webhook with this id. */
export function findsOnlyItsOwn(fixture: () => Fixture, asked: (webhookId: string) => Asked): void {
  describe('404 NOT_FOUND', () => {
    it.each<[string, () => Promise<string>]>([
      ['does not exist', async () => newId('webhook')],
      ['is not a valid id', async () => 'whk_'],
      ['is the id of something else', async () => newId('dpu')],
      ['belongs to another center', async () => (await (await fixture().tenant()).register({ url: elsewhere })).id],
      [
        'was deleted',
        async () => {
          const { id } = await fixture().register({ url: elsewhere })
          await fixture().v1('DELETE', `/api/v1/webhooks/${id}`)
          return id
        },
      ],
    ])('when the webhook %s', async (_, webhookId) => {
      const { method, path, body } = asked(await webhookId())
      const answer = await fixture().v1(method, path, body)
      expect([...said(answer), answer.body.error.message]).toEqual([
        404,
        'NOT_FOUND',
        'This center has no webhook with this ID. List its webhooks to find the ID.',
      ])
    })
  })
}
