/** `check`: whether the configuration works, without serving anybody. It connects to every server and to Countersign, and runs no tool. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Countersign } from '@countersign/sdk'
import { openCatalog } from './catalog.ts'
import type { Config } from './config.ts'
import { changeAction } from './pin-changes.ts'
import { type Accepted, type Change, changesSince, openPins, type Pins, pinned } from './pins.ts'
import { openUpstream, type Upstream } from './upstream.ts'

export interface Report {
  readonly lines: readonly string[]
  readonly problems: readonly string[]
}

/** Connects to every server, does the work, and disconnects. */
async function connected<T>(config: Config, work: (upstreams: readonly Upstream[]) => Promise<T>): Promise<T> {
  const needs = { limits: config.limits, onLists: () => {}, say: () => {} }
  const upstreams = config.upstreams.map((settings) => openUpstream(settings, needs))
  try {
    await Promise.all(upstreams.map((each) => each.tried))
    return await work(upstreams)
  } finally {
    await Promise.all(upstreams.map((each) => each.close()))
  }
}

/** Reads what was accepted, and takes what servers offer now as accepted where nothing was; writes nothing. */
function previewOf(config: Config): Pins {
  const isNew = !existsSync(join(config.state, 'pins.json'))
  const stored = isNew ? null : openPins(config.state)
  const offered = new Map<string, Accepted>()
  const accepted = (upstream: string): Accepted => {
    const known = stored?.accepted(upstream) ?? new Map()
    return known.size > 0 ? known : (offered.get(upstream) ?? known)
  }
  return {
    version: () => String(offered.size),
    accepted,
    compare(upstream, tools) {
      const now = pinned(tools)
      offered.set(upstream, now)
      return changesSince(upstream, accepted(upstream), now)
    },
    accept() {},
  }
}

export const checked = (config: Config): Promise<Report> =>
  connected(config, async (upstreams) => {
    const lines: string[] = []
    const problems: string[] = []
    const catalog = openCatalog(config, upstreams, previewOf(config))
    for (const upstream of upstreams) {
      const lists = upstream.lists()
      if (!lists) {
        problems.push(`${upstream.name} can't be reached: ${upstream.problem()}`)
        continue
      }
      const { tools, resources, prompts } = lists
      lines.push(`${upstream.name}: ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`)
      for (const { tool, before } of catalog.update(upstream.name, lists)) {
        problems.push(`${upstream.name} has ${before ? 'changed' : 'added'} the tool ${tool}, which isn't accepted`)
      }
    }
    if (!config.pins) lines.push(`changed tools: accepted by "countersign-gateway pins accept" only`)
    else lines.push(`changed tools: asked as ${changeAction}. Create a policy that requires a person for it`)
    for (const agent of config.agents) {
      const seen = [...catalog.tools(agent)]
      const passing = seen.filter(([, { rule }]) => rule.handling === 'pass').map(([name]) => name)
      lines.push(
        `${agent.id}: sees ${seen.length} tools${passing.length ? `; not recorded: ${passing.join(', ')}` : ''}`,
      )
      problems.push(...catalog.unnamed(agent).map((each) => `${agent.id} doesn't see ${each}`))
      const problem = await keyProblem(config.url, agent.key)
      if (problem) problems.push(`the key of ${agent.id}: ${problem}`)
    }
    return { lines, problems }
  })

async function keyProblem(baseUrl: string, apiKey: string): Promise<string | null> {
  try {
    await new Countersign({ baseUrl, apiKey, timeoutMs: 15_000 }).decisions.list({ limit: 1 })
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** `pins`: what servers have changed. With names, these are accepted as they are now. */
export const reviewed = (config: Config, accept: (change: Change) => boolean): Promise<Report> =>
  connected(config, async (upstreams) => {
    const pins = openPins(config.state)
    const lines: string[] = []
    const problems: string[] = []
    for (const upstream of upstreams) {
      const lists = upstream.lists()
      if (!lists) problems.push(`${upstream.name} can't be reached: ${upstream.problem()}`)
      for (const change of lists ? pins.compare(upstream.name, lists.tools) : []) {
        const { tool, before, after } = change
        const isAccepted = accept(change)
        if (isAccepted) pins.accept(change)
        lines.push(`${upstream.name} ${tool}: ${before ? 'changed' : 'new'}${isAccepted ? ', accepted' : ''}`)
        if (before) lines.push(`- ${JSON.stringify(before)}`)
        lines.push(`+ ${JSON.stringify(after)}`)
      }
    }
    if (lines.length === 0) lines.push('Every tool is as it was accepted.')
    return { lines, problems }
  })
