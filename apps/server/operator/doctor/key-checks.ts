/** Keys that only the database can judge: whether SECRET_KEY belongs to it, and which log key each process signs with. */
import { checkSecretKey, secretKeyRemedy, wrongSecretKey } from '../../access/secret-key-check.ts'
import type { Config } from '../../config/config.ts'
import { type Directory, openDirectory } from '../../data/directory.ts'
import { makeLog } from '../../lib/log.ts'
import { secretBox } from '../../lib/secret-box.ts'
import { readSigners, readStolenKeys } from '../../sealing/key-queries.ts'
import { openKeyRing } from '../../sealing/log-book.ts'
import { type Finding, failed, look, ok, skipped, warning } from './finding.ts'

const caller = { requestId: 'doctor', actorId: null, centerId: 0 }

const secretKey = (config: Config, directory: Directory): Promise<Finding> =>
  look('keys', 'SECRET_KEY', secretKeyRemedy, async () => {
    const verdict = await checkSecretKey(directory, secretBox(config.secretKeys))
    if (verdict === 'wrong') return failed(`${wrongSecretKey}.`, secretKeyRemedy)
    return verdict === 'unused'
      ? skipped('The database has no encrypted secrets yet.')
      : ok("It decrypts the database's secrets.")
  })

/** What this machine would sign with, beside what the processes that run say of themselves. */
const logKeys = (config: Config, directory: Directory): Promise<Finding> => {
  const remedy = 'Copy the current key file to every machine; processes reload it within seconds.'
  return look('keys', 'log key of each process', remedy, async () => {
    const ring = openKeyRing(config.log.keys, config.logHost)
    const [stolen, signers] = await directory.identity(
      caller,
      async (tx) => [await readStolenKeys(tx), await readSigners(tx)] as const,
      'read',
    )
    ring.report(stolen)
    const { vkey } = ring.current
    if (ring.refuses) return failed(`This machine's log key ${vkey} was stolen.`, remedy)
    const nameOf = ({ process, role, vkey: key, refuses }: (typeof signers)[0]) =>
      `${process} (${role}) ${refuses ? 'has stopped signing, because its key was stolen:' : 'signs with'} ${key}`
    const others = signers.filter((each) => each.refuses || each.vkey !== vkey)
    if (others.some(({ refuses }) => refuses)) return failed(`${others.map(nameOf).join('; ')}.`, remedy)
    if (others.length > 0) return warning(`${others.map(nameOf).join('; ')}. This machine has ${vkey}.`, remedy)
    if (signers.length === 0) return skipped('No processes are running.')
    const all = signers.map(({ process, role }) => `${process} (${role})`).join(', ')
    return ok(`${all}: ${signers.length === 1 ? 'signs' : 'all sign'} with ${vkey}.`)
  })
}

export async function keyChecks(config: Config): Promise<readonly Finding[]> {
  const directory = openDirectory(config, makeLog({ logLevel: 'silent' }))
  try {
    return await Promise.all([secretKey(config, directory), logKeys(config, directory)])
  } finally {
    await directory.close()
  }
}
