/** The center whose domain this is; null at the host of the service. */
export interface Site {
  readonly name: string
}

let site: Site | null = null
export const ownSite = (): Site | null => site

/** A name without a dot, or an address, is no domain of a center. Without an answer the page has no name rather than a wrong one. */
export async function readSite(): Promise<void> {
  if (!/\.[a-z]{2,}$/.test(location.hostname)) return
  try {
    const answer = await fetch(`/api/whitelabel/${location.hostname}/config`)
    if (answer.ok) site = ((await answer.json()) as { readonly data: Site }).data
    else if (answer.status !== 404) site = { name: '' }
  } catch {
    site = { name: '' }
  }
}
