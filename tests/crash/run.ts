/**
 * `npm run chaos -- NAME [--seed N] [--rounds N] [--events N] [--minutes N] [--keep]`: tries to break an invariant, many times; prints
 * JSON at the end. With `--short` it tries as little as it can, which shows that the program works.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { keepResult } from '../bench/keep.ts'
import { short, sized } from '../bench/sized.ts'
import { chaosAgents } from './agents.ts'
import { chaosAlerts } from './alerts.ts'
import { chaosChainRanges } from './chain-ranges.ts'
import { chaosConsume } from './consume.ts'
import { chaosDeliver } from './deliver.ts'
import { chaosDestinations } from './destinations.ts'
import { chaosExecutions, chaosWorkflows } from './execute.ts'
import { chaosExport } from './export.ts'
import { chaosFailover } from './failover.ts'
import { chaosFreezes } from './freezes.ts'
import { chaosFuzz } from './fuzz.ts'
import { chaosGateway } from './gateway.ts'
import { chaosKills } from './kills.ts'
import { allModels, chaosLineOrders } from './line-orders.ts'
import { chaosLines } from './lines.ts'
import { chaosListen } from './listen.ts'
import { chaosLoosens } from './loosens.ts'
import { chaosMessages } from './messages.ts'
import { chaosNoisyNeighbor } from './noisy-neighbor.ts'
import { type ChaosOptions, type ChaosResult, sizes } from './options.ts'
import { chaosProvisioning } from './provisioning.ts'
import { chaosPythonExports, chaosPythonTests } from './python.ts'
import {
  chaosApprovals,
  chaosBookings,
  chaosCenterRaces,
  chaosGovernanceRaces,
  chaosPlatformRaces,
  chaosRaces,
} from './races.ts'
import { chaosRestore } from './restore.ts'
import { chaosRewrite } from './rewrite.ts'
import { chaosRolling } from './rolling.ts'
import { chaosSeal } from './seal.ts'
import { chaosSealPostgres } from './seal-postgres.ts'

const chaos: Record<string, { run(options: ChaosOptions): Promise<ChaosResult>; rounds: number }> = {
  fuzz: { run: chaosFuzz, rounds: 20_000 },
  'line-orders': { run: chaosLineOrders, rounds: allModels },
  lines: { run: chaosLines, rounds: 5000 },
  loosens: { run: chaosLoosens, rounds: 100_000 },
  races: { run: chaosRaces, rounds: 100 },
  'platform-races': { run: chaosPlatformRaces, rounds: 100 },
  'center-races': { run: chaosCenterRaces, rounds: 100 },
  bookings: { run: chaosBookings, rounds: 100 },
  provisioning: { run: chaosProvisioning, rounds: 20 },
  'governance-races': { run: chaosGovernanceRaces, rounds: 100 },
  approvals: { run: chaosApprovals, rounds: 100 },
  // Fifty consumptions and one stop in each of twenty rounds; then twenty more, with a server that is killed.
  freezes: { run: chaosFreezes, rounds: 20 },
  consume: { run: chaosConsume, rounds: 100 },
  gateway: { run: chaosGateway, rounds: 500 },
  'chain-ranges': { run: chaosChainRanges, rounds: 10_000 },
  seal: { run: chaosSeal, rounds: 50 },
  'seal-postgres': { run: chaosSealPostgres, rounds: 20 },
  export: { run: chaosExport, rounds: 6 },
  failover: { run: chaosFailover, rounds: 100 },
  restore: { run: chaosRestore, rounds: 50 },
  kills: { run: chaosKills, rounds: 1000 },
  rolling: { run: chaosRolling, rounds: 50 },
  deliver: { run: chaosDeliver, rounds: 50 },
  destinations: { run: chaosDestinations, rounds: 20 },
  listen: { run: chaosListen, rounds: 10 },
  // As many causes; --crashes kills the workers as often.
  messages: { run: chaosMessages, rounds: 10_000 },
  workflows: { run: chaosWorkflows, rounds: 50 },
  executions: { run: chaosExecutions, rounds: 1 },
  agents: { run: chaosAgents, rounds: 3 },
  alerts: { run: chaosAlerts, rounds: 10 },
  'python-exports': { run: chaosPythonExports, rounds: 5000 },
  'python-guard': { run: chaosPythonTests('failures', 'guard', 'waiting'), rounds: 1 },
  'python-journey': { run: chaosPythonTests('journey'), rounds: 1 },
  'python-package': { run: chaosPythonTests('package'), rounds: 1 },
  rewrite: { run: chaosRewrite, rounds: 1 },
  'noisy-neighbor': { run: chaosNoisyNeighbor, rounds: 1 },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    events: { type: 'string' },
    endpoints: { type: 'string' },
    crashes: { type: 'string' },
    minutes: { type: 'string' },
    keep: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
})
const name = positionals[0] ?? ''
const chosen = chaos[name]
if (!chosen) {
  process.stderr.write(`Name a chaos test: npm run chaos -- ${Object.keys(chaos).join(' | ')}\n`)
  process.exit(1)
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const rounds =
  values.rounds === undefined ? sized(chosen.rounds, Math.ceil(chosen.rounds / 1000)) : Number(values.rounds)
const smallest = short ? { events: 100, endpoints: 5, crashes: 1 } : {}
const given = sizes.flatMap((size) => (values[size] === undefined ? [] : [[size, Number(values[size])]]))
const more = { ...smallest, ...Object.fromEntries(given) }
if (![seed, rounds, ...Object.values(more)].every(Number.isSafeInteger) || rounds < 1) {
  process.stderr.write('--seed, --rounds and sizes must be whole numbers\n')
  process.exit(1)
}
const load = loadavg()[0]
process.stderr.write(`seed ${seed}\n`)
const result = await chosen.run({ seed, rounds, more })
const found = { ...result, seed, load, at: new Date().toISOString() }
if (values.keep && !short) keepResult('chaos', name, found)
process.stdout.write(`${JSON.stringify({ chaos: name, ...found })}\n`)
process.exit(result.violations === 0 ? 0 : 1)
