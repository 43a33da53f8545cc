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
  /** For whom its pages are, where that is one kind of reader. */
  readonly reader?: Words
  readonly kind: 'guide' | 'reference' | 'format' | 'background'
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

const people: Group = {
  label: { en: 'People', ko: '사용자' },
  reader: { en: 'people who work with Countersign', ko: '콘솔을 쓰는 분' },
  kind: 'guide',
  pages: [
    page('docs/platform.md'),
    page('docs/guides/pages.md'),
    ...globSync('docs/people/*.md', { cwd: root })
      .sort()
      .map((file) => page(file)),
    page('docs/guides/approve.md'),
    page('docs/guides/passkeys.md'),
    page('docs/guides/policies.md'),
    page('docs/guides/stop.md'),
    page('docs/guides/members.md'),
    page('docs/guides/bookings.md'),
    page('docs/guides/workflows.md'),
    page('docs/guides/redaction.md'),
    page('docs/guides/sign-in.md'),
    page('docs/guides/white-label.md'),
    page('docs/guides/partners.md'),
    page('docs/guides/billing.md'),
  ],
}

const developers: Group = {
  label: { en: 'Developers', ko: '개발자' },
  reader: { en: 'developers', ko: '개발자' },
  kind: 'guide',
  pages: [
    page('docs/tutorials/first-proof.md'),
    page('docs/guides/guard.md', 'tutorials/guard'),
    page('docs/guides/agents.md'),
    page('docs/guides/python.md'),
    page('docs/guides/serverless.md'),
    page('docs/guides/execute.md'),
    page('docs/guides/coding-agents.md'),
    page('docs/guides/connect-agents.md'),
    page('docs/guides/incidents.md'),
    page('docs/guides/gateway.md'),
    page('docs/guides/external-approvals.md'),
    page('docs/tutorials/webhooks.md'),
    page('docs/guides/webhooks.md'),
    page('docs/guides/destinations.md'),
    page('docs/guides/testing.md'),
    page('docs/guides/going-live.md'),
    page('docs/guides/command.md'),
    page('docs/guides/errors.md'),
    page('docs/guides/retries.md'),
    page('docs/guides/idempotency.md'),
    page('docs/guides/pagination.md'),
    page('docs/guides/console.md'),
  ],
}

const auditors: Group = {
  label: { en: 'Auditors', ko: '감사인' },
  reader: { en: 'auditors', ko: '감사인' },
  kind: 'guide',
  pages: [
    page('docs/guides/verify.md'),
    page('docs/explanations/what-a-seal-proves.md'),
    page('docs/LIMITS.md', 'explanations/limits'),
    page('docs/explanations/threat-model.md'),
    page('docs/explanations/aisvs.md'),
    page('docs/tutorials/witness.md'),
    page('packages/witness/README.md', 'operation/witness'),
    page('docs/formats/other-programs.md'),
  ],
}

const operators: Group = {
  label: { en: 'Operators', ko: '운영자' },
  reader: { en: 'operators', ko: '운영자' },
  kind: 'guide',
  pages: [
    page('docs/one-machine.md', 'operation/one-machine'),
    page('docs/several-machines.md', 'operation/several-machines'),
    page('docs/growing.md', 'operation/growing'),
    page('deploy/README.md', 'operation/deploy'),
    page('deploy/helm/countersign/README.md', 'operation/kubernetes'),
    page('docs/guides/backup.md', 'operation/backup'),
    page('docs/durability.md', 'operation/durability'),
    page('docs/guides/upgrade.md', 'operation/upgrade'),
    page('docs/upgrades.md', 'operation/versions'),
    page('docs/runbook.md', 'operation/runbook'),
    page('docs/alerts.md', 'operation/alerts'),
    page('deploy/observability/README.md', 'operation/observability'),
    page('docs/results.md', 'operation/results'),
    page('docs/million-centers.md', 'operation/million-centers'),
  ],
}

const reference: Group = {
  label: { en: 'Reference', ko: '레퍼런스' },
  kind: 'reference',
  pages: [
    generated('reference/api'),
    generated('reference/events'),
    generated('reference/errors'),
    page('docs/errors.md', 'reference/error-messages'),
    generated('reference/scopes'),
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
  kind: 'format',
  collapsed: true,
  pages: [
    page('docs/formats/dpu-chain-v1.md'),
    page('docs/formats/transparency.md'),
    page('docs/formats/webhook-signatures.md'),
    page('docs/formats/center-export.md'),
    page('docs/formats/generations.md'),
    page('docs/formats/what-is-covered.md'),
  ],
}

const background: Group = {
  label: { en: 'Background', ko: '배경' },
  kind: 'background',
  collapsed: true,
  pages: [
    page('docs/explanations/comparison.md'),
    page('docs/explanations/tenancy.md'),
    page('docs/explanations/delivery.md'),
    page('docs/explanations/hooks.md'),
    page('docs/explanations/engines.md'),
    page('docs/engines.md', 'explanations/engines-measured'),
    page('docs/ARCHITECTURE.md', 'explanations/architecture'),
    page('docs/gaps.md', 'explanations/gaps'),
    page('docs/changes/next.md'),
    page('docs/changes/0.1.0.md', 'changes/first-release'),
    generated('decisions'),
  ],
}

const listed: readonly Group[] = [people, developers, auditors, operators, reference, formats, background]

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
  ...(unlisted().length > 0
    ? [{ label: { en: 'More', ko: '그 밖에' }, kind: 'background' as const, pages: unlisted() }]
    : []),
]
