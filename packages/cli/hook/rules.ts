/** Which rule fits a call: first the person's own rules, then the default ones. */
import { existsSync, readFileSync } from 'node:fs'
import type { ToolCall } from './agent.ts'
import { matches } from './command-pattern.ts'
import { defaultRules } from './default-rules.ts'
import { type Moved, movedBy, moveFits } from './moves.ts'
import { agentPaths, ownRule } from './own-files.ts'
import { atHome, globOf, Paths, pathFits } from './paths.ts'
import { ruleFiles } from './places.ts'
import { type Rule, type RuleFile, unfit } from './rules-schema.ts'
import { readShell, type ShellFacts } from './shell.ts'
import { programOf } from './shell-lines.ts'
import { known, type Variables, type Word } from './shell-words.ts'

export class RuleFileError extends Error {}

const none: RuleFile = { rules: [] }

/** The file that exists; `RuleFileError` if it can't be used, or if there is more than one. */
export async function readRules(files = ruleFiles()): Promise<RuleFile> {
  const found = files.filter((file) => existsSync(file))
  const [file] = found
  if (file === undefined) return none
  if (found.length > 1) throw new RuleFileError(`${found.join(' and ')} both exist: keep one`)
  try {
    const text = readFileSync(file, 'utf8')
    const given: unknown = file.endsWith('.json') ? JSON.parse(text) : (await import('yaml')).parse(text)
    const at = unfit(given)
    if (at !== null) throw new Error(`${at} doesn't fit the schema`)
    return given as RuleFile
  } catch (error) {
    throw new RuleFileError(`${file}: ${(error as Error).message}`)
  }
}

export interface Judged {
  /** The rules that ask, with what fits them; empty if the call is of no interest. */
  readonly asks: readonly { readonly rule: string; readonly what: string }[]
  /** The highest of the rules that ask; undefined if one of them has none. */
  readonly risk: number | undefined
}

const mostLoose = 20
/** Each is compared with every pattern. */
const mostMoved = 5000

const ownReasons = { unresolved: 'unresolved', otherTools: 'other-tool', otherMcp: 'other-mcp-tool' } as const

export function judged(call: ToolCall, agent: string, file: RuleFile, env: Variables): Judged {
  const files = new Paths(call.cwd, env.HOME)
  const elsewhere: Rule = { name: 'own-settings', paths: agentPaths(call.cwd, env, files), risk: 1 }
  const usual = file.defaults === false ? [] : [...defaultRules, elsewhere]
  const rules = [ownRule(call.cwd, env, files), ...file.rules, ...usual].filter(
    ({ agents }) => !agents || agents.includes(agent),
  )
  const asks: { rule: string; what: string; risk: number | undefined }[] = []
  const note = (rule: Rule | undefined, what: string): boolean => {
    if (rule && rule.handling !== 'pass' && !asks.some((each) => each.rule === rule.name && each.what === what)) {
      asks.push({ rule: rule.name, what, risk: rule.risk })
    }
    return rule !== undefined
  }
  // Most words name no file of any rule: one expression for all patterns finds that out at once.
  const patterns = rules.flatMap(({ paths = [] }) => paths)
  const anyPath = new RegExp(patterns.map((each) => globOf(atHome(each, env.HOME)).source).join('|') || '^$', 'is')
  const other = (which: keyof typeof ownReasons, what: string) => {
    if (file[which] !== 'pass') note({ name: ownReasons[which], risk: 1 }, what)
  }
  const { effects, tool } = call
  const named = rules.find((rule) => rule.tools?.some((each) => fits(each, tool)))
  if (note(named, tool)) return summed(asks)
  if (effects.mcp) {
    const name = `${effects.mcp.server}/${effects.mcp.tool}`
    const rule = rules.find(({ mcp }) => mcp?.some((each) => fits(each, name)))
    if (!note(rule, name)) other('otherMcp', name)
  }
  if (effects.shell !== undefined) {
    const facts = readShell(effects.shell, call.cwd, env)
    for (const words of facts.commands) {
      for (const rule of rules) {
        const pattern = rule.commands?.find((each) => matches(each, words))
        if (pattern !== undefined && note(rule, pattern)) break
      }
    }
    noteLoose(facts.loose)
    for (const word of facts.words) notePath(word, files.ofWord(word))
    const moved = facts.moves.flatMap(movedBy)
    if (moved.length > mostMoved) other('unresolved', 'size')
    else for (const each of moved) noteMoved(each)
    for (const reason of facts.unresolved) other('unresolved', reason)
  }
  for (const path of effects.writes ?? []) notePath(known(path), files.ofTool(path))

  /** A command that begins somewhere among words must fit a pattern of two words or more: one alone may be any word. */
  function noteLoose(all: ShellFacts['loose']): void {
    const patterns = rules.flatMap((rule) =>
      (rule.commands ?? []).filter((each) => /^[^* ]+ /.test(each)).map((pattern) => ({ rule, pattern })),
    )
    const byProgram = new Map<string, { rule: Rule; pattern: string }[]>()
    for (const each of patterns) {
      const program = each.pattern.split(' ', 1)[0] as string
      byProgram.set(program, [...(byProgram.get(program) ?? []), each])
    }
    for (const words of all) {
      words.forEach(({ text }, at) => {
        const program = text === null ? '' : programOf(text)
        const found = byProgram.get(program)
        if (!found) return
        const command = [known(program), ...words.slice(at + 1, at + mostLoose)]
        const first = found.find(({ pattern }) => matches(pattern, command))
        if (first) note(first.rule, first.pattern)
      })
    }
  }

  function notePath(word: Word, paths: readonly string[] | null): void {
    if (paths === null) {
      other('unresolved', 'size')
      return
    }
    if (word.text !== null && !paths.some((each) => anyPath.test(each))) return
    for (const rule of rules) {
      const pattern = rule.paths?.find((each) => pathFits(each, word, paths, env.HOME))
      if (pattern !== undefined && note(rule, pattern)) return
    }
  }

  /** A rule that lets a file pass is for this file, and not for the folder that it's in. */
  function noteMoved(moved: Moved): void {
    const real = moved.word.text === null ? [] : [{ ...moved, word: known(files.real(moved.word.text)) }]
    for (const rule of rules) {
      const pattern = rule.paths?.find((pattern) =>
        rule.handling === 'pass'
          ? pathFits(pattern, moved.word, moved.word.text === null ? [] : [moved.word.text], env.HOME)
          : [moved, ...real].some((each) => moveFits(pattern, each, call.cwd, env.HOME)),
      )
      if (pattern !== undefined && note(rule, pattern)) return
    }
  }

  const isKnown = effects.shell !== undefined || effects.writes || effects.mcp || effects.isHarmless
  if (!isKnown) other('otherTools', tool)
  return summed(asks)
}

function summed(asks: readonly { rule: string; what: string; risk: number | undefined }[]): Judged {
  const risks = asks.map(({ risk }) => risk)
  return {
    asks: asks.map(({ rule, what }) => ({ rule, what })),
    risk: risks.includes(undefined) ? undefined : Math.max(...(risks as number[])),
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `*` stands for any characters, and everything else for itself. */
const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's').test(name)
