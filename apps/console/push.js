/* The service worker of the console: it shows messages, and nothing else. Its scope has no page. */
/** The build puts the words of the catalog here. */
const words = '{{words}}'

/** A path of this origin: a message can lead nowhere else. */
function addressOf(url) {
  const address = new URL(typeof url === 'string' ? url : '/', self.location.origin)
  return address.origin === self.location.origin ? address.href : `${self.location.origin}/`
}

function read(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { center, kind, language, text, url } = read(event.data)
  const name = typeof center === 'string' ? center : 'Countersign'
  const isOther = typeof text === 'string' && kind !== 'decisions_wait'
  const say = language === 'en' ? words.en : words.ko
  // The browser requires a notification for every message, also for one that cannot be read.
  const shown = self.registration.showNotification(isOther ? text : say.title, {
    body: isOther ? name : say.text.replace('{center}', () => name),
    lang: language === 'en' ? 'en' : 'ko',
    // A newer one about the same page replaces it; of waiting decisions there is one for each center.
    tag: isOther ? `${kind} ${url}` : `decisions-wait ${center}`,
    data: { url: addressOf(url) },
  })
  event.waitUntil(shown)
})

self.addEventListener('notificationclick', (event) => {
  const { url } = event.notification.data
  event.notification.close()
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const page = pages.find((each) => each.url === url)
    return page ? page.focus() : self.clients.openWindow(url)
  }
  event.waitUntil(open())
})
