/**
 * Two releases from clean checkouts, and an upgrade from the first to the second. The last line is a JSON object of what was
 * counted; the exit code is 1 unless nothing is missing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOf, twoReleases } from './clone.ts'
import { say } from './shared.ts'
import { type Counts, tryUpgrade } from './trial.ts'

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000)

/** What a rehearsal lacks; empty when the release can be made. */
export const missingIn = (counts: Counts): string[] =>
  Object.entries({
    'proofs of the first release that the new verifier accepts': counts.verified.beforeByNew === counts.before.proofs,
    'proofs of the new release that the new verifier accepts': counts.verified.afterByNew === counts.after.proofs,
    'proofs of the new release that the old verifier accepts':
      counts.verified.afterByOld === null || counts.verified.afterByOld === counts.after.proofs,
    'proofs of both releases': counts.before.proofs > 0 && counts.after.proofs > 0,
    'an answer to every request': counts.unanswered === 0,
    'acknowledged events in the list': counts.events.listed === counts.events.acknowledged,
    'a valid chain': counts.chains.afterUpgrade && counts.chains.afterBack,
    'deliveries of every seal': counts.deliveries.lost === 0,
    'a schema that is up to date': counts.status === 'up to date',
    'a doctor without a failed check': counts.doctor.startsWith('0 failed'),
    'the way back': counts.back === 'serves' || counts.back.startsWith('refuses, as'),
  }).flatMap(([what, holds]) => (holds ? [] : [what]))

/** `from` is a tag or a commit; by default the newest version tag, or the commit that tools/previous-version names. */
export async function rehearse(target: string, from: string | undefined): Promise<void> {
  const started = performance.now()
  const start = startOf(from)
  const work = mkdtempSync(join(tmpdir(), 'countersign-release-'))
  try {
    const [first, next] = await twoReleases(start, target, work)
    const build = secondsSince(started)
    const counts = await tryUpgrade(first, next, join(work, 'trial'))
    const missing = missingIn(counts)
    const versions = { [first.version]: first.commit, [next.version]: next.commit }
    say(JSON.stringify({ versions, seconds: { build, all: secondsSince(started) }, ...counts, missing }))
    if (missing.length > 0) process.exitCode = 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
