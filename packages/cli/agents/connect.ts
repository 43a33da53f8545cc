/** `agents connect`: our hooks in the settings of coding agents, and a key for each of them. */
import { realpathSync } from 'node:fs'
import { UsageError } from '../command-line.ts'
import { type Given, safe } from '../given.ts'
import type { Scope } from '../hook/agent-files.ts'
import { type Connection, writeConnection } from '../hook/connection.ts'
import { connectionFile } from '../hook/places.ts'
import { coloured } from '../progress.ts'
import {
  agentsIn,
  confirmed,
  diffOf,
  isChanged,
  placeHere,
  planned,
  type Result,
  resultOf,
  scopeIn,
} from './changes.ts'
import { planConnections } from './connections.ts'
import { foundHere } from './find.ts'
import { allSettings } from './settings.ts'
import { writeSettings } from './settings-file.ts'

/** What starts this program, as the agents' settings name it. A project's settings are for other machines too. */
function programWords(scope: Scope, { say, command }: Given): readonly string[] {
  if (scope === 'project') return ['countersign']
  const program = realpathSync(process.argv[1] as string)
  if (/[\\/]_npx[\\/]/.test(program)) throw new UsageError(say('agentsNotInNpx'), command)
  return [process.execPath, program]
}

/** 0: connected, or nothing to change. 1: nothing was written, because nobody said yes. 2: at least one agent can't be connected. */
export async function connectAgents(given: Given): Promise<number> {
  const { say } = given
  if (process.platform === 'win32') throw new UsageError(say('notOnWindows'), given.command)
  const scope = scopeIn(given)
  const program = programWords(scope, given)
  const agents = agentsIn(given, () => foundHere(placeHere()))
  if (agents.length === 0) {
    given.print({ agents: [] }, [say('noAgents')])
    return 2
  }
  const changes = agents.map((each) => planned(each, scope, given, ({ text }) => each.connected(text, program)))
  const usable = changes.filter(({ opened }) => opened !== null)
  // Settings for everybody on a machine have no key: each person connects with their own.
  const plan =
    scope === 'managed'
      ? null
      : await planConnections(
          given,
          usable.map(({ settings }) => settings.agent),
        )
  const open = usable.filter((each) => isChanged(each) || plan?.actors.has(each.settings.agent.id))
  const lines = [
    ...changes.flatMap(({ problem }) => (problem === null ? [] : [coloured('no', safe(problem))])),
    ...open.filter(isChanged).flatMap((each) => diffOf(each)),
    ...[...(plan?.actors ?? [])].map(([id, actor]) =>
      say('willStoreKey', { actor, url: plan?.url ?? '', file: connectionFile(id) }),
    ),
  ]
  const failed = changes.filter(({ problem }) => problem !== null)
  if (open.length > 0 && !(await confirmed(given, lines, say('askConnect')))) {
    given.print({ agents: changes.map((each) => resultOf(each, each.problem === null ? 'planned' : 'failed')) }, [
      say('nothingWritten'),
    ])
    return 1
  }
  const connections = (await plan?.make()) ?? new Map<string, Connection>()
  const results = changes.map((each): Result => {
    const { id } = each.settings.agent
    if (each.problem !== null || !each.opened || each.next === null) return resultOf(each, 'failed')
    const connection = connections.get(id)
    if (!connection && !isChanged(each)) return resultOf(each, 'unchanged')
    // First what the hook connects to: a hook without it holds every call.
    if (connection) writeConnection(id, connection)
    const backup = isChanged(each) ? writeSettings(each.opened, each.next) : null
    return resultOf(each, 'changed', { backup, connection: connection ? connectionFile(id) : null })
  })
  given.print({ scope, agents: results }, [
    ...(given.options.yes && !given.options.json ? lines : failed.map(({ problem }) => coloured('no', safe(problem)))),
    ...results.flatMap((each) => doneLines(each, given)),
    ...(results.some(({ status }) => status === 'changed')
      ? [say('connectNext'), ...nextSteps(results, scope, given)]
      : []),
  ])
  return failed.length === 0 ? 0 : 2
}

function doneLines({ agent, file, status, backup, connection }: Result, { say }: Given): string[] {
  const label = allSettings.find((each) => each.agent.id === agent)?.agent.label ?? agent
  if (status === 'failed') return []
  if (status === 'unchanged') return [say('agentUnchanged', { agent: label })]
  return [
    coloured('yes', say('agentConnected', { agent: label, file: file ?? '' })),
    ...(backup ? [say('agentBackup', { file: backup })] : []),
    ...(connection ? [say('savedIn', { file: connection })] : []),
  ]
}

/** What an agent still needs before it runs the hook. */
function nextSteps(results: readonly Result[], scope: Scope, { say }: Given): string[] {
  const has = (id: string) => results.some(({ agent, status }) => agent === id && status === 'changed')
  return [
    ...(has('codex') && scope !== 'managed' ? [say('nextCodex')] : []),
    ...(scope === 'project' && (has('copilot') || has('gemini')) ? [say('nextTrust')] : []),
    ...(scope === 'project' ? [say('nextProject')] : []),
    ...(scope === 'managed' ? [say('nextManaged')] : []),
  ]
}
