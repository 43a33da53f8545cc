/**
 * For compose.yaml: makes the keys of the server and of the witness, once, and gives each the public key of the other.
 * `node deploy/first-keys.ts SERVER_FOLDER WITNESS_FOLDER`, with TLOG_HOST as the server has it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newLogKey } from '../apps/server/operator/log-key.ts'
import { readLogKeys } from '../apps/server/sealing/log-keys.ts'
import { createKey } from '../packages/witness/key.ts'
import { createState } from '../packages/witness/state.ts'

const [server, witness] = process.argv.slice(2)
const host = process.env.TLOG_HOST
if (!server || !witness || !host) {
  process.stderr.write('TLOG_HOST=localhost:3000 node deploy/first-keys.ts SERVER_FOLDER WITNESS_FOLDER\n')
  process.exit(2)
}

const write = (folder: string, name: string, text: string): void =>
  writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600, flag: 'wx' })

// Written last: a run that was stopped halfway fails the next time, instead of passing for complete.
const complete = join(server, 'complete')
if (existsSync(complete)) {
  process.stdout.write('The keys already exist.\n')
} else {
  const logKey = newLogKey()
  const [signing] = readLogKeys(logKey, host).all
  write(server, 'secret-key', randomBytes(32).toString('base64'))
  write(server, 'log-key', logKey)
  createState(join(witness, 'witness.state'))
  const { vkey: witnessKey } = createKey(join(witness, 'witness.key'), 'witness.localhost/w1')
  write(witness, 'witness.conf', `log ${signing?.vkey}`)
  write(server, 'witnesses', `witness w1 ${witnessKey} http://witness:7380/\nquorum w1`)
  write(server, 'complete', '')
  process.stdout.write('Created the keys of the server and the witness.\n')
}
