/**
 * `npm run release -- COMMAND`:
 *
 *   prepare VERSION         writes the version to every manifest, the chart, the pages and the changelog, and lists the migrations, which are
 *                           frozen from then on; look at it and commit it
 *   build FOLDER            on a clean checkout: checks the versions, packs and dry-publishes every package, builds the archive and the image,
 *                           and writes the bill of materials (CycloneDX), checksums and provenance; signed with RELEASE_KEY_FILE
 *   image [FILE]            builds the images of the server and the gateway, and writes archives of them for podman or docker
 *   tag                     tags the commit with the text of the changelog, and lets the tests of skew compare with it; pushing is up to you
 *   rehearse FOLDER [FROM]  makes two releases in a clone, FROM and the last commit, and upgrades an installation with data under load
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, requireReady } from './release/build.ts'
import { makeImages } from './release/image.ts'
import { freezeMigrations } from './release/migrations.ts'
import { rehearse } from './release/rehearse.ts'
import { fail, now, ReleaseError, root, run, say } from './release/shared.ts'
import { prepare, sectionOf, versionOf } from './release-versions.ts'

/** The release commit cannot name itself, so the commit after it does. */
function tag(): void {
  requireReady()
  const name = `v${versionOf(root)}`
  const text = sectionOf(root, versionOf(root))
  run('git', ['tag', '--annotate', name, '--message', `Countersign ${versionOf(root)}\n\n${text}`])
  const pointer = 'tools/previous-version'
  writeFileSync(join(root, pointer), run('git', ['rev-parse', 'HEAD']))
  run('git', ['commit', '--quiet', '--message', `chore: test skew against ${name}`, pointer])
  say(`${name} is tagged, and ${pointer} names it. Push both with git push origin HEAD ${name}.`)
}

async function command([name, argument, from]: readonly string[]): Promise<void> {
  if (name === 'prepare' && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(argument ?? '')) {
    await freezeMigrations(root)
    prepare(root, argument as string, now().slice(0, 10))
  } else if (name === 'build' && argument) build(argument)
  else if (name === 'image') makeImages(argument)
  else if (name === 'tag') tag()
  else if (name === 'rehearse' && argument) await rehearse(argument, from)
  else fail('npm run release -- prepare VERSION | build FOLDER | image [FILE] | tag | rehearse FOLDER [FROM]')
}

try {
  await command(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof ReleaseError ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
