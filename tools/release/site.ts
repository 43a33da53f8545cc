/** Where a rehearsal installs releases: a fresh database, folders for keys and the fence, a mailbox, and the settings of production. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mailbox, openMailbox } from '../../tests/support/mailbox.ts'
import { databaseUrl, withClient } from '../postgres.ts'
import type { Installed, Settings } from './installation.ts'
import { fail } from './shared.ts'

export interface Site {
  readonly mailbox: Mailbox
  readonly settings: Settings
  close(): Promise<void>
}

function required(name: 'DATABASE_URL' | 'REDIS_URL'): string {
  const value = process.env[name]
  if (!value) fail(`${name} is missing. Name a server on which the rehearsal may make what it needs.`)
  return value
}

const passwords = ['DATABASE_PASSWORD', 'DATABASE_OPERATOR_PASSWORD'] as const

/** `first` makes the key of the log. */
export async function openSite(folder: string, first: Installed): Promise<Site> {
  const [server, redis] = [required('DATABASE_URL'), required('REDIS_URL')]
  const name = `countersign_rehearsal_${randomBytes(4).toString('hex')}`
  const [fence, copy, keyFile] = ['fence', 'fence-copy', 'log-key'].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ]
  for (const each of [fence, copy]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const key = await first.command(['operator', 'log-key', 'new'], {})
  if (key.code !== 0) fail(`The first release made no key of the log: ${key.err}`)
  writeFileSync(keyFile, key.out, { mode: 0o600 })
  const mailbox = await openMailbox()
  await withClient(server, (client) => client.query(`create database ${name}`))
  return {
    mailbox,
    settings: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://localhost',
      DATABASE_URL: databaseUrl(server, name),
      REDIS_URL: redis,
      REDIS_PREFIX: name,
      SECRET_KEY: randomBytes(32).toString('base64'),
      TLOG_KEY_FILE: keyFile,
      TLOG_FENCE: fence,
      TLOG_FENCE_COPY: copy,
      SMTP_URL: `${mailbox.url}?ignoreTLS=true`,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      // A delivery that a stopped worker did not finish is due again soon.
      WEBHOOK_RETRY_DELAYS: '0,1,2,5,10,30',
      // Three processes leave connections for others on the same server.
      POOL_SIZE: '4',
      // The limits of callers are not what is rehearsed.
      RATE_LIMIT_PROOF: '100000/60',
      ...Object.fromEntries(passwords.flatMap((each) => (process.env[each] ? [[each, process.env[each]]] : []))),
    },
    async close() {
      await mailbox.close()
      await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}
