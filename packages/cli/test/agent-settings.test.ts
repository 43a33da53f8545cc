/** What `agents connect` changes in a settings file, and that it leaves every other byte as it is. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingIn, UnusableSettingsError } from '../agents/json-settings.ts'
import { lineDiff } from '../agents/line-diff.ts'
import { obstacles } from '../agents/loading.ts'
import { pluginMark } from '../agents/opencode-plugin.ts'
import { type AgentSettings, allSettings, limitSeconds } from '../agents/settings.ts'
import { earlierText, openSettings, restoreSettings, writeSettings } from '../agents/settings-file.ts'
import { commandIn } from '../agents/trial.ts'
import type { Place } from '../hook/agent-files.ts'

const program = ['/usr/bin/node', "/opt/it's here/main.js"]
const inJson = allSettings.filter(({ agent }) => agent.id !== 'opencode')
const byId = (id: string): AgentSettings => allSettings.find(({ agent }) => agent.id === id) as AgentSettings
const claude = byId('claude-code')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-settings-'))
  process.env.COUNTERSIGN_CONFIG = join(folder, 'config', 'profiles.json')
})
afterAll(() => {
  delete process.env.COUNTERSIGN_CONFIG
  rmSync(folder, { recursive: true, force: true })
})

describe.each(inJson)('the settings of $agent.id', (settings) => {
  const hooks = (text: string) => parse(text).hooks as Record<string, unknown[]>

  it('begin with nothing, and end with nothing', () => {
    const text = settings.connected(null, program)
    expect(settings.connected(text, program)).toBe(text)
    expect(settings.isConnected(text)).toBe(true)
    expect(settings.disconnected(text)).toBeNull()
    expect(commandIn(settings, text)).toContain(`hook ${settings.agent.id} --limit-seconds ${limitSeconds} || `)
    expect(commandIn(settings, text)).toContain(`'/opt/it'\\''s here/main.js'`)
  })

  it('keep a comment, an unknown member, an odd style and a hook of somebody else', () => {
    const [event = ''] = Object.keys(hooks(settings.connected(null, program)))
    const given = `\ufeff// mine\r\n{\r\n\t"theme": "dark", /* keep */\r\n\t"hooks": { "${event}": [ {"command":"mine"} /* last */, ], "Other":[ ] },\r\n\t}\r\n`
    const text = settings.connected(given, program)
    expect(text).toContain('{"command":"mine"}')
    expect(text.startsWith('\ufeff// mine\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(parse(text.slice(1)).theme).toBe('dark')
    expect(hooks(text.slice(1))[event]).toHaveLength(2)
    expect(settings.connected(text, program)).toBe(text)
    expect(settings.disconnected(text)).toBe(given)
  })

  it('replace an earlier hook of ours by one, whatever it was', () => {
    const old = settings
      .connected(null, ['countersign'])
      .replaceAll(`--limit-seconds ${limitSeconds}`, '--limit-seconds 30')
    const text = settings.connected(old, program)
    expect(text).not.toContain('--limit-seconds 30')
    for (const each of Object.values(hooks(text))) expect(each).toHaveLength(1)
  })

  it.each([
    ['a file that cannot be parsed', '{"hooks": '],
    ['a list', '[]'],
    ['hooks that are a list', '{"hooks": []}'],
    ['a member that is there twice', '{"hooks": {}, "hooks": {}}'],
    ['conflict marks', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n'],
  ])('refuse %s', (_, text) => {
    expect(() => settings.connected(text, program)).toThrow(UnusableSettingsError)
  })
})

describe('hooks in one group with those of somebody else', () => {
  it('leave alone', () => {
    const text = claude.connected(null, program)
    const { hooks } = parse(text)
    hooks.PreToolUse[0].hooks.unshift({ type: 'command', command: 'mine' })
    const left = parse(claude.disconnected(JSON.stringify(hooks && { hooks })) as string)
    expect(left).toEqual({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'mine' }] }] } })
  })
})

describe('any settings file', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
      tie('any'),
      { maxKeys: 4 },
    ),
  })).object
  const theirs = fc.array(fc.record({ command: fc.constantFrom('a', 'b /* no comment */ // nor this') }), {
    minLength: 1,
    maxLength: 2,
  })
  const events = fc.constantFrom('PreToolUse', 'PostToolUse', 'SessionEnd', 'Stop')
  const hooks = fc.option(fc.dictionary(events, theirs, { minKeys: 1, maxKeys: 3 }), { nil: undefined })
  const styles = fc.record({
    indent: fc.constantFrom<string | number>('\t', 2, 4, 0),
    eol: fc.constantFrom('\n', '\r\n'),
    comments: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n// end\n'),
  })

  it('is as before once our hooks are removed, byte for byte', () => {
    fc.assert(
      fc.property(value, hooks, styles, (given, theirHooks, { indent, eol, comments, end }) => {
        const { hooks: _, ...more } = given as Record<string, unknown>
        const whole = { ...more, ...(theirHooks && { hooks: theirHooks }) }
        const plain = JSON.stringify(whole, null, indent).replaceAll('\n', eol)
        // A comment and a trailing comma at the end of every line that ends with a bracket.
        const before =
          comments && indent !== 0 ? plain.replaceAll(/([\]}])(,?)(?=\r?\n)/g, '$1$2 /* x, */') + end : plain
        const text = claude.connected(before, program)
        const { hooks: now, ...kept } = parse(text)
        expect(kept).toEqual(more)
        for (const [event, each] of Object.entries(theirHooks ?? {}))
          expect(now[event].slice(0, each.length)).toEqual(each)
        expect(claude.connected(text, program)).toBe(text)
        const after = claude.disconnected(text)
        expect(after ?? '{}').toBe(Object.keys(whole).length === 0 ? (after ?? '{}') : before)
      }),
    )
  })
})

describe('the plugin of opencode', () => {
  const opencode = byId('opencode')
  it('is one file of ours', () => {
    const text = opencode.connected(null, program)
    expect(text).toContain(JSON.stringify(program[1]))
    expect([opencode.connected(text, program), opencode.disconnected(text)]).toEqual([text, null])
    expect(() => opencode.connected('export const Mine = async () => ({})', program)).toThrow(UnusableSettingsError)
    expect(opencode.disconnected('mine')).toBe('mine')
    expect(opencode.isConnected(`// ${pluginMark}`)).toBe(false)
  })
})

describe('a settings file', () => {
  const file = (name: string) => join(folder, name)
  const connect = (name: string, within: string | null = null) => {
    const opened = openSettings(name, within)
    return writeSettings(opened, claude.connected(opened.text, program))
  }
  const disconnect = (name: string) => {
    const opened = openSettings(name)
    restoreSettings(opened, earlierText(opened, claude.disconnected(opened.text as string)))
  }

  it('that nobody changed meanwhile is restored byte for byte, with its mode', () => {
    const given = '{"hooks":{"PreToolUse":[]}}'
    writeFileSync(file('a.json'), given)
    chmodSync(file('a.json'), 0o600)
    const backup = connect(file('a.json'))
    expect([readFileSync(backup as string, 'utf8'), statSync(backup as string).mode & 0o777]).toEqual([given, 0o600])
    expect(statSync(file('a.json')).mode & 0o777).toBe(0o600)
    disconnect(file('a.json'))
    expect([readFileSync(file('a.json'), 'utf8'), statSync(file('a.json')).mode & 0o777]).toEqual([given, 0o600])
  })

  it('that was not there is not there afterwards, and its later changes are kept', () => {
    connect(file('b/new.json'))
    disconnect(file('b/new.json'))
    expect(lstatSync(file('b/new.json'), { throwIfNoEntry: false })).toBeUndefined()
    connect(file('b/new.json'))
    const text = readFileSync(file('b/new.json'), 'utf8').replace('{', '{ "mine": true,')
    writeFileSync(file('b/new.json'), text)
    disconnect(file('b/new.json'))
    expect(parse(readFileSync(file('b/new.json'), 'utf8'))).toEqual({ mine: true })
  })

  it('behind a symbolic link is changed, and the link stays', () => {
    mkdirSync(file('dotfiles'))
    writeFileSync(file('dotfiles/settings.json'), '{}')
    symlinkSync(file('dotfiles/settings.json'), file('link.json'))
    connect(file('link.json'))
    expect(lstatSync(file('link.json')).isSymbolicLink()).toBe(true)
    expect(claude.isConnected(readFileSync(file('dotfiles/settings.json'), 'utf8'))).toBe(true)
  })

  it('is refused behind a link to nothing, to a folder, and out of a project', () => {
    symlinkSync(file('nowhere'), file('dangling.json'))
    expect(() => openSettings(file('dangling.json'))).toThrow("doesn't exist")
    symlinkSync(folder, file('folder.json'))
    expect(() => openSettings(file('folder.json'))).toThrow("isn't a file")
    mkdirSync(file('project/.claude'), { recursive: true })
    symlinkSync(file('dotfiles/settings.json'), file('project/.claude/settings.json'))
    expect(() => openSettings(file('project/.claude/settings.json'), file('project'))).toThrow('out of the project')
    symlinkSync(file('dotfiles'), file('project/.gemini'))
    expect(() => openSettings(file('project/.gemini/new.json'), file('project'))).toThrow('out of the project')
    expect(openSettings(file('project/.codex/hooks.json'), file('project')).text).toBeNull()
  })

  it('that somebody changes between the question and the answer is not written', () => {
    writeFileSync(file('c.json'), '{}')
    const opened = openSettings(file('c.json'))
    writeFileSync(file('c.json'), '{"theirs":true}')
    expect(() => writeSettings(opened, claude.connected(opened.text, program))).toThrow('meanwhile')
    const missing = openSettings(file('d.json'))
    writeFileSync(file('d.json'), 'theirs')
    expect(() => writeSettings(missing, '{}')).toThrow('meanwhile')
    expect([readFileSync(file('c.json'), 'utf8'), readFileSync(file('d.json'), 'utf8')]).toEqual([
      '{"theirs":true}',
      'theirs',
    ])
  })
})

describe('the diff', () => {
  it('shows what is added and removed, with two lines around it', () => {
    const lines = (text: string) => text.split('').join('\n')
    expect(lineDiff(lines('abcdefg'), lines('abcdXfg')).map(({ sign, text }) => sign + text)).toEqual([
      ...[' c', ' d', '-e', '+X', ' f', ' g'],
    ])
    expect(lineDiff(null, 'a\n')).toEqual([{ sign: '+', text: 'a' }])
    expect(lineDiff('a\r\nb', 'a\nb\n')).toEqual([])
  })
})

describe('what keeps a hook from being loaded', () => {
  const home = () => join(folder, 'home')
  const place = (): Place => ({ env: { HOME: home(), PATH: '' }, folder: join(folder, 'project') })
  const put = (name: string, text: string) => {
    mkdirSync(join(home(), name, '..'), { recursive: true })
    writeFileSync(join(home(), name), text)
  }
  const found = (id: string, scope: 'user' | 'project' = 'user') =>
    obstacles(byId(id), [scope], place()).map(({ word }) => word)

  it('is a setting that turns hooks off', () => {
    expect(found('claude-code')).toEqual([])
    put('.claude/settings.json', '{ "disableAllHooks": true }')
    put('.gemini/settings.json', '{ "hooksConfig": { "enabled": true, "disabled": ["countersign"] } }')
    put('.codex/config.toml', 'model = "x"\n[features]\nother = true\nhooks = false # off\n')
    put('.copilot/settings.json', '{ "disableAllHooks": true }')
    for (const id of ['claude-code', 'gemini', 'codex', 'copilot']) expect(found(id), id).toEqual(['hooksOff'])
    put('.codex/config.toml', '[features]\nother = true\n[else]\nhooks = false\n')
    expect(found('codex')).toEqual([])
  })

  it('is a folder that Copilot CLI does not trust, if the hook is in that folder', () => {
    put('.copilot/settings.json', '{}')
    expect([found('copilot'), found('copilot', 'project')]).toEqual([[], ['folderUntrusted']])
    put('.copilot/config.json', JSON.stringify({ trusted_folders: [join(folder, 'project')] }))
    expect(found('copilot', 'project')).toEqual([])
    expect(settingIn('{"a": [1', ['a'])).toBeUndefined()
  })

  it('is a folder that Gemini CLI was told not to trust, whatever the scope', () => {
    put('.gemini/settings.json', '{}')
    const trust = (answers: object) => put('.gemini/trustedFolders.json', JSON.stringify(answers))
    const project = join(folder, 'project')
    expect(found('gemini')).toEqual([])
    trust({ [folder]: 'DO_NOT_TRUST' })
    expect(found('gemini')).toEqual(['folderDistrusted'])
    trust({ [folder]: 'DO_NOT_TRUST', [join(project, 'inside')]: 'TRUST_PARENT' })
    expect(found('gemini')).toEqual([])
    trust({ [join(folder, 'proj')]: 'DO_NOT_TRUST' })
    expect(found('gemini')).toEqual([])
  })
})
