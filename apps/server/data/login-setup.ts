/** `npm run db:migrate` makes the roles logins, with the settings of their sessions and, if one is given, a password. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logins } from '../config/config.ts'
import { loginRoles, passwordOf, type Role, settingsOf } from './logins.ts'

const iterations = 4096

/** What PostgreSQL stores (RFC 5803). The password itself would be part of a statement, which servers log. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

interface LoginRow {
  readonly rolname: Role
  readonly rolcanlogin: boolean
  readonly rolconfig: string[] | null
}

function changes({ rolname: role, rolcanlogin, rolconfig }: LoginRow, logins: Logins): string[] {
  const present = new Set(rolconfig)
  const missing = Object.entries(settingsOf(role)).filter(([name, value]) => !present.has(`${name}=${value}`))
  const password = passwordOf(logins, role)
  return [
    ...(rolcanlogin ? [] : [`alter role ${role} login`]),
    ...missing.map(([name, value]) => `alter role ${role} set ${name} = ${pg.escapeLiteral(value)}`),
    ...(password === null ? [] : [`alter role ${role} password ${pg.escapeLiteral(scramVerifier(password))}`]),
  ]
}

/** Roles belong to the cluster: a migration of another database may change the same ones at the same time. */
const isConcurrent = (error: unknown): boolean => /tuple concurrently updated/.test((error as Error).message)
const attempts = 20

export async function setUpLogins(client: pg.Client, logins: Logins): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await client.query<LoginRow>(
        'select rolname, rolcanlogin, rolconfig from pg_roles where rolname = any ($1) order by rolname',
        [[...loginRoles]],
      )
      for (const change of rows.flatMap((row) => changes(row, logins))) await client.query(change)
      return
    } catch (error) {
      if (!isConcurrent(error) || attempt === attempts) throw error
      await sleep(Math.random() * 10 * attempt)
    }
  }
}
