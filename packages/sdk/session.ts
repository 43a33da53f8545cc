/** The tokens of a signed-in person: one renewal at a time, and callers are notified of every change. */
import { AuthenticationError } from './errors.ts'

export interface SessionTokens {
  readonly accessToken: string
  /** Each renewal replaces it; using a replaced token ends the session. */
  readonly refreshToken?: string
}

export interface Session {
  /** The access token, or null before a sign-in. */
  token(): string | null
  adopt(tokens: SessionTokens | null): Promise<void>
  /** Replaces the access token `used`, unless that has already happened. False: no refresh token is known. */
  renew(used: string | null): Promise<boolean>
}

type Listener = (tokens: SessionTokens | null) => void | Promise<void>

export function openSession(
  initial: SessionTokens | null,
  onChange: Listener | undefined,
  refresh: (refreshToken: string) => Promise<SessionTokens>,
): Session {
  let tokens = initial
  let renewal: Promise<void> | null = null

  /** The call that caused the change goes on after the listener. */
  async function adopt(next: SessionTokens | null): Promise<void> {
    tokens = next
    await onChange?.(next)
  }

  async function renewOnce(before: SessionTokens, refreshToken: string): Promise<void> {
    try {
      const next = await refresh(refreshToken)
      if (tokens === before) await adopt(next)
    } catch (error) {
      // The session has ended: no later call can succeed with these tokens.
      if (error instanceof AuthenticationError && tokens === before) await adopt(null)
      throw error
    }
  }

  return {
    token: () => tokens?.accessToken ?? null,
    adopt,
    async renew(used) {
      if (renewal === null) {
        if (tokens !== null && tokens.accessToken !== used) return true
        if (tokens?.refreshToken === undefined) return false
        renewal = renewOnce(tokens, tokens.refreshToken).finally(() => {
          renewal = null
        })
      }
      await renewal
      return true
    },
  }
}
