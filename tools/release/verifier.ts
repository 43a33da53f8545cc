/** The program `countersign` as a release publishes it: its package, installed into an empty folder. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './clone.ts'
import { finished } from './installation.ts'
import { run, say } from './shared.ts'

export interface Verifier {
  /** How many proofs of a folder hold under the policy. */
  verified(folder: string, policyFile: string): Promise<number>
}

export function installVerifier({ files, version }: Release, node: string, folder: string): Verifier {
  mkdirSync(folder, { recursive: true })
  const packages = ['cli', 'proof'].map((name) => join(files, `countersign-${name}-${version}.tgz`))
  run(
    'npm',
    ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...packages],
    folder,
  )
  const program = join(folder, 'node_modules/@countersign/cli/main.js')
  return {
    async verified(proofs, policyFile) {
      const args = [program, 'verify', proofs, '--trust', policyFile, '--json']
      const { code, out, err } = await finished(node, args, { LANG: 'C' })
      const verdicts = out.split('\n').filter((line) => line !== '')
      if (code === 0) return verdicts.length
      say(`countersign ${version} verify ended with ${code}: ${err}${verdicts[0] ?? ''}`)
      return 0
    },
  }
}

/** The format of the proofs in a folder, such as 2.0. */
export const formatOf = (folder: string): string => {
  const formats = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).version)
  return [...new Set(formats)].sort().join(', ')
}
