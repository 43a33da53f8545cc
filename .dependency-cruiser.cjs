/** The rules of the house as import rules. `scripts/check.ts` proves on a planted violation that they are enforced. */
/** SQL lives in these places and nowhere else. */
const sqlPlaces = 'queries\\.ts$|^server/(data|audit|chain)/'

module.exports = {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'Strangers depend on the contract: it imports typebox and itself.',
      severity: 'error',
      from: { path: '^contract/', pathNot: '^contract/test/' },
      to: { pathNot: '^(contract/|node_modules/typebox/)' },
    },
    {
      name: 'proof-stands-alone',
      comment: 'The same proof code runs in servers, browsers and on paper: it imports nothing of ours and of Node.',
      severity: 'error',
      from: { path: '^proof/', pathNot: ['^proof/test/', '^proof/(sha256|ed25519)\\.node\\.ts$'] },
      to: { pathNot: '^(proof/|node_modules/@noble/(hashes|ed25519)/)' },
    },
    {
      name: 'proof-uses-node-for-cryptography-only',
      severity: 'error',
      from: { path: '^proof/(sha256|ed25519)\\.node\\.ts$' },
      to: { pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'strangers-tools-stand-on-proof',
      comment: 'Whoever does not trust us runs these: they are made of proof/ and nothing that belongs to the server.',
      severity: 'error',
      from: { path: '^(cli|verifier|witness)/', pathNot: '/test/' },
      to: { path: '^(contract|server|scripts|tests)/' },
    },
    {
      name: 'page-is-made-of-proof',
      comment: 'What runs in a stranger’s browser is the code of proofs and what shows its verdicts.',
      severity: 'error',
      from: { path: '^verifier/', pathNot: ['^verifier/test/', '^verifier/build\\.ts$'] },
      to: { pathNot: '^(verifier|proof)/' },
    },
    {
      name: 'sql-in-queries-only',
      comment: 'One place to look, one place to tune: SQL in queries.ts, data/, audit/ and chain/.',
      severity: 'error',
      from: { path: '^server/', pathNot: `${sqlPlaces}|/test/` },
      to: { path: '^node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-meet-at-doors',
      comment: 'A feature is reached by its door, not through its files.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: '/test/' },
      to: {
        path: '^server/features/([^/]+)/',
        pathNot: ['^server/features/$1/', '/(publish|record|identifier|membership)\\.ts$'],
      },
    },
    {
      name: 'server-does-not-import-scripts-or-tests',
      severity: 'error',
      from: { path: '^server/', pathNot: '/test/' },
      to: { path: '^(scripts|tests)/' },
    },
    {
      name: 'operator-is-no-request',
      comment: 'Transactions over all centers are for the shell: no code that serves requests can open one.',
      severity: 'error',
      from: { path: '^server/', pathNot: '/test/' },
      to: { path: '^server/data/operator\\.ts$' },
    },
    {
      name: 'outbound-http-in-one-place',
      comment: 'One place for the guard against requests to inner networks.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/lib/outbound-http\\.ts$', '/test/'] },
      to: { path: '((^|/)node_modules/undici/|^(node:)?https$)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^tests/fixtures' },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}
