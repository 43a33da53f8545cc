/**
 * `npm run bench -- lines --other FOLDER`: processor time of a seal through a line of one place, beside a version without lines,
 * which is checked out in FOLDER; and what a line of nine takes: processor time per approval, bytes of the entry and of the export.
 * Processor time, not time: other work may run on the machine.
 */
import { open, type Shown } from '../support/approving.ts'
import { openClient } from '../support/client.ts'
import { openWorld } from '../support/world.ts'
import { recordedEvent } from './bodies.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'
import { type Figures, here, openSide, type Side } from './versus.ts'

const policyFor = (approval: object) => ({ name: 'A line', match: {}, guards: { humanReview: true }, approval })
const decisions = sized(40, 2)
/** Of a window. */
const seals = sized(3000, 8)
/** Approved before the measurement, so that the code is compiled. */
const warm = sized(10, 1)

/** In milliseconds of the server's processor time, and bytes of one decision. */
interface Longer {
  readonly msPerApproval: number
  readonly msPerDecision: number
  readonly entryBytes: number
  readonly exportBytes: number
  readonly exportBytesWithTexts: number
}

/** Signed-in members approve one after another, each at a step of their own. */
async function lineOf(places: number): Promise<Longer> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const limits = { RATE_LIMIT_STANDARD: '100000000/60', RATE_LIMIT_LOGIN: '100000/60' }
  const server = await startProcess('../../apps/server/main.ts', { ...settings(place, 'api'), ...limits })
  try {
    const client = openClient(server.url)
    const center = await world.center()
    const key = await world.key(center)
    const people: string[] = []
    for (let at = 0; at < places; at++) {
      const person = await world.person()
      await world.member(person, center, 'ADMIN')
      people.push((await client.signIn(person, center.domain)).accessToken)
    }
    const done = async (method: string, path: string, token: string, body?: object) => {
      const { status, text, body: answer } = await client.call(method, path, { token, ...(body && { body }) })
      if (status >= 300) throw new Error(`${method} ${path}: ${text}`)
      return answer?.data ?? answer
    }
    const steps = people.map((_, at) => ({ title: `Step ${at + 1}`, roles: ['ADMIN'] }))
    const [first] = people as [string]
    await done('POST', '/api/policies', first, policyFor({ identity: 'session', steps }))
    const recorded: { readonly id: string; readonly shown: readonly (Shown | Record<string, never>)[] }[] = []
    for (let left = warm + decisions; left > 0; left--) {
      const { id } = await done('POST', '/api/v1/decision-events', key, recordedEvent)
      const shown = await Promise.all(
        people.map((token) => open((method, path, body) => done(method, path, token, body), id)),
      )
      recorded.push({ id, shown })
    }
    let before = 0
    for (const [number, { id, shown }] of recorded.entries()) {
      if (number === warm) before = server.cpuSeconds()
      for (const [at, token] of people.entries()) {
        await done('POST', `/api/decisions/${id}/approvals`, token, { result: 'approved', ...shown[at] })
      }
    }
    const spent = 1000 * (server.cpuSeconds() - before)
    const [entry] = await world.query<{ bytes: number }>(
      `select avg(octet_length(content))::float8 as bytes from cell.chain_entries where domain = 'proof' and center_id = $1`,
      [center.id],
    )
    const { evidence } = await done('GET', `/api/v1/decision-events/${recorded[0]?.id}`, key)
    const bytes = async (path: string, token: string) => {
      const { status, text } = await client.call('GET', path, { token })
      if (status !== 200) throw new Error(text)
      return Buffer.byteLength(text)
    }
    const unit = evidence.id.replace('evd_', 'dpu_')
    return {
      msPerApproval: Number((spent / decisions / places).toFixed(2)),
      msPerDecision: Number((spent / decisions).toFixed(2)),
      entryBytes: Math.round(entry?.bytes ?? Number.NaN),
      exportBytes: await bytes(`/api/v1/evidence/${evidence.id}/export`, key),
      exportBytesWithTexts: await bytes(`/api/dpu/${unit}/export?policies=text`, first),
    }
  } finally {
    await server.stop()
    await world.close()
    await place.close()
  }
}

export async function benchLines({ windows, other }: BenchOptions): Promise<BenchResult> {
  const [one, nine] = [await lineOf(1), await lineOf(9)]
  say(`a line of one: ${JSON.stringify(one)}`)
  say(`a line of nine: ${JSON.stringify(nine)}`)
  const policy = policyFor({ identity: 'claim' })
  const sides = [await openSide(here, policy), await openSide(other ?? here, policy)] as const
  const all: { readonly ours: Figures; readonly theirs: Figures }[] = []
  try {
    for (const side of sides) await side.approve(seals)
    for (let window = 0; window < windows; window++) {
      const figures: Figures[] = []
      for (const at of window % 2 === 0 ? [0, 1] : [1, 0]) figures[at] = await (sides[at] as Side).approve(seals)
      const [ours, theirs] = figures as [Figures, Figures]
      all.push({ ours, theirs })
      say(`a seal: ${Math.round(ours.serverMicros)} µs, the other version ${Math.round(theirs.serverMicros)} µs`)
    }
    const middle = (side: 'ours' | 'theirs', figure: keyof Figures) =>
      Math.round(median(all.map((each) => each[side][figure])))
    const over = (figure: keyof Figures) =>
      Number(median(all.map(({ ours, theirs }) => ours[figure] / theirs[figure])).toFixed(3))
    return {
      value: middle('ours', 'serverMicros'),
      unit: 'µs of the server’s processor time per seal through a line of one',
      bare: middle('theirs', 'serverMicros'),
      ratio: over('serverMicros'),
      ratioPostgres: over('postgresMicros'),
      windowsOurs: all.map(({ ours }) => Math.round(ours.serverMicros)),
      windowsOther: all.map(({ theirs }) => Math.round(theirs.serverMicros)),
      ...{ one, nine, decisions, seals, windows, compared: other !== undefined },
    }
  } finally {
    for (const side of sides) await side.close()
  }
}
