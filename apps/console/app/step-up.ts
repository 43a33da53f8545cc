/** Showing again that it is you: a call that needs it waits for the dialog, and is sent once more. */
import { assertWith, type RequestOptions, requireChallengeOf } from './passkeys.ts'
import { freshToken } from './session.ts'
import { storeOf } from './store.ts'

interface Asked {
  /** A password is not enough: a center asks its administrators for passkeys. */
  readonly byPasskey: boolean
  readonly done: (isShown: boolean) => void
}

/** What the dialog answers to; null while nothing asks. */
export const stepUpStore = storeOf<Asked | null>(null)
let waiting: Promise<boolean> | null = null
/** Where a center asks for a passkey, every call of a page is refused: one dialog is enough for them. */
let declinedUntil = 0
const quietMs = 30_000

/** Several calls that meet the refusal share one dialog. False: the person did not want to. */
export function askStepUp({ byPasskey }: Pick<Asked, 'byPasskey'>): Promise<boolean> {
  if (byPasskey && Date.now() < declinedUntil) return Promise.resolve(false)
  waiting ??= new Promise<boolean>((resolve) => {
    const done = (isShown: boolean) => {
      if (!isShown && byPasskey) declinedUntil = Date.now() + quietMs
      resolve(isShown)
    }
    stepUpStore.set({ byPasskey, done })
  }).finally(() => {
    waiting = null
    stepUpStore.set(null)
  })
  return waiting
}

/** Whether a refusal asks for it. The body stays readable for the caller. */
export async function needsStepUp(response: Response): Promise<Pick<Asked, 'byPasskey'> | null> {
  if (response.status !== 403) return null
  const value = await response
    .clone()
    .json()
    .catch(() => null)
  const details = (value as { error?: { details?: { reason?: unknown; by?: unknown } } } | null)?.error?.details
  return details?.reason === 'stepUp' ? { byPasskey: details.by === 'passkey' } : null
}

/** A wrong password is 401 too, so these calls do not renew the session. */
async function post<T>(path: string, body?: object): Promise<{ readonly status: number; readonly data: T | null }> {
  const response = await fetch(`/api/auth/step-up${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      authorization: `Bearer ${await freshToken()}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null)
  const value = await response?.json().catch(() => null)
  return { status: response?.status ?? 0, data: (value as { data?: T } | null)?.data ?? null }
}

export const stepUpByPassword = async (password: string): Promise<number> => (await post('', { password })).status

interface Challenge {
  readonly statement: unknown
  readonly publicKey: RequestOptions
}

/** Throws what `assertWith` and `requireChallengeOf` throw. 409: the person has no passkey. */
export async function stepUpByPasskey(): Promise<number> {
  const { status, data } = await post<Challenge>('/options')
  if (data === null) return status
  requireChallengeOf(data.statement, data.publicKey)
  return (await post('', { assertion: await assertWith(data.publicKey) })).status
}
