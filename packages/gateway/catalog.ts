/** What an agent sees: the accepted tools of its servers under the names of the gateway, their resources and prompts. */
import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client'
import { type Agent, type Config, ownPrefix, type Rule } from './config.ts'
import { type Change, digestOf, type Pin, type Pins } from './pins.ts'
import type { Lists, Upstream } from './upstream.ts'

export interface Offered {
  readonly upstream: Upstream
  /** As the server has it. */
  readonly tool: Tool
  /** As agents see it. */
  readonly shown: Tool
  /** Of the text that agents see. */
  readonly digest: string
  readonly rule: Rule
  readonly action: string
}

export interface Catalog {
  /** Compares what a server offers now with what was accepted. */
  update(upstream: string, lists: Lists): readonly Change[]
  /** What differs from what was accepted and waits for a person. */
  changes(): readonly Change[]
  /** The tool as it was accepted, if the server doesn't offer another one by now. */
  standing(upstream: string, tool: string): Pin | null
  /** By the names that agents use. */
  tools(agent: Agent): ReadonlyMap<string, Offered>
  /** Tools that this agent can't be shown, and why. */
  unnamed(agent: Agent): readonly string[]
  resources(agent: Agent): readonly Resource[]
  templates(agent: Agent): readonly ResourceTemplateType[]
  prompts(agent: Agent): ReadonlyMap<string, { readonly upstream: Upstream; readonly prompt: Prompt }>
  /** The server that a resource is read from: the first that lists it, or else the first whose template fits. */
  sourceOf(agent: Agent, uri: string): Upstream | null
}

/** Those of the protocol. A name is shown to people, so it has no character that changes how the others look. */
const nameForm = /^[\w./-]{1,128}$/

export function openCatalog(config: Config, upstreams: readonly Upstream[], pins: Pins): Catalog {
  const changed = new Map<string, readonly Change[]>()
  /** The digests of what a server offers now, by the names of its tools. */
  const offered = new Map<string, ReadonlyMap<string, string>>()
  const seen = new Map<string, { readonly version: string; readonly names: Names }>()
  let updates = 0
  const of = ({ upstreams: names }: Agent) => upstreams.filter(({ name }) => names.includes(name))

  function isStanding(upstream: string, name: string, digest: string): boolean {
    const now = offered.get(upstream)
    // Before the server was reached, what was accepted is shown; a call then waits for the server.
    return !now || now.get(name) === digest
  }

  interface Names {
    readonly tools: ReadonlyMap<string, Offered>
    readonly unnamed: readonly string[]
  }

  function namesOf(agent: Agent): Names {
    const tools = new Map<string, Offered>()
    const owners = new Map<string, string>()
    const unnamed: string[] = []
    for (const upstream of of(agent)) {
      for (const [name, { tool, digest }] of pins.accepted(upstream.name)) {
        const shown = `${upstream.prefix}${name}`
        const owner = owners.get(shown)
        // A name stays with the server that is listed first, also while its tool is hidden: another tool must not take its place.
        if (owner) unnamed.push(`${name} of ${upstream.name}: ${owner} has a tool of the same name`)
        else if (!nameForm.test(shown))
          unnamed.push(`${JSON.stringify(name)} of ${upstream.name}: its name isn't allowed`)
        if (owner || !nameForm.test(shown)) continue
        owners.set(shown, upstream.name)
        const rule = config.ruleOf(shown)
        if (rule.handling === 'hide' || !agent.sees(shown) || shown.startsWith(ownPrefix)) continue
        if (!isStanding(upstream.name, name, digest)) continue
        const action = rule.action ?? `${upstream.name}.${name}`
        tools.set(shown, { upstream, tool, shown: shownAs(shown, tool), digest, rule, action })
      }
    }
    return { tools, unnamed }
  }

  /** Made again only after a change: every call asks for it. */
  function namesNow(agent: Agent): Names {
    const version = `${updates} ${pins.version()}`
    let known = seen.get(agent.id)
    if (known?.version !== version) {
      known = { version, names: namesOf(agent) }
      seen.set(agent.id, known)
    }
    return known.names
  }

  return {
    tools: (agent) => namesNow(agent).tools,
    unnamed: (agent) => namesNow(agent).unnamed,
    update(name, lists) {
      const changes = pins.compare(name, lists.tools)
      changed.set(name, changes)
      offered.set(name, new Map(lists.tools.map((tool) => [tool.name, digestOf(tool)])))
      updates++
      return changes
    },
    changes: () =>
      [...changed.values()]
        .flat()
        .filter((each) => pins.accepted(each.upstream).get(each.tool)?.digest !== each.digest),
    standing(upstream, name) {
      const pin = pins.accepted(upstream).get(name)
      return pin && isStanding(upstream, name, pin.digest) ? pin : null
    },
    resources: (agent) =>
      unique(
        of(agent).flatMap((each) => each.lists()?.resources ?? []),
        ({ uri }) => uri,
      ),
    templates: (agent) =>
      unique(
        of(agent).flatMap((each) => each.lists()?.templates ?? []),
        ({ uriTemplate }) => uriTemplate,
      ),
    prompts: (agent) =>
      new Map(
        of(agent)
          .toReversed()
          .flatMap((upstream) =>
            (upstream.lists()?.prompts ?? []).map((prompt) => [
              `${upstream.prefix}${prompt.name}`,
              { upstream, prompt },
            ]),
          ),
      ),
    sourceOf(agent, uri) {
      const all = of(agent)
      const lists = (upstream: Upstream) => upstream.lists()?.resources.some((each) => each.uri === uri)
      const matches = (upstream: Upstream) => upstream.lists()?.templates.some((each) => fitsTemplate(each, uri))
      return all.find(lists) ?? all.find(matches) ?? null
    },
  }
}

/** Of the arguments, only the body counts here: a client need not repeat any in a header, and nobody has to compare the two. */
const shownAs = (name: string, tool: Tool): Tool => ({
  ...tool,
  name,
  inputSchema: withoutHeaders(tool.inputSchema) as Tool['inputSchema'],
})

const values = ['const', 'default', 'enum', 'examples']
function withoutHeaders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutHeaders)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key, value]) => key !== 'x-mcp-header' || typeof value !== 'string')
  return Object.fromEntries(members.map(([key, value]) => [key, values.includes(key) ? value : withoutHeaders(value)]))
}

/** By what stands before the first variable and after the last one: a pattern of a server could take for ever. */
export function fitsTemplate({ uriTemplate }: Pick<ResourceTemplateType, 'uriTemplate'>, uri: string): boolean {
  const [first, last] = [uriTemplate.indexOf('{'), uriTemplate.lastIndexOf('}')]
  if (first < 0 || last < first) return uriTemplate === uri
  const [before, after] = [uriTemplate.slice(0, first), uriTemplate.slice(last + 1)]
  return uri.length >= before.length + after.length && uri.startsWith(before) && uri.endsWith(after)
}

function unique<T>(all: readonly T[], key: (each: T) => string): readonly T[] {
  return [...new Map(all.toReversed().map((each) => [key(each), each])).values()].toReversed()
}
