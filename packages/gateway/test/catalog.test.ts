/** Names: which tool an agent reaches under which name, and what servers can't do with names and patterns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fitsTemplate, openCatalog } from '../catalog.ts'
import type { Agent, Config } from '../config.ts'
import { hiding } from '../credentials.ts'
import { openPins, PinsError } from '../pins.ts'
import type { Lists, Upstream } from '../upstream.ts'

let folder: string
let used = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-catalog-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newFolder = () => join(folder, String(used++))

const tool = (name: string, description = 'Usual.'): Tool => ({ name, description, inputSchema: { type: 'object' } })
const listsOf = (...tools: Tool[]): Lists => ({ tools, resources: [], templates: [], prompts: [] })
const agent: Agent = {
  ...{ id: 'clerk', name: undefined, key: 'k', token: null, upstreams: ['files', 'other'] },
  sees: () => true,
}
const config = { ruleOf: () => ({ handling: 'decide', action: undefined, riskScore: undefined }) } as unknown as Config
/** Two servers without prefixes. */
function openBoth() {
  const upstreams = ['files', 'other'].map((name) => ({ name, prefix: '' }) as Upstream)
  return openCatalog(config, upstreams, openPins(newFolder()))
}

it('a name stays with the first server that has it, also while its tool is hidden', () => {
  const catalog = openBoth()
  catalog.update('files', listsOf(tool('write'), tool('read')))
  catalog.update('other', listsOf(tool('write'), tool('send')))
  const owners = () => [...catalog.tools(agent)].map(([name, { action }]) => `${name} ${action}`)
  expect(owners()).toEqual(['write files.write', 'read files.read', 'send other.send'])
  expect(catalog.unnamed(agent)).toEqual(['write of other: files has a tool of the same name'])
  catalog.update('files', listsOf(tool('write', 'Changed.'), tool('read')))
  expect(owners()).toEqual(['read files.read', 'send other.send'])
  expect(catalog.standing('files', 'write')).toBeNull()
})

it.each(['constructor', '__proto__', 'hasOwnProperty'])('a server and a tool may be called %s', (name) => {
  const state = newFolder()
  const pins = openPins(state)
  expect(pins.compare(name, [tool(name)])).toEqual([])
  expect([...pins.accepted(name).keys()]).toEqual([name])
  const [change] = pins.compare(name, [tool(name, 'Changed.')])
  expect(change).toMatchObject({ tool: name, before: { description: 'Usual.' }, after: { description: 'Changed.' } })
  if (change) pins.accept(change)
  expect(openPins(state).accepted(name).get(name)).toMatchObject({ tool: { description: 'Changed.' }, times: 1 })
})

it('a tool that changes back and forth is a new question each time', () => {
  const pins = openPins(newFolder())
  const times: number[] = []
  for (const text of ['A', 'B', 'A', 'B']) {
    for (const change of pins.compare('files', [tool('write', text)])) {
      times.push(change.times)
      pins.accept(change)
    }
  }
  expect(times).toEqual([0, 1, 2])
})

it('an agent need not repeat an argument in a header, and a value of that name stays', () => {
  const catalog = openBoth()
  const region = { type: 'string', 'x-mcp-header': 'Region', default: { 'x-mcp-header': 'kept' } }
  const inputSchema = { type: 'object' as const, properties: { region, 'x-mcp-header': { type: 'string' } } }
  catalog.update('files', listsOf({ name: 'write', inputSchema }))
  const { shown, tool: own } = catalog.tools(agent).get('write') ?? {}
  expect(own?.inputSchema).toEqual(inputSchema)
  const { 'x-mcp-header': _, ...without } = region
  expect(shown?.inputSchema.properties).toEqual({ region: without, 'x-mcp-header': { type: 'string' } })
})

it('pins that were cut off are not taken for a first contact', () => {
  const state = newFolder()
  openPins(state).compare('files', [tool('write')])
  writeFileSync(join(state, 'pins.json'), '{ "files": { "wri')
  expect(() => openPins(state)).toThrow(PinsError)
})

it('a template is compared in linear time', () => {
  const hostile = `note://${'{a}{b}{c}{d}'.repeat(20)}!`
  const begun = performance.now()
  expect(fitsTemplate({ uriTemplate: hostile }, `note://${'a'.repeat(100_000)}`)).toBe(false)
  expect(performance.now() - begun).toBeLessThan(100)
  const fits = (uriTemplate: string, uri: string) => fitsTemplate({ uriTemplate }, uri)
  expect([fits('note://by/{name}', 'note://by/kim'), fits('note://by/{name}', 'file://by/kim')]).toEqual([true, false])
  expect([fits('note://first', 'note://first'), fits('note://a/{x}/end', 'note://a/end')]).toEqual([true, false])
})

it('a credential is hidden whole and in parts, in text and in JSON', () => {
  const { text, json } = hiding(['Bearer abcdefgh1234', 'postgres://me:p%40ssw0rd"x@db/sales', 'short'])
  expect(text('Bearer abcdefgh1234 and abcdefgh1234')).toBe('[credential] and [credential]')
  expect(text('the password p@ssw0rd"x is wrong; short')).toBe('the password [credential] is wrong; short')
  expect(JSON.parse(json(JSON.stringify({ said: 'p@ssw0rd"x' })))).toEqual({ said: '[credential]' })
})
