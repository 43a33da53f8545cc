/** Every command once: help, completion and the parsing of options follow from this table. */
import { login, logout, use, whoami } from './account.ts'
import { connectAgents } from './agents/connect.ts'
import { disconnectAgents } from './agents/disconnect.ts'
import { agentsDoctor } from './agents/doctor.ts'
import { auditOptions } from './audit.ts'
import type { OptionKinds } from './command-line.ts'
import { completion } from './completion.ts'
import { approve, listDecisions, showDecision, tailDecisions, waitForDecision } from './decisions.ts'
import { doctor } from './doctor.ts'
import type { Given } from './given.ts'
import { hookSummary } from './hook/summary.ts'
import { keys } from './keys.ts'
import { listen, trigger } from './listen.ts'
import { applyPolicies, diffPolicies, exportPolicies, testPolicies } from './policies.ts'
import { createSandbox, endSandbox, listSandboxes, refreshSandbox } from './sandboxes.ts'
import { checkSignature } from './signature.ts'
import { verifyOptions } from './verify.ts'
import { verifyExportOptions } from './verify-export.ts'

/** The options of the commands below, with the name of their value; null for none. */
export const optionValues = {
  'base-url': 'URL',
  'key-file': 'FILE',
  key: 'KEY',
  profile: 'NAME',
  status: 'STATUS',
  actor: 'ID',
  tag: 'TAG',
  limit: 'NUMBER',
  event: 'NAME',
  'limit-seconds': 'SECONDS',
  'wait-seconds': 'SECONDS',
  waiting: null,
  timeout: 'SECONDS',
  'forward-to': 'URL',
  events: 'LIST',
  secret: 'SECRET',
  headers: 'FILE',
  id: 'ID',
  timestamp: 'SECONDS',
  signature: 'TEXT',
  'any-age': null,
  out: 'FILE',
  revision: 'REVISION',
  wait: null,
  'save-as': 'NAME',
  scopes: 'LIST',
  agent: 'ID',
  scope: 'SCOPE',
  yes: null,
  trust: 'FILE',
  email: 'EMAIL',
  'password-file': 'FILE',
  center: 'DOMAIN',
  requires: 'LEVEL',
  observe: null,
  enforce: null,
} as const
export type OptionName = keyof typeof optionValues

export interface Command {
  readonly name: string
  /** Behind the name, in the usage. */
  readonly words: string
  readonly options: readonly OptionName[]
  readonly run: (given: Given) => Promise<number>
}

const signed = ['profile', 'base-url', 'key-file', 'key'] as const
const server = (name: string, words: string, run: Command['run'], ...options: readonly OptionName[]): Command => ({
  name,
  words,
  run,
  options: [...options, ...signed],
})

export const commands: readonly Command[] = [
  server('login', '', login),
  server('whoami', '', whoami),
  { name: 'use', words: '[PROFILE]', options: [], run: use },
  { name: 'logout', words: '', options: ['profile'], run: logout },
  { name: 'keys', words: '[NAME]', options: ['scopes', 'agent', 'profile', 'base-url'], run: keys },
  server('decisions list', '', listDecisions, 'waiting', 'status', 'actor', 'tag', 'limit'),
  server('decisions show', 'ID', showDecision),
  server('decisions wait', 'ID', waitForDecision, 'timeout'),
  server('decisions tail', '', tailDecisions, 'waiting', 'status', 'actor', 'tag', 'timeout'),
  server('approve', 'ID', approve),
  server('listen', '', listen, 'forward-to', 'events', 'timeout'),
  server('trigger', '[TYPE]', trigger, 'forward-to', 'secret'),
  {
    name: 'signature check',
    words: 'BODY',
    options: ['headers', 'id', 'timestamp', 'signature', 'secret', 'any-age', 'profile'],
    run: checkSignature,
  },
  server('policies export', '', exportPolicies, 'out'),
  server('policies diff', 'FILE', diffPolicies),
  server('policies test', 'FILE', testPolicies),
  server('policies apply', 'FILE', applyPolicies, 'revision', 'wait', 'timeout'),
  server('sandbox list', '', listSandboxes),
  server('sandbox create', 'NAME', createSandbox, 'save-as'),
  server('sandbox refresh', 'ID', refreshSandbox),
  server('sandbox end', 'ID', endSandbox),
  server(
    'agents connect',
    '[AGENT...]',
    connectAgents,
    ...([
      'scope',
      'yes',
      'trust',
      'email',
      'password-file',
      'center',
      'actor',
      'requires',
      'observe',
      'enforce',
    ] as const),
  ),
  { name: 'agents disconnect', words: '[AGENT...]', options: ['scope', 'yes'], run: disconnectAgents },
  { name: 'agents doctor', words: '[AGENT...]', options: [], run: agentsDoctor },
  server('doctor', '', doctor),
  {
    name: 'hook',
    words: 'AGENT|summary',
    options: ['event', 'limit-seconds', 'wait-seconds', 'observe'],
    run: hookSummary,
  },
  {
    name: 'completion',
    words: 'bash|zsh|fish',
    options: [],
    run: completion(() => completed()),
  },
]

/** Commands with a page of help of their own. */
const others: Readonly<Record<string, OptionKinds>> = {
  verify: verifyOptions,
  audit: auditOptions,
  'verify-export': verifyExportOptions,
}

const everywhere = ['json', 'lang', 'help']

export const completed = () => [
  ...Object.entries(others).map(([name, options]) => ({ name, options: [...Object.keys(options), ...everywhere] })),
  ...commands.map(({ name, options }) => ({ name, options: [...options, ...everywhere] })),
]

export const kindsOf = ({ options }: Command): OptionKinds =>
  Object.fromEntries(options.map((name) => [name, optionValues[name] === null ? 'boolean' : 'string']))
