/**
 * `npm run demo:agent [-- --approve]`: an agent wants to refund 820,000 won. The call waits for a person, runs once, and leaves a
 * proof that is verified offline. A script takes the place of the model, so no key of a provider is needed.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { Countersign, type Decision } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'
import { readConfig } from '@countersign/server/config/config.ts'
import { seedDemo } from '../demo-data.ts'
import { devFolder, settings } from '../settings.ts'
import { type Approver, approverWithPasskey } from './approver.ts'
import { refundPolicy } from './refund-policy.ts'
import { runningServer } from './server.ts'

const byProgram = process.argv.includes('--approve')
const say = (label: string, ...lines: string[]): void =>
  void process.stdout.write(lines.map((line, at) => `${(at === 0 ? label : '').padEnd(11)}${line}\n`).join(''))

interface Refund {
  readonly order: string
  readonly won: number
}

/** What the model answers, call by call. */
const script: readonly { readonly callId: string; readonly input: Refund; readonly note: string }[] = [
  { callId: 'call-1', input: { order: '1040', won: 82_000 }, note: 'below the limit' },
  { callId: 'call-2', input: { order: '1041', won: 820_000 }, note: 'above the limit' },
  { callId: 'call-2', input: { order: '1041', won: 8_200_000 }, note: 'the approved call with another amount' },
  { callId: 'call-2', input: { order: '1041', won: 820_000 }, note: 'the approved call again' },
]

const server = await runningServer((line) => say('Server', line))
try {
  await demonstrate(server.url)
} finally {
  await server.stop()
}

async function demonstrate(url: string): Promise<void> {
  const { accounts, apiKeys } = await seedDemo(readConfig(settings()))
  const { admin, instructor } = accounts as Record<'admin' | 'instructor', (typeof accounts)[string]>
  say('Policy', await refundPolicy(url, admin))

  const client = new Countersign({ baseUrl: url, apiKey: apiKeys.agent })
  const trusted = (await client.logs.get()).policy
  let paid = 0
  const refund = guard<Refund, string>(
    {
      action: 'money.refund',
      describe: ({ order, won }) => `Refund ${won.toLocaleString('en')} won for order ${order}`,
      riskScore: ({ won }) => Math.min(1, won / 1_000_000),
      run: ({ won }) => {
        paid += won
        return `${won.toLocaleString('en')} won refunded`
      },
    },
    {
      client,
      trust: trusted,
      center: admin.centerId as number,
      agent: { id: 'refund-agent', name: 'Refund agent' },
      withinMs: 15 * 60_000,
      onWaiting: (decision) => void askPerson(decision).catch(stop),
    },
  )

  let approver: Approver | undefined
  async function askPerson({ id, waiting }: Decision): Promise<void> {
    const page = waiting?.approvalUrl ?? ''
    say('Waiting', `A person decides at ${page}`)
    if (!byProgram) {
      return say('', `Sign in as ${instructor.email} with the password ${instructor.password}.`)
    }
    approver ??= await approverWithPasskey(url, new URL(page).origin, { person: instructor, admin })
    say('', 'The instructor has registered a passkey, which the administrator has confirmed.')
    await approver.approve(id, 'The carrier confirmed the loss.')
    say('Approved', 'with the passkey: "The carrier confirmed the loss."')
  }

  const run = Date.now().toString(36)
  const events = new Map<string, string>()
  for (const { callId, input, note } of script) {
    say('Model', `${callId} money.refund ${JSON.stringify(input)}: ${note}`)
    try {
      say('Ran', await refund(input, { callId: `${run}/${callId}` }))
    } catch (error) {
      if (!(error instanceof GuardError)) throw error
      say('Not run', `${error.reason}: ${error.message}`)
      if (error.eventId) events.set(callId, error.eventId)
    }
  }
  say('Paid', `${paid.toLocaleString('en')} won in total`)
  await approver?.leave()
  await proof(client, events.get('call-2') ?? '', trusted)
}

async function proof(client: Countersign, eventId: string, trusted: string): Promise<void> {
  const folder = `${devFolder}demo-agent/`
  await mkdir(folder, { recursive: true })
  const { text } = await client.evidence.export(eventId.replace(/^evt_/, 'evd_')).withResponse()
  await writeFile(`${folder}proof.json`, text)
  await writeFile(`${folder}countersign.policy`, trusted)
  const root = new URL('../../', import.meta.url).pathname
  const [file, policy] = ['proof.json', 'countersign.policy'].map((name) => relative(root, `${folder}${name}`))
  const cli = ['packages/cli/main.ts', 'verify', `${file}`, '--trust', `${policy}`]
  say('Proof', `npm run countersign -- ${cli.slice(1).join(' ')}`)
  process.stdout.write(`\n${execFileSync(process.execPath, cli, { cwd: root, encoding: 'utf8' })}`)
}

function stop(error: Error): never {
  process.stderr.write(`The program couldn't approve: ${error.message}\n`)
  process.exit(1)
}
