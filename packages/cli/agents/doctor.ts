/** `agents doctor`: for each agent, whether its hook is there, is loaded and answers, and what the hook is never asked about. */
import { ServiceError } from '../client.ts'
import type { Given } from '../given.ts'
import { type Scope, scopes } from '../hook/agent-files.ts'
import { type Connection, readConnection } from '../hook/connection.ts'
import type { HookWord } from '../hook/words.ts'
import { hookWords } from '../hook/words.ts'
import { coloured, marks, type Status } from '../progress.ts'
import type { Word } from '../words.ts'
import { agentsIn, placeHere } from './changes.ts'
import { codexHooks } from './codex-trust.ts'
import { foundHere, type Installed, installedOf } from './find.ts'
import { checkedKey } from './key.ts'
import { obstacles } from './loading.ts'
import type { AgentSettings } from './settings.ts'
import { openSettings } from './settings-file.ts'
import { tryHook } from './trial.ts'

interface Finding {
  readonly about: string
  readonly status: Status
  readonly message: string
}

type Add = (about: string, status: Status, word: Word, facts?: Readonly<Record<string, string | number>>) => void

interface Report {
  readonly agent: string
  readonly installed: string | null
  readonly tried: readonly string[]
  readonly scopes: readonly Scope[]
  readonly findings: readonly Finding[]
  /** What the hook is never asked about. */
  readonly notSeen: readonly { readonly kind: string; readonly message: string }[]
}

interface Connected {
  readonly scope: Scope
  readonly file: string
  readonly text: string
}

function connectedIn(settings: AgentSettings, add: Add): Connected[] {
  const place = placeHere()
  const seen = new Set<string>()
  return scopes.flatMap((scope): Connected[] => {
    const file = settings.file(scope, place)
    // In the person's home folder, the settings of the project are their own.
    if (file === null || seen.has(file)) return []
    seen.add(file)
    try {
      const { text } = openSettings(file)
      return text !== null && settings.isConnected(text) ? [{ scope, file, text }] : []
    } catch (error) {
      add('settings', 'no', 'settingsUnusable', { file, why: (error as Error).message })
      return []
    }
  })
}

async function connection(given: Given, { agent }: AgentSettings, add: Add): Promise<Connection | null> {
  try {
    const found = readConnection(agent.id)
    if (!found) {
      add('connection', 'no', 'noConnection')
      return null
    }
    const { actor } = await checkedKey(given, found.url, found.key)
    if (actor.id === found.actor.id) add('key', 'yes', 'agentKeyFine', { actor: actor.id, url: found.url })
    else add('key', 'no', 'agentKeyOther', { actor: actor.id, expected: found.actor.id })
    if (found.observe) add('observe', 'unknown', 'agentObserves')
    return found
  } catch (error) {
    const { message, status } = error as ServiceError
    add(
      'connection',
      'no',
      error instanceof ServiceError && status === null ? 'agentServerAway' : 'agentConnectionBad',
      {
        why: message,
      },
    )
    return null
  }
}

function version({ settings: { agent }, version: found }: Installed, accepts: readonly string[], add: Add): void {
  const tried = agent.tried.join(', ')
  const isKnown = [...agent.tried, ...accepts].some((each) =>
    each.endsWith('.*') ? found?.startsWith(each.slice(0, -1)) : found === each,
  )
  if (found === null) add('version', 'unknown', 'versionUnknown', { tried })
  else if (isKnown) add('version', 'yes', 'versionTried', { version: found, tried })
  else add('version', 'no', 'versionOther', { version: found, tried })
}

async function codexTrust({ program, settings }: Installed, add: Add): Promise<void> {
  const hooks = program === null ? null : await codexHooks(program, process.cwd())
  if (hooks === null) return add('trust', 'unknown', 'codexSilent')
  const ours = hooks.filter(({ command }) => command !== null && settings.isConnected(command))
  const isRun = ({ enabled, isManaged, trustStatus }: (typeof ours)[number]) =>
    enabled && (isManaged || trustStatus === 'trusted' || trustStatus === 'managed')
  if (ours.length === 0) add('trust', 'no', 'codexUnloaded')
  else if (ours.every(isRun)) add('trust', 'yes', 'codexTrusts')
  else add('trust', 'no', 'codexUntrusted', { state: ours.find((each) => !isRun(each))?.trustStatus ?? '' })
}

async function trial(settings: AgentSettings, text: string, found: string, add: Add): Promise<void> {
  const { harmless, nonsense } = await tryHook(settings, text, found)
  if (harmless.isHeld) add('trial', 'no', 'trialHeld', { why: harmless.reason })
  else add('trial', 'yes', 'trialPassed', { milliseconds: harmless.milliseconds })
  add('fails-closed', nonsense.isHeld ? 'yes' : 'no', nonsense.isHeld ? 'trialCloses' : 'trialOpen')
}

async function reportOf(given: Given, settings: AgentSettings, isNamed: boolean): Promise<Report> {
  const { agent } = settings
  const findings: Finding[] = []
  const add: Add = (about, status, word, facts = {}) =>
    findings.push({ about, status, message: given.say(word, { agent: agent.label, ...facts }) })
  const installed = installedOf(settings, placeHere())
  const places = connectedIn(settings, add)
  const notSeen: Report['notSeen'][number][] = []
  if (installed.program === null) add('installed', 'unknown', 'agentNotInPath', { program: settings.program })
  if (places.length === 0) {
    if (findings.every(({ about }) => about !== 'settings'))
      add('settings', isNamed ? 'no' : 'unknown', 'agentNotConnected')
  } else {
    const words = hookWords(given.spoken.language)
    notSeen.push(...agent.notSeen.map((kind) => ({ kind, message: words(`notSeen ${kind}` as HookWord) })))
    for (const { scope, file } of places) add('settings', 'yes', 'agentConnectedIn', { scope, file })
    const found = await connection(given, settings, add)
    version(installed, found?.accepts ?? [], add)
    for (const { word, facts } of obstacles(
      settings,
      places.map(({ scope }) => scope),
      placeHere(),
    ))
      add('loaded', 'no', word, facts)
    if (agent.id === 'codex') await codexTrust(installed, add)
    for (const { text } of places) await trial(settings, text, installed.version ?? (agent.tried[0] as string), add)
  }
  return {
    ...{ agent: agent.id, installed: installed.version, tried: agent.tried },
    ...{ scopes: places.map(({ scope }) => scope), findings, notSeen },
  }
}

/** 0: every hook that is connected answers. 1: something is wrong, or a named agent isn't connected. */
export async function agentsDoctor(given: Given): Promise<number> {
  const isNamed = given.words.length > 0
  const reports: Report[] = []
  for (const each of agentsIn(given, () => foundHere(placeHere()))) reports.push(await reportOf(given, each, isNamed))
  const isFine = reports.every(({ findings }) => findings.every(({ status }) => status !== 'no'))
  const label = (id: string) => reports.length > 0 && agentsIn({ ...given, words: [id] }, () => [])[0]?.agent.label
  given.print(
    { ok: isFine, agents: reports },
    reports.length === 0
      ? [given.say('noAgents')]
      : reports.flatMap(({ agent, findings, notSeen }) => [
          `${label(agent)}`,
          ...findings.map(({ status, message }) => coloured(status, `  ${marks[status]} ${message}`)),
          ...(notSeen.length === 0
            ? []
            : [`  ${given.say('notSeenHead')}`, ...notSeen.map(({ message }) => `    - ${message}`)]),
        ]),
  )
  return isFine ? 0 : 1
}
