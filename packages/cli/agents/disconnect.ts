/** `agents disconnect`: the settings as they were, without our hooks, and without the key once nothing uses it. */
import { rmSync } from 'node:fs'
import { type Given, safe } from '../given.ts'
import { scopes } from '../hook/agent-files.ts'
import { readConnection } from '../hook/connection.ts'
import { connectionFile } from '../hook/places.ts'
import { coloured } from '../progress.ts'
import {
  agentsIn,
  type Change,
  confirmed,
  diffOf,
  isChanged,
  placeHere,
  planned,
  type Result,
  resultOf,
  scopeIn,
} from './changes.ts'
import { type AgentSettings, allSettings } from './settings.ts'
import { earlierText, openSettings, restoreSettings, type SettingsFile } from './settings-file.ts'

/** 0: disconnected, or nothing of ours was there. 1: nobody said yes. 2: at least one file can't be used. */
export async function disconnectAgents(given: Given): Promise<number> {
  const { say } = given
  const scope = scopeIn(given)
  const agents = agentsIn(given, () => allSettings)
  const changes = agents.flatMap((each): Change[] => {
    if (each.file(scope, placeHere()) === null) return []
    return [
      planned(each, scope, given, (opened) => {
        const { text } = opened
        return text === null || !each.isConnected(text) ? text : earlierText(opened, each.disconnected(text))
      }),
    ]
  })
  const open = changes.filter(isChanged)
  const failed = changes.filter(({ problem }) => problem !== null)
  const lines = open.flatMap((each) => diffOf(each))
  if (open.length > 0 && !(await confirmed(given, lines, say('askDisconnect')))) {
    given.print({ agents: changes.map((each) => resultOf(each, 'planned')) }, [say('nothingWritten')])
    return 1
  }
  const results = changes.map((each): Result => {
    if (each.problem !== null) return resultOf(each, 'failed')
    if (isChanged(each)) restoreSettings(each.opened as SettingsFile, each.next)
    return resultOf(each, isChanged(each) ? 'changed' : 'unchanged')
  })
  const keys = agents.flatMap((each) => forgottenKey(each, given))
  given.print({ scope, agents: results }, [
    ...(given.options.yes && !given.options.json ? lines : []),
    ...failed.map(({ problem }) => coloured('no', safe(problem))),
    ...results.flatMap(({ agent, status, file }) =>
      status === 'changed' ? [coloured('yes', say('agentDisconnected', { agent, file: file ?? '' }))] : [],
    ),
    ...(open.length === 0 && keys.length === 0 && failed.length === 0 ? [say('nothingConnected')] : keys),
  ])
  return failed.length === 0 ? 0 : 2
}

/** The key goes with the last hook that uses it. It stays valid until it's revoked, which only an ADMIN can do. */
function forgottenKey(settings: AgentSettings, { say }: Given): string[] {
  const { id, label } = settings.agent
  const place = placeHere()
  const isUsed = scopes.some((scope) => {
    try {
      const name = settings.file(scope, place)
      const text = name === null ? null : openSettings(name).text
      return text !== null && settings.isConnected(text)
    } catch {
      return true
    }
  })
  if (isUsed) return []
  let prefix = ''
  try {
    const connection = readConnection(id)
    if (!connection) return []
    prefix = connection.key.slice(0, 13)
  } catch {
    // A file that can't be read is removed too.
  }
  rmSync(connectionFile(id), { force: true })
  return [say('keyForgotten', { agent: label, prefix })]
}
