/** The client for people and their applications: it calls the platform API with an access token. */
import type { PlatformApi } from './api.generated.ts'
import type { Answer } from './call.ts'
import { AuthenticationError } from './errors.ts'
import { resources } from './resources.ts'
import { openSession, type SessionTokens } from './session.ts'
import { platformTable } from './table.generated.ts'
import { type ClientOptions, type Outgoing, transport } from './transport.ts'

export interface CountersignPlatformOptions extends ClientOptions {
  /** Tokens from an earlier sign-in; without them, call `auth.login`. */
  readonly session?: SessionTokens
  /**
   * Called with new tokens after a sign-in, a change of center or a renewal, and with null when the session ends. The call that
   * caused it continues once the returned promise resolves.
   */
  readonly onSession?: (tokens: SessionTokens | null) => void | Promise<void>
}

/** One member for each resource; the constructor makes them from the table. */
export interface CountersignPlatform extends PlatformApi {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a test compares the members with the table
export class CountersignPlatform {
  constructor(options: CountersignPlatformOptions = {}) {
    const { baseUrl, session: tokens, onSession } = options
    if (tokens?.accessToken.startsWith('csk_')) {
      throw new TypeError('session.accessToken is an API key. To call the Proof API, use Countersign.')
    }
    const send = transport(options)
    const renewing = resources(platformTable, baseUrl, (outgoing) => send(outgoing, null)) as unknown as PlatformApi
    const session = openSession(tokens ?? null, onSession, (refreshToken) =>
      renewing.auth.refreshToken({ refreshToken }),
    )

    async function withToken(outgoing: Outgoing): Promise<Answer<unknown>> {
      const used = session.token()
      try {
        return await send(outgoing, used)
      } catch (error) {
        const expired = error instanceof AuthenticationError && error.code === 'TOKEN_EXPIRED'
        if (!expired || !(await session.renew(used))) throw error
        return send(outgoing, session.token())
      }
    }

    const api = resources(platformTable, baseUrl, async (outgoing) => {
      const { row } = outgoing
      const answer = await (row.open ? send(outgoing, null) : withToken(outgoing))
      if (row.session) await session.adopt(answer.data as SessionTokens)
      if (row.path === platformTable.auth?.logout?.path) await session.adopt(null)
      return answer
    })
    Object.assign(this, api)
  }
}
