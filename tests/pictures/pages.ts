/** The pages of the pictures: every address that an area lists, and sheets that need an object of the story. */
import { globSync } from 'node:fs'
import type { Story } from './story.ts'

interface PicturedPage {
  readonly name: string
  readonly path: string
  /** The role of the person who opens it; null without a session. */
  readonly as: string | null
  /** Pressed before the pictures are taken. */
  readonly press?: string
}

const root = new URL('../../', import.meta.url).pathname

/** `/c/haneul/bookings?view=day` becomes `bookings-view-day`. */
const nameOf = (path: string): string =>
  path
    .replace(/^\/c\/\{center\}\/?/, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export async function pagesOf({
  center,
  heir,
  altered,
  day,
  decision,
  policy,
  webhook,
  workflow,
  run,
}: Story): Promise<PicturedPage[]> {
  const listed: PicturedPage[] = []
  for (const file of globSync('apps/console/areas/*/addresses.ts', { cwd: root }).sort()) {
    const { addresses } = (await import(root + file)) as { addresses: readonly Omit<PicturedPage, 'name'>[] }
    for (const each of addresses) {
      // A day with appointments; today may have none left.
      const path = each.path.replace('{center}', center.domain).replace('view=day', `view=day&date=${day}`)
      const name = nameOf(each.path)
      const isTwice = listed.some((other) => other.name === name)
      listed.push({ ...each, name: isTwice ? `${name}-${String(each.as).toLowerCase()}` : name, path })
    }
  }
  const at = `/c/${center.domain}`
  return [
    ...listed,
    { name: 'decision-sheet', path: `${at}/decisions?id=${decision}`, as: 'ADMIN' },
    { name: 'policy-sheet', path: `${at}/policies?policy=${policy}`, as: 'ADMIN' },
    { name: 'policies-inherited', path: `/c/${heir.domain}/policies`, as: 'ADMIN' },
    { name: 'webhook-sheet', path: `${at}/developers/webhooks/${webhook}`, as: 'ADMIN' },
    { name: 'draft-sheet', path: `${at}/workflows?workflow=${workflow}&run=${run}`, as: 'ADMIN' },
    { name: 'onboarding-open', path: '/onboarding', as: 'ADMIN', press: '.entry-form .btn.first' },
    {
      name: 'chain-altered',
      path: `/c/${altered.center.domain}/chain`,
      as: 'ALTERED',
      press: '.page-actions .btn.first',
    },
  ]
}
