/**
 * Push messages of this browser. It subscribes only after a click; the server keeps the subscription with the session. A later
 * session of the same person in this browser takes the subscription over, one of another person does not.
 */
import { api } from './api.ts'
import { keep, kept, pushKey as key } from './kept.ts'
import { sessionState } from './session.ts'
import { workerAddress } from './worker-url.ts'

const scope = '/console/'

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** The person and the session; null where no person is signed in. */
function holder(): readonly [actor: string, session: string] | null {
  const { session } = sessionState()
  if (session === null) return null
  const claims = session.accessToken.split('.')[1] ?? ''
  const { sid } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sid: string }
  return [session.actor.id, sid]
}

const remember = (): void => keep(key, JSON.stringify(holder()))

async function subscribed(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushSubscription> {
  const found = await registration.pushManager.getSubscription()
  if (found && keyOf(found) === publicKey) return found
  // Of a key that the server had before.
  await found?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await api.push.subscribe({ endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } })
  remember()
}

/** On a click only: the browser asks the person. False: they said no, now or earlier. */
export async function turnOn(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(workerAddress(`${scope}push.js`), { scope })
  const registration = await active()
  await send(await subscribed(registration, publicKey))
  return true
}

/** `ready` waits for a worker of the scope of the page, which this one is not. */
async function active(): Promise<ServiceWorkerRegistration> {
  for (;;) {
    const registration = await navigator.serviceWorker.getRegistration(scope)
    if (registration?.active) return registration
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function turnOff(): Promise<void> {
  await api.push.unsubscribe()
  await forgetPush()
}

/** When the person signs out: the end of the session removes what the server has. */
export async function forgetPush(): Promise<void> {
  keep(key, null)
  if (!canPush()) return
  const registration = await navigator.serviceWorker.getRegistration(scope)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await registration?.unregister()
}

/** After a new sign-in of the person who turned it on here. */
export async function takeOver(): Promise<void> {
  const now = holder()
  const [actor, session] = JSON.parse(kept(key) ?? '[]') as readonly (string | undefined)[]
  if (now === null || now[0] !== actor || now[1] === session || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker.getRegistration(scope)
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await send(subscription)
}
