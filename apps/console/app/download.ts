/** Saves what the API answers as a file. */
import { sessionFetch } from './api.ts'
import { SessionRefusal } from './session.ts'

export async function download(address: string, name: string): Promise<void> {
  const response = await sessionFetch(address)
  if (!response.ok) {
    const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
    const { status, headers } = response
    throw new SessionRefusal(status, error?.code ?? `HTTP_${status}`, headers.get('x-request-id'), 0)
  }
  const url = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
