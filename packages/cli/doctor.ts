/** `doctor`: what keeps the command from working, and what to do about it. */

import { reason, ServiceError } from './client.ts'
import { type Given, safe } from './given.ts'
import { isShared, profilesFile, readProfiles } from './profiles.ts'
import { coloured, marks, type Status } from './progress.ts'
import type { Word } from './words.ts'

interface Finding {
  readonly about: string
  readonly status: Status
  readonly message: string
}

/** Deliveries older than five minutes are refused by receivers. */
const mostSkewSeconds = 120

/** 0: nothing is wrong. 1: something is. */
export async function doctor(given: Given): Promise<number> {
  const { say } = given
  const findings: Finding[] = []
  const add = (about: string, status: Status, word: Word, facts = {}) =>
    findings.push({ about, status, message: say(word, facts) })
  add('node', 'yes', 'doctorNode', { version: process.versions.node })
  try {
    const { profiles } = readProfiles()
    const file = profilesFile()
    if (isShared(file)) add('profiles', 'no', 'doctorShared', { file })
    else add('profiles', 'yes', 'doctorProfiles', { count: Object.keys(profiles).length, file })
    const { baseUrl } = given.signed()
    await server(given, baseUrl, add)
  } catch (error) {
    findings.push({ about: 'setup', status: 'no', message: safe((error as Error).message) })
  }
  given.print(
    { ok: findings.every(({ status }) => status !== 'no'), findings },
    findings.map(({ status, message }) => coloured(status, `${marks[status]} ${message}`)),
  )
  return findings.some(({ status }) => status === 'no') ? 1 : 0
}

type Add = (about: string, status: Status, word: Word, facts?: Record<string, string | number>) => void

async function server(given: Given, baseUrl: string, add: Add): Promise<void> {
  let response: Response
  try {
    response = await fetch(`${baseUrl}/.well-known/countersign-log.json`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
  } catch (error) {
    add('server', 'no', 'doctorUnreachable', { url: baseUrl, why: reason(error) })
    return
  }
  add('server', response.ok ? 'yes' : 'no', response.ok ? 'doctorServer' : 'doctorStrange', {
    url: baseUrl,
    status: String(response.status),
  })
  const theirs = Date.parse(response.headers.get('date') ?? '')
  const skew = Math.round(Math.abs(Date.now() - theirs) / 1000)
  if (skew > mostSkewSeconds) add('clock', 'no', 'doctorClock', { seconds: skew })
  try {
    const { log } = await given.call<{ log: string }>('GET', '/chains/proof/checkpoint')
    add('key', 'yes', 'doctorKey', { log: log.replace(/\/proof$/, '') })
  } catch (error) {
    const isBound = error instanceof ServiceError && error.status === 403
    if (isBound) add('key', 'yes', 'doctorBound')
    else add('key', 'no', 'doctorBadKey', { why: (error as Error).message })
  }
}
