/** Settings from the environment: defaults, never more than the program's own options. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hostKey } from '../../../tests/support/little-log.ts'
import { Countersign } from '../countersign.ts'
import { guard } from '../guard.ts'

const trust = `log ${hostKey('countersign.test').vkey}\nquorum none\n`
const tool = { action: 'refund.issue', run: () => 'paid' }
const agent = { id: 'refund-agent' }

const set = (variables: Record<string, string>) => {
  const none = { URL: '', API_KEY: '', CENTER: '', SANDBOX: '', TRUST: '', TRUST_FILE: '' }
  for (const [name, value] of Object.entries({ ...none, ...variables })) vi.stubEnv(`COUNTERSIGN_${name}`, value)
}
const whole = { URL: 'https://proof.example', API_KEY: 'csk_live_1', CENTER: '7', TRUST: trust }
afterEach(() => vi.unstubAllEnvs())

it('is enough for a client and for a guard', () => {
  set(whole)
  expect(new Countersign().sandbox).toBe(false)
  expect(() => guard(tool, { agent })).not.toThrow()
})

it('reads the trust policy from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-')), 'countersign.trust')
  writeFileSync(file, trust)
  set({ ...whole, TRUST: '', TRUST_FILE: file })
  expect(() => guard(tool, { agent })).not.toThrow()
  set({ ...whole, TRUST: '', TRUST_FILE: `${file}-missing` })
  expect(() => guard(tool, { agent })).toThrow('ENOENT')
})

describe('names what is missing or wrong', () => {
  it.each([
    ['URL', '', "baseUrl isn't set"],
    ['API_KEY', '', "apiKey isn't set"],
    ['CENTER', '', "center isn't set"],
    ['CENTER', 'seoul', "center isn't a center ID: NaN"],
    ['TRUST', '', "trust isn't set"],
    ['TRUST', 'nonsense', 'trust policy'],
  ])('COUNTERSIGN_%s=%s', (name, value, message) => {
    set({ ...whole, [name]: value })
    expect(() => guard(tool, { agent })).toThrow(message)
  })
})

it('asks for nothing that each tool has of its own', async () => {
  set({ TRUST: trust })
  const client = new Countersign({ baseUrl: 'https://proof.example', apiKey: 'csk_live_1' })
  expect(() => guard({ ...tool, client, center: 7 }, { agent })).not.toThrow()
  expect(() => guard({ ...tool, client, center: () => 7 }, { agent })).not.toThrow()
  expect(() => guard({ ...tool, client }, { agent })).toThrow("center isn't set")
  set({ ...whole, URL: 'proof.example' })
  await expect(guard(tool, { agent })({}, { callId: 'a' })).rejects.toThrow('baseUrl is "proof.example"')
  set({ ...whole, API_KEY: 'eyJ' })
  await expect(guard(tool, { agent })({}, { callId: 'a' })).rejects.toThrow("apiKey isn't an API key")
})

it('gives way to the options of the program', () => {
  set({ ...whole, SANDBOX: 'true', CENTER: 'seoul' })
  const own = { baseUrl: 'https://other.example', apiKey: 'csk_test_2' }
  expect(new Countersign(own).sandbox).toBe(true)
  expect(() => guard(tool, { agent, center: 7, sandbox: false, client: new Countersign(own) })).not.toThrow()
})
