/**
 * `npm run bench -- NAME [--seconds N] [--windows N] [--keep]`: a measurement next to its bare reference; the last line is JSON.
 * With `--short` it shows only that the program works.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { benchDeliver } from './deliver.ts'
import { benchDirectory } from './directory.ts'
import { benchEngines } from './engines.ts'
import { benchExecute } from './execute.ts'
import { benchFence } from './fence.ts'
import { benchFlat } from './flat.ts'
import { benchGateway } from './gateway.ts'
import { benchHook } from './hook.ts'
import { benchIdle } from './idle.ts'
import { benchIngest } from './ingest.ts'
import { keepResult } from './keep.ts'
import { benchLines } from './lines.ts'
import { benchList } from './list.ts'
import { benchLockedHead } from './locked-head.ts'
import { benchNeighbour } from './neighbour.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { benchOversight } from './oversight.ts'
import { benchPartitions } from './partitions.ts'
import { benchPasskey } from './passkey.ts'
import { benchProof } from './proof.ts'
import { benchPublish } from './publish.ts'
import { benchRequest } from './request.ts'
import { benchScale } from './scale.ts'
import { benchSeal } from './seal.ts'
import { benchSealBytes } from './seal-bytes.ts'
import { benchSealParts } from './seal-parts.ts'
import { benchSealStore } from './seal-store.ts'
import { benchSearch } from './search.ts'
import { benchSearchCenters } from './search-centers.ts'
import { short } from './sized.ts'
import { countSteal } from './steal.ts'
import { benchTwo } from './two.ts'
import { benchUpgrade } from './upgrade.ts'
import { benchVerify } from './verify.ts'
import { benchVerifyMemory } from './verify-memory.ts'
import { benchVersus } from './versus.ts'

const benches: Record<string, (options: BenchOptions) => Promise<BenchResult>> = {
  idle: benchIdle,
  ingest: benchIngest,
  lines: benchLines,
  list: benchList,
  scale: benchScale,
  seal: benchSeal,
  'seal-bytes': benchSealBytes,
  'seal-parts': benchSealParts,
  'seal-store': benchSealStore,
  request: benchRequest,
  oversight: benchOversight,
  search: benchSearch,
  'search-centers': benchSearchCenters,
  two: benchTwo,
  upgrade: benchUpgrade,
  verify: benchVerify,
  'verify-memory': benchVerifyMemory,
  flat: benchFlat,
  fence: benchFence,
  deliver: benchDeliver,
  publish: benchPublish,
  proof: benchProof,
  passkey: benchPasskey,
  execute: benchExecute,
  gateway: benchGateway,
  hook: benchHook,
  directory: benchDirectory,
  engines: benchEngines,
  neighbour: benchNeighbour,
  'locked-head': benchLockedHead,
  partitions: benchPartitions,
  versus: benchVersus,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: short ? '1' : '4' },
    windows: { type: 'string', default: short ? '1' : '5' },
    rows: { type: 'string', default: short ? '2000' : '1000000' },
    short: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    other: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const name = positionals[0] ?? ''
const bench = benches[name]
if (!bench) {
  process.stderr.write(`Name a bench: npm run bench -- ${Object.keys(benches).join(' | ')}\n`)
  process.exit(1)
}
const load = loadavg()[0]
const steal = countSteal()
const result = await bench({
  seconds: Number(values.seconds),
  windows: Number(values.windows),
  rows: Number(values.rows),
  profile: values.profile,
  other: values.other,
})
const found = { ...result, load, steal: steal(), at: new Date().toISOString() }
if (values.keep && !short) keepResult('bench', name, found)
process.stdout.write(`${JSON.stringify({ bench: name, ...found })}\n`)
process.exit(0)
