/** The order of the site. A page is one line: its file in the repository, and its address where the path does not give it. */
import { globSync } from 'node:fs'
import type { Words } from './words.ts'

export const root = new URL('../../', import.meta.url)

export interface Listed {
  readonly slug: string
  /** Of the English text; the Korean text is the same path below `docs/ko`. Null: made from the contract. */
  readonly source: string | null
}

export interface Group {
  readonly label: Words
  readonly pages: readonly Listed[]
  readonly collapsed?: true
}

const slugOf = (source: string): string =>
  source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()

const page = (source: string, slug = slugOf(source)): Listed => ({ slug, source })
const generated = (slug: string): Listed => ({ slug, source: null })

export const home = page('docs/index.md', 'index')

const tutorials: Group = {
  label: { en: 'Tutorials', ko: '튜토리얼' },
  pages: [
    page('docs/tutorials/first-proof.md'),
    page('docs/guides/guard.md', 'tutorials/guard'),
    page('docs/tutorials/webhooks.md'),
    page('docs/tutorials/witness.md'),
  ],
}

const guides: Group = {
  label: { en: 'Guides', ko: '가이드' },
  pages: [
    page('docs/guides/policies.md'),
    page('docs/guides/approve.md'),
    page('docs/guides/passkeys.md'),
    page('docs/guides/agents.md'),
    page('docs/guides/gateway.md'),
    page('docs/guides/external-approvals.md'),
    page('docs/guides/coding-agents.md'),
    page('docs/guides/connect-agents.md'),
    page('docs/guides/incidents.md'),
    page('docs/guides/execute.md'),
    page('docs/guides/webhooks.md'),
    page('docs/guides/destinations.md'),
    page('docs/guides/pagination.md'),
    page('docs/guides/errors.md'),
    page('docs/guides/serverless.md'),
    page('docs/guides/retries.md'),
    page('docs/guides/idempotency.md'),
    page('docs/guides/testing.md'),
    page('docs/guides/verify.md'),
    page('docs/guides/redaction.md'),
    page('docs/guides/workflows.md'),
    page('docs/guides/sign-in.md'),
    page('docs/guides/white-label.md'),
    page('docs/guides/console.md'),
    page('docs/guides/members.md'),
    page('docs/guides/bookings.md'),
    page('docs/guides/partners.md'),
    page('docs/guides/billing.md'),
  ],
}

const operating: Group = {
  label: { en: 'Operation', ko: '운영' },
  pages: [
    page('deploy/README.md', 'operation/deploy'),
    page('docs/one-machine.md', 'operation/one-machine'),
    page('deploy/helm/countersign/README.md', 'operation/kubernetes'),
    page('docs/guides/backup.md', 'operation/backup'),
    page('docs/guides/upgrade.md', 'operation/upgrade'),
    page('docs/upgrades.md', 'operation/versions'),
    page('docs/runbook.md', 'operation/runbook'),
    page('docs/durability.md', 'operation/durability'),
    page('docs/alerts.md', 'operation/alerts'),
    page('deploy/observability/README.md', 'operation/observability'),
    page('docs/results.md', 'operation/results'),
    page('docs/million-centers.md', 'operation/million-centers'),
    page('packages/witness/README.md', 'operation/witness'),
  ],
}

const reference: Group = {
  label: { en: 'Reference', ko: '레퍼런스' },
  pages: [
    generated('reference/api'),
    generated('reference/events'),
    generated('reference/errors'),
    page('docs/errors.md', 'reference/error-messages'),
    generated('reference/settings'),
    generated('reference/limits'),
    generated('reference/cli'),
    page('packages/sdk/README.md', 'reference/sdk'),
    page('packages/mcp/README.md', 'reference/mcp'),
    page('packages/gateway/README.md', 'reference/gateway'),
    page('docs/messages.md', 'reference/messages'),
    page('docs/GLOSSARY.md', 'reference/glossary'),
  ],
}

const formats: Group = {
  label: { en: 'Formats', ko: '형식' },
  collapsed: true,
  pages: [
    page('docs/formats/dpu-chain-v1.md'),
    page('docs/formats/transparency.md'),
    page('docs/formats/webhook-signatures.md'),
    page('docs/formats/center-export.md'),
    page('docs/formats/generations.md'),
    page('docs/formats/what-is-covered.md'),
    page('docs/formats/other-programs.md'),
  ],
}

const explanations: Group = {
  label: { en: 'Explanations', ko: '설명' },
  pages: [
    page('docs/explanations/what-a-seal-proves.md'),
    page('docs/LIMITS.md', 'explanations/limits'),
    page('docs/explanations/tenancy.md'),
    page('docs/explanations/delivery.md'),
    page('docs/explanations/threat-model.md'),
    page('docs/explanations/hooks.md'),
    page('docs/explanations/engines.md'),
    page('docs/engines.md', 'explanations/engines-measured'),
    page('docs/explanations/comparison.md'),
    page('docs/ARCHITECTURE.md', 'explanations/architecture'),
    page('docs/gaps.md', 'explanations/gaps'),
    generated('decisions'),
  ],
}

const listed: readonly Group[] = [tutorials, guides, operating, reference, formats, explanations]

/** Not pages of their own: the index of the repository, Korean texts, decisions, and the tables of a generated page. */
const apart = /^docs\/(README\.md|settings\.md|ko\/|decisions\/)/

const unlisted = (): readonly Listed[] => {
  const known = new Set([home, ...listed.flatMap(({ pages }) => pages)].map(({ source }) => source))
  return globSync('docs/**/*.md', { cwd: root })
    .filter((file) => !known.has(file) && !apart.test(file))
    .sort()
    .map((file) => page(file))
}

export const decisions: readonly Listed[] = globSync('docs/decisions/*.md', { cwd: root })
  .sort()
  .map((file) => page(file))

/** A file of docs/ that no group names stands in the last group. */
export const groups: readonly Group[] = [
  ...listed,
  ...(unlisted().length > 0 ? [{ label: { en: 'More', ko: '그 밖에' }, pages: unlisted() }] : []),
]
