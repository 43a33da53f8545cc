/**
 * Who runs the fenced blocks of each English page; the Korean pages have the same blocks. A block is found by its label, by the
 * beginning of its text, or by its language, in this order. A page with one word instead of a table has one test for all blocks.
 */

/** Why a block isn't run. Only for what is no program, query, setting or file. */
export const reasons = {
  diagram: 'a picture in text',
  form: 'how bytes are put together, in words; the vectors of the format test it',
  script: 'an npm script or a test file: docs.test.ts says that it exists',
} as const

type Run = string
export type Runs = Run | Readonly<Record<string, Run>>

const docs = (name: string): Run => `tests/docs/${name}.test.ts`
const journeys = (name: string): Run => `tests/journeys/${name}.test.ts`
const interop = (name: string): Run => `tests/interop/${name}.test.ts`

const other = docs('other-blocks')
const guides = docs('guides')
const packages = journeys('packages')
const python = 'tests/python/guide.test.ts'
const pythonHour = 'tests/python/journey.test.ts'
const inGuides = 'tests/python/guides.test.ts'

export const runs: Readonly<Record<string, Runs>> = {
  'CONTRIBUTING.md': { ts: docs('contributing'), diff: docs('contributing'), sql: docs('contributing'), sh: 'script' },
  'README.md': { ts: packages, python, sh: docs('docs'), 'demo:agent': journeys('quickstart') },
  'SECURITY.md': docs('docs'),
  'apps/console/README.md': 'script',
  'deploy/README.md': other,
  'deploy/helm/countersign/README.md': other,
  'deploy/observability/README.md': other,
  'docs/ARCHITECTURE.md': { mermaid: 'diagram', text: docs('map') },
  'docs/durability.md': docs('durability'),
  'docs/formats/dpu-chain-v1.md': {
    ...{ commitment: interop('format'), preimage: interop('format'), export: interop('format') },
    text: 'form',
  },
  'docs/formats/transparency.md': {
    ...{ 'tlog-proof': interop('transparency'), policy: interop('transparency') },
    ...{ 'proof.example': other, 'openssl ts': other },
    text: 'form',
  },
  'docs/formats/webhook-signatures.md': {
    js: 'apps/server/features/automation/webhooks/test/vectors.test.ts',
    text: 'form',
  },
  'docs/guides/agents.md': {
    ...{ 'refund.mjs': docs('agents-guide'), 'openai-agent.mjs': docs('agents-guide') },
    ...{ 'mastra-agent.mjs': docs('agents-guide'), 'npm run pack': packages },
    ...{ 'policies.yaml': packages, policies: packages, 'tools.mts': packages, 'worker.mts': packages },
    'node worker.mts': packages,
    python: inGuides,
  },
  'docs/guides/billing.md': 'form',
  'docs/guides/coding-agents.md': other,
  'docs/guides/command.md': journeys('command'),
  'docs/guides/connect-agents.md': other,
  'docs/guides/console.md': other,
  'docs/guides/destinations.md': { json: other, js: 'tests/crash/destinations.test.ts', python: inGuides },
  'docs/guides/errors.md': { sh: guides, json: guides, ts: guides, python: inGuides },
  'docs/guides/execute.md': { 'executor.py': inGuides, sh: docs('execute-guide'), js: docs('execute-guide') },
  'docs/guides/external-approvals.md': interop('agent-governance'),
  'docs/guides/gateway.md': {
    ...{ '{\n  "mcpServers"': interop('gateway-claude-code') },
    json: interop('gateway'),
  },
  'docs/guides/going-live.md': guides,
  'docs/guides/guard.md': { 'refund.py': inGuides, sh: packages, ts: packages, verify: packages, passkey: packages },
  'docs/guides/idempotency.md': { sh: guides, python: inGuides },
  'docs/guides/incidents.md': docs('incidents'),
  'docs/guides/members.md': other,
  'docs/guides/pagination.md': { sh: guides, ts: guides, python: inGuides },
  'docs/guides/passkeys.md': guides,
  'docs/guides/policies.md': { json: other, yaml: other, sh: guides },
  'docs/guides/python.md': {
    ...{ setup: pythonHour, 'yours.py': pythonHour, 'agent.py': pythonHour, start: pythonHour, verify: pythonHour },
    ...{ 'session.py': 'tests/python/claude-agent.test.ts' },
    ...{ 'python -m countersign verify': pythonHour, 'pip install': other, python },
  },
  'docs/guides/redaction.md': other,
  'docs/guides/retries.md': { sh: guides, ts: guides, python: inGuides },
  'docs/guides/serverless.md': {
    ...{ 'function.py': 'tests/python/examples.test.ts' },
    ...{ sh: journeys('examples'), ts: journeys('examples') },
  },
  'docs/guides/stop.md': { json: other, python: inGuides },
  'docs/guides/testing.md': { ...{ ci: packages, 'job.sh': packages, js: packages }, sh: guides, python: inGuides },
  'docs/guides/verify.md': { sh: docs('verify-guide'), python: inGuides },
  'docs/guides/webhooks.md': {
    ...{ 'express.mjs': docs('webhook-frameworks'), 'fastify.mjs': docs('webhook-frameworks') },
    ...{ 'hono.mjs': docs('webhook-frameworks'), 'app/webhooks/route.js': docs('webhook-frameworks') },
    ...{ js: docs('webhooks-guide'), 'receiver.py': docs('webhooks-guide'), sh: docs('webhooks-guide'), json: other },
  },
  'docs/guides/white-label.md': interop('acme'),
  'docs/guides/workflows.md': { sh: docs('workflows-guide'), ini: other },
  'docs/one-machine.md': {
    '$ deploy/build-release.sh': other,
    sh: docs('one-machine'),
    ini: docs('one-machine'),
    text: docs('one-machine'),
  },
  'docs/several-machines.md': docs('several-machines'),
  'docs/runbook.md': {
    ...{ 'npm run operator': other, 'witness w1': other, ini: other },
    ...{ sh: docs('runbook'), sql: docs('webhooks-guide') },
  },
  'docs/tutorials/first-proof.md': journeys('quickstart'),
  'docs/tutorials/webhooks.md': docs('docs'),
  'docs/tutorials/witness.md': docs('docs'),
  'docs/upgrades.md': other,
  'examples/README.md': journeys('examples'),
  'examples/next-agent/README.md': journeys('examples'),
  'packages/cli/README.md': packages,
  'packages/contract/README.md': packages,
  'packages/gateway/README.md': {
    ...{ 'countersign-gateway.json': 'packages/gateway/test/config.test.ts', 'stdio.json': other },
    sh: packages,
  },
  'packages/mcp/README.md': packages,
  'packages/proof/README.md': packages,
  'packages/sdk/README.md': packages,
  'packages/witness/README.md': { '# Countersign at': other, sh: docs('verify-guide') },
  'packages/words/README.md': other,
  'python/README.md': other,
  'tests/pictures/README.md': 'script',
}
