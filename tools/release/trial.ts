/** An upgrade of an installation with data, under load, and the way back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCallers } from './callers.ts'
import type { Release } from './clone.ts'
import { type Center, openCenter } from './data.ts'
import { type Installed, install, type Settings } from './installation.ts'
import { say } from './shared.ts'
import { openSite } from './site.ts'
import { migrate, type Processes, startProcesses } from './upgrade.ts'
import { formatOf, installVerifier } from './verifier.ts'

const wanted = { events: 200, callers: 2, deliverySeconds: 90 }

/** Seals whose delivery has not arrived, after every retry that is due soon. */
async function undelivered({ sealed, received }: Center): Promise<number> {
  const missing = () => {
    const arrived = new Set(received.map(({ envelope }) => envelope.data.eventId))
    return [...sealed.keys()].filter((id) => !arrived.has(id)).length
  }
  for (let second = 0; second < wanted.deliverySeconds && missing() > 0; second++) await sleep(1000)
  return missing()
}

/** Callers decide until the work is done. */
async function underLoad<T>(center: Center, work: () => Promise<T>): Promise<T> {
  const end = new AbortController()
  const load = center.load(wanted.callers, end.signal)
  try {
    return await work()
  } finally {
    end.abort()
    await load
  }
}

async function health(next: Installed, settings: Settings): Promise<{ status: string; doctor: string }> {
  const status = await next.command(['status', '--json'], settings)
  const doctor = await next.command(['doctor', '--json'], settings)
  const { findings } = JSON.parse(doctor.out) as { findings: { check: string; status: string; found: string }[] }
  const failed = findings.filter((each) => each.status === 'failed')
  for (const { check, found } of failed) say(`doctor: ${check}: ${found}`)
  const warnings = findings.filter((each) => each.status === 'warning').length
  return {
    status: JSON.parse(status.out).upToDate === true && status.code === 0 ? 'up to date' : 'not up to date',
    doctor: `${failed.length} failed, ${warnings} warnings`,
  }
}

interface Versions {
  readonly old: Installed
  readonly new: Installed
}

/** The version before on the newer schema: it serves, or an incompatible migration makes it say that it does not. */
async function wayBack(
  processes: Processes,
  { old: first, new: next }: Versions,
  center: Center,
  settings: Settings,
): Promise<string> {
  const { databases } = JSON.parse((await first.command(['status', '--json'], settings)).out) as {
    databases: { migrations: { state: string; incompatible: boolean }[] }[]
  }
  const unknown = databases.flatMap(({ migrations }) => migrations).filter(({ state }) => state === 'unknown')
  const incompatible = unknown.some((each) => each.incompatible)
  try {
    await underLoad(center, () => processes.replace(first))
  } catch (error) {
    const said = (error as Error).message
    if (!incompatible || !said.includes('needs a newer server')) return said
    await processes.replace(next)
    return 'refuses, as a migration is incompatible'
  }
  for (let n = 0; n < 8; n++) await center.decide()
  return incompatible ? 'serves, although a migration is incompatible' : 'serves'
}

/** `folder` is empty, and may be deleted afterwards. */
export async function tryUpgrade(first: Release, next: Release, folder: string) {
  const at = (name: string): string => join(folder, name)
  const [old, new_] = [install(first, at('installed')), install(next, at('installed'))]
  const verifiers = {
    old: installVerifier(first, old.node, at('verifier-old')),
    new: installVerifier(next, new_.node, at('verifier-new')),
  }
  const site = await openSite(folder, old)
  const { settings } = site
  const close: (() => unknown)[] = [() => site.close()]
  try {
    await migrate(old, settings)
    const processes = await startProcesses(old, settings)
    close.unshift(() => processes.kill())
    const callers = openCallers(processes.addresses)
    close.unshift(() => callers.close())
    const center = await openCenter(callers, site.mailbox)
    close.unshift(() => center.close())
    for (let n = 0; n < wanted.events; n++) await center.decide()
    const sealedBefore = [...center.sealed.keys()]
    const before = { events: center.events.length, proofs: await center.exportProofs(sealedBefore, at('before')) }
    writeFileSync(at('policy'), await center.policy())
    say(`${before.events} events and ${before.proofs} proofs of ${old.version}`)

    const migrations = await underLoad(center, async () => {
      const applied = await migrate(new_, settings)
      await processes.replace(new_)
      return applied
    })
    const sealedAfter = [...center.sealed.keys()].slice(before.proofs)
    const after = {
      events: center.events.length - before.events,
      proofs: await center.exportProofs(sealedAfter, at('after')),
    }
    const formats = { before: formatOf(at('before')), after: formatOf(at('after')) }
    const verified = {
      beforeByNew: await verifiers.new.verified(at('before'), at('policy')),
      afterByNew: await verifiers.new.verified(at('after'), at('policy')),
      // A new format is for new verifiers.
      afterByOld: formats.before === formats.after ? await verifiers.old.verified(at('after'), at('policy')) : null,
    }
    const healthy = await health(new_, settings)
    const chain = await center.verifyChain()
    const back = await wayBack(processes, { old, new: new_ }, center, settings)
    const chainAfterBack = await center.verifyChain()
    const lost = await undelivered(center)
    const counts = {
      migrations,
      before,
      after,
      formats,
      verified,
      ...healthy,
      chains: { afterUpgrade: chain, afterBack: chainAfterBack },
      back,
      events: { acknowledged: center.events.length, listed: await center.listed() },
      deliveries: { seals: center.sealed.size, received: center.received.length, lost },
      ...callers.counts,
    }
    await processes.stop()
    return counts
  } finally {
    for (const each of close) await each()
  }
}

export type Counts = Awaited<ReturnType<typeof tryUpgrade>>
