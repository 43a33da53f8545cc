/** Addresses of workers. The content security policy allows this one policy, which makes nothing but addresses of our files. */
interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const { trustedTypes } = globalThis as { trustedTypes?: Factory }

const policy = trustedTypes?.createPolicy('countersign', {
  createScriptURL(url) {
    if (!url.startsWith('/console/')) throw new TypeError(`${url} is no file of the console.`)
    return url
  },
})

export const workerAddress = (url: string): string => (policy?.createScriptURL(url) ?? url) as string

export const openWorker = (url: string): Worker =>
  new Worker(workerAddress(url), { type: 'module', credentials: 'same-origin' })
