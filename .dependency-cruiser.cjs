/** The import rules of docs/ARCHITECTURE.md. `tools/check.ts` proves on a planted violation that they are enforced. */
/** The only modules with SQL. */
const sqlPlaces = 'queries\\.ts$|^apps/server/(data|audit|sealing|integrity)/'

/** The folders of the server from the top: each imports what stands below it, types included. */
const layers = [
  ['programs', '(bin|main)\\.ts$'],
  ['operator', 'operator/'],
  ['root', '[^/]+\\.ts$'],
  ...[
    ...[
      'workflow-library',
      'system',
      'features',
      'governance',
      'integrity',
      'mail',
      'http',
      'access',
      'audit',
      'sealing',
    ],
    ...['idempotency', 'delivery', 'jobs', 'data', 'concurrency', 'lib', 'verticals', 'config'],
  ].map((folder) => [folder, `${folder}/`]),
]
const downOnly = layers.map(([name, path], at) => ({
  name: `only-down-from-${name}`,
  comment: 'An import goes down the layers, so that a layer can be read, tested and changed without those above it.',
  severity: 'error',
  from: { path: `^apps/server/${path}`, pathNot: ['/test/', ...(name === 'root' ? ['/(bin|main)\\.ts$'] : [])] },
  to: {
    path: layers.slice(0, at).map(([, above]) => `^apps/server/${above}`),
  },
}))

module.exports = {
  forbidden: [
    ...downOnly.slice(1),
    {
      name: 'contract-is-independent',
      comment: 'Third parties depend on the contract: it imports only typebox and itself.',
      severity: 'error',
      from: { path: '^packages/contract/', pathNot: '^packages/contract/test/' },
      to: { pathNot: '^(packages/contract/|node_modules/typebox/)' },
    },
    {
      name: 'proof-is-independent',
      comment:
        'The same proof code runs in servers and browsers: it imports no other package of the repository but the words, and nothing of Node.',
      severity: 'error',
      from: {
        path: '^packages/proof/',
        pathNot: [
          '^packages/proof/test/',
          '^packages/proof/(sha256|ed25519|passkey-signature(-async)?|public-key|timestamp-authority)\\.node\\.ts$',
        ],
      },
      to: { pathNot: '(^packages/(proof|words)/|(^|/)node_modules/@noble/(curves|hashes|ed25519)/)' },
    },
    {
      name: 'proof-uses-node-for-cryptography-only',
      severity: 'error',
      from: {
        path: '^packages/proof/(sha256|ed25519|passkey-signature(-async)?|public-key|timestamp-authority)\\.node\\.ts$',
      },
      to: { pathNot: '^((node:)?crypto$|packages/proof/)' },
    },
    {
      name: 'auditor-tools-use-proof-only',
      comment:
        'Auditors and witnesses run these without trust in the operator: they import packages/proof and nothing of the server.',
      severity: 'error',
      from: { path: '^(packages/(cli|witness)|apps/verifier)/', pathNot: '/test/' },
      to: { path: '^(packages/contract|apps/server|tools|tests)/' },
    },
    {
      name: 'published-programs-use-the-index',
      comment: 'Installed, @countersign/proof has no other entry points than these.',
      severity: 'error',
      from: { path: '^packages/(cli|witness|sdk|mcp|gateway)/', pathNot: '/test/' },
      to: { path: '^packages/proof/', pathNot: '^packages/proof/(index|making)\\.ts$' },
    },
    {
      name: 'sdk-runs-everywhere',
      comment:
        'The SDK runs in Node and browsers: it imports packages/proof and nothing else, for receipts and guards only.',
      severity: 'error',
      from: { path: '^packages/sdk/', pathNot: '/test/' },
      to: { pathNot: '^packages/(sdk|proof)/' },
    },
    {
      name: 'sdk-core-is-small',
      comment: 'A page that only calls the API does not load the verifier.',
      severity: 'error',
      from: {
        path: '^packages/sdk/',
        pathNot: [
          '/test/',
          '^packages/sdk/(receipts|trust|guard[\\w-]*|adapter|ai[\\w-]*|langchain|testing|fake-\\w+)\\.ts$',
        ],
      },
      to: {
        path: '^packages/(proof/|sdk/(receipts|trust|guard[\\w-]*|adapter|ai[\\w-]*|langchain|testing|fake-\\w+)\\.ts$)',
      },
    },
    {
      name: 'mcp-uses-published-packages',
      comment:
        'The MCP server runs at users too: it imports what they can install, by the entry points that exist then.',
      severity: 'error',
      from: { path: '^packages/mcp/', pathNot: '/test/' },
      to: {
        path: '^(packages|apps|tools|tests)/',
        pathNot: '^packages/(mcp/|(contract|proof|sdk)/index\\.ts$|sdk/(guard|receipts)\\.ts$)',
      },
    },
    {
      name: 'gateway-uses-published-packages',
      comment: 'The gateway runs at users: it imports what they can install, by the entry points that exist then.',
      severity: 'error',
      from: { path: '^packages/gateway/', pathNot: '/test/' },
      to: {
        path: '^(packages|apps|tools|tests)/',
        pathNot: '^packages/(gateway/|(mcp|proof|sdk)/index\\.ts$|sdk/guard\\.ts$)',
      },
    },
    {
      name: 'server-uses-the-index-of-mcp',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: '/test/' },
      to: { path: '^packages/mcp/', pathNot: '^packages/mcp/index\\.ts$' },
    },
    {
      name: 'page-is-made-of-proof',
      comment:
        'The public verifier page contains the proof code, the drawing code, the words, and the code that shows verdicts.',
      severity: 'error',
      from: { path: '^apps/verifier/', pathNot: ['^apps/verifier/test/', '^apps/verifier/build\\.ts$'] },
      to: { pathNot: '^(apps/verifier|packages/(proof|design|words))/' },
    },
    {
      name: 'design-is-independent',
      comment:
        'The drawing code runs in servers and browsers: it imports nothing; fonts.ts reads the files of its packages.',
      severity: 'error',
      from: { path: '^packages/design/', pathNot: ['^packages/design/test/', '^packages/design/(prune-)?fonts\\.ts$'] },
      to: { pathNot: '^packages/design/' },
    },
    {
      name: 'words-are-independent',
      comment: 'The words go into servers, browsers and published programs: they import nothing.',
      severity: 'error',
      from: { path: '^packages/words/', pathNot: '^packages/words/test/' },
      to: { pathNot: '^packages/words/' },
    },
    {
      name: 'console-uses-the-api',
      comment:
        'The console knows the SDK, the types of the contract, the proof code, the design and the words, and nothing of the server.',
      severity: 'error',
      from: { path: '^apps/console/', pathNot: ['^apps/console/test/', '^apps/console/vite\\.config\\.ts$'] },
      to: {
        path: '^(apps|packages|tools|tests)/',
        pathNot: '^(apps/console|packages/(proof|design|words|sdk|contract))/',
      },
    },
    {
      name: 'console-uses-types-of-the-contract-only',
      comment: 'The schemas of the contract are large; the console needs their types.',
      severity: 'error',
      from: { path: '^apps/console/', pathNot: '^apps/console/test/' },
      to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'approval-page-is-small',
      comment:
        'What the approval page loads has no library: of the SDK it knows the types, of the console what has no view.',
      severity: 'error',
      from: { path: '^apps/console/(approve|decision)/' },
      to: {
        path: '^(node_modules/|packages/sdk/|apps/console/(areas|ui)/)',
        pathNot: '^apps/console/ui/clock\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'areas-of-the-console-are-independent',
      comment: 'An area imports app/, ui/ and itself, so that each loads alone.',
      severity: 'error',
      from: { path: '^apps/console/areas/([^/]+)/' },
      to: { path: '^apps/console/areas/', pathNot: '^apps/console/areas/$1/' },
    },
    {
      name: 'sql-in-queries-only',
      comment:
        'SQL is only in queries.ts, data/, audit/, sealing/ and integrity/, so that it can be reviewed and tuned there.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: `${sqlPlaces}|/test/` },
      to: { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-meet-through-api',
      comment: 'A feature imports only the api.ts of another feature.',
      severity: 'error',
      from: { path: '^apps/server/features/([^/]+/[^/]+)/', pathNot: '/test/' },
      to: { path: '^apps/server/features/', pathNot: ['^apps/server/features/$1/', '/api\\.ts$'] },
    },
    {
      name: 'features-are-entered-by-api',
      comment: 'So does everything else, apart from the files of the root, which bind routes and jobs.',
      severity: 'error',
      from: { path: '^apps/server/[^/]+/', pathNot: ['/test/', '^apps/server/features/'] },
      to: { path: '^apps/server/features/', pathNot: '/api\\.ts$' },
    },
    {
      name: 'server-does-not-import-tools-or-tests',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: '/test/' },
      to: { path: '^(tools|tests)/' },
    },
    {
      name: 'operator-is-no-request',
      comment: 'Transactions over all centers are for the shell: no code that serves requests can open one.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: ['/test/', '^apps/server/operator/'] },
      to: { path: '^apps/server/data/operator\\.ts$' },
    },
    {
      name: 'outbound-http-in-one-place',
      comment: 'Two files for the guard against requests to inner networks.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: ['^apps/server/lib/outbound-(http|fetch)\\.ts$', '/test/'] },
      to: { path: '((^|/)node_modules/undici/|^(node:)?https$)' },
    },
    {
      name: 'brokers-in-one-place',
      comment: 'The pool is behind the guard against connections to inner networks.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: ['^apps/server/lib/brokers/', '/test/'] },
      to: { path: '((^|/)node_modules/amqplib/|^apps/server/lib/brokers/(amqp|nats))' },
    },
    {
      name: 'no-cycles',
      comment: 'Type-only imports count: what two files need of each other belongs in a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // Modules of Astro that exist while it builds.
      to: { couldNotResolve: true, pathNot: '^astro:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '^tools/test/fixtures',
        '^examples/(next-agent|mcp-client|outside-engine)/',
        '^packages/[^/]+/dist/',
        '^apps/(console|docs)/(dist|next)/',
      ],
    },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
}
