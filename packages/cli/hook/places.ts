/** Where the hook keeps what it needs. All of it belongs to the user, and nobody else can read it. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { profilesFile } from '../profiles.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Beside the profiles. */
export const hookFolder = (env: Env = process.env): string => join(dirname(profilesFile(env)), 'hook')

/** One connection for each agent. */
export const connectionFile = (agent: string, env: Env = process.env): string => join(hookFolder(env), `${agent}.json`)

/** The person's own rules, in one of these files; without any, the default rules apply. */
export const ruleFiles = (env: Env = process.env): readonly string[] =>
  ['rules.json', 'rules.yaml', 'rules.yml'].map((name) => join(hookFolder(env), name))

export const stateFolder = (env: Env = process.env): string =>
  join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'countersign', 'hook')
