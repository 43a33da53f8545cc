/** Showing again that it is you: a call that needs it waits for the dialog, and is sent once more. */
import { assertWith, type RequestOptions, requireChallengeOf } from './passkeys.ts'
import { freshToken } from './session.ts'
import { storeOf } from './store.ts'

interface Asked {
  readonly done: (isShown: boolean) => void
}

/** What the dialog answers to; null while nothing asks. */
export const stepUpStore = storeOf<Asked | null>(null)
let waiting: Promise<boolean> | null = null

/** Several calls that meet the refusal share one dialog. False: the person did not want to. */
export function askStepUp(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    stepUpStore.set({ done: resolve })
  }).finally(() => {
    waiting = null
    stepUpStore.set(null)
  })
  return waiting
}

/** Whether a refusal asks for it. The body stays readable for the caller. */
export async function needsStepUp(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const value = await response
    .clone()
    .json()
    .catch(() => null)
  return (value as { error?: { details?: { reason?: unknown } } } | null)?.error?.details?.reason === 'stepUp'
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
