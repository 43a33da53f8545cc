/** The machine: versions, disks, and the keys and files that the settings name. */
import { statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Config, Environment } from '../../config/config.ts'
import { readLogKeys } from '../../sealing/log-keys.ts'
import { type Finding, failed, look, ok, warning } from './finding.ts'

const leastNode = [24, 7] as const

const node = (): Promise<Finding> =>
  look('version', 'Node', `Use Node ${leastNode.join('.')} or later.`, () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
    const found = `Node ${process.versions.node}.`
    return isOld ? failed(found, `Use Node ${leastNode.join('.')} or later.`) : ok(found)
  })

const gigabyte = 1024 ** 3
/** A store that cannot write stops all sealing, so the warning leaves days to act. */
const [warnBelow, failBelow] = [2 * gigabyte, 0.2 * gigabyte]

const disk = (folder: string): Promise<Finding> => {
  const remedy = 'Free up space on this disk, or use a folder on another disk.'
  return look('disk', folder, remedy, () => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const found = `${(free / gigabyte).toFixed(1)} GB free.`
    if (free < failBelow) return failed(found, remedy)
    return free < warnBelow ? warning(found, remedy) : ok(found)
  })
}

const keys = (config: Config): Promise<Finding> =>
  look('keys', 'TLOG_KEY', 'Create a key with countersign-server operator log-key new.', () => {
    const { all, signing } = readLogKeys(config.log.keys(), config.logHost)
    const current = signing()
    const [newest] = all
    const known = all.length === 1 ? 'One key is known' : `${all.length} keys are known`
    const coming = newest && newest.vkey !== current.vkey ? ` From ${newest.from}, it will be ${newest.vkey}.` : ''
    return ok(`${known} for ${config.logHost}. The signing key is ${current.vkey}.${coming}`)
  })

const secretFiles = [
  'SECRET_KEY_FILE',
  'TLOG_KEY_FILE',
  'DATABASE_PASSWORD_FILE',
  'DATABASE_OPERATOR_PASSWORD_FILE',
  'AI_API_KEY_FILE',
]

/** Others on the machine could read the key. */
const fileModes = (env: Environment): readonly Promise<Finding>[] =>
  secretFiles.flatMap((name) => {
    const file = env[name]?.trim()
    if (!file) return []
    return look('keys', name, `Run chmod 600 ${file}.`, () => {
      const mode = statSync(file).mode & 0o777
      const found = `The file's mode is ${mode.toString(8)}.`
      return (mode & 0o007) !== 0 ? failed(found, `Run chmod 600 ${file}.`) : ok(found)
    })
  })

export const machineChecks = (config: Config, env: Environment): readonly Promise<Finding>[] => [
  node(),
  keys(config),
  ...fileModes(env),
  ...[config.log.fence?.at, config.log.fence?.copy, tmpdir()]
    .filter((folder) => typeof folder === 'string' && isAbsolute(folder))
    .map((folder) => disk(folder as string)),
]
