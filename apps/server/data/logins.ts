/**
 * The roles that the service logs in as. A role and its time-outs belong to the login on the server side, so that a
 * connection has them whatever is in between: a pooler drops start-up options, and may give a session of another client.
 */
import pg from 'pg'
import type { Logins } from '../config/config.ts'

export const serviceRoles = ['cs_api', 'cs_auth', 'cs_recorder', 'cs_sequencer', 'cs_public', 'cs_jobs'] as const
export const loginRoles = [...serviceRoles, 'cs_operator'] as const
export type Role = (typeof loginRoles)[number]

export const withoutPasswords: Logins = { password: null, operatorPassword: null }

export const passwordOf = ({ password, operatorPassword }: Logins, role: Role): string | null =>
  (role === 'cs_operator' ? operatorPassword : password)?.() ?? null

const sessionSettings = {
  statement_timeout: '5s',
  // The longest time that a duplicate of a slow request waits for the first one before it gets 503.
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
  // The planner overestimates row-level security conditions, and JIT compilation takes longer than any query here.
  jit: 'off',
  // Times are also read from JSON in the session's time zone, and historical offsets with seconds cannot be parsed.
  TimeZone: 'UTC',
}

/** A batch reads and writes rows by their keys only, and keeps its plans from the time when the tables were empty. */
const keysOnly = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** Set with ALTER ROLE by `npm run db:migrate`. */
export const settingsOf = (role: Role): Readonly<Record<string, string>> =>
  role === 'cs_sequencer' ? { ...sessionSettings, ...keysOnly } : sessionSettings

/** The address of a database with one of our roles in place of the user that the address names. */
export function loginUrl(url: string, role: Role, logins: Logins): string {
  const login = new URL(url)
  login.username = ''
  login.password = ''
  // As parameters: an address without a host, as that of a socket, cannot have a user name before it.
  login.searchParams.set('user', role)
  const password = passwordOf(logins, role)
  if (password !== null) login.searchParams.set('password', password)
  return login.href
}

interface Identity {
  readonly role: string
  readonly login: string
  /** Roles that row-level security does not bind, or that may take the rights of such a role. */
  readonly unbound: boolean
  readonly others: string[]
  readonly unlimited: string[]
}

/** Roles that the login is a member of are those that SET ROLE admits. */
const identityQuery = `
  select current_user::text as role, session_user::text as login,
    exists (select from pg_catalog.pg_roles r
      where (r.rolsuper or r.rolbypassrls) and pg_catalog.pg_has_role(session_user, r.oid, 'member')) as unbound,
    array(select r.rolname::text from pg_catalog.pg_roles r
      where r.rolname like 'cs\\_%' and r.rolname <> current_user
        and pg_catalog.pg_has_role(session_user, r.oid, 'member')) as others,
    array(select s.name from (values ('statement_timeout'), ('lock_timeout'), ('idle_in_transaction_session_timeout'), ('TimeZone')) s (name)
      where case s.name when 'TimeZone' then current_setting(s.name) <> 'UTC' else current_setting(s.name) = '0' end) as unlimited`
/** A server that accepts a connection and then says nothing must not hold a request for longer than a refusal would. */
const identityMs = 2000

export class WrongLogin extends Error {}

/**
 * Refuses a server that asks for the password in clear, with TLS too: the address of a cell comes from the directory, and
 * another server at that address would learn the password of every database.
 */
export class LoginClient extends pg.Client {
  constructor(config?: pg.ClientConfig & { readonly onRefusal?: (error: WrongLogin) => void }) {
    super(config)
    this.connection.on('authenticationCleartextPassword', () => {
      const refusal = new WrongLogin(
        `The database at ${this.host}:${this.port} asks for the password in clear, and it was not sent. Use scram-sha-256 in its pg_hba.conf.`,
      )
      config?.onRefusal?.(refusal)
      this.connection.stream.destroy(refusal)
    })
  }
}

function faultIn({ role, login, unbound, others, unlimited }: Identity, expected: Role): string | null {
  if (role !== expected || login !== expected) {
    return `it runs as "${role}" and is logged in as "${login}". Remove what replaces the user, such as user= of a pooler`
  }
  if (unbound) return 'row-level security does not bind it. Revoke SUPERUSER and BYPASSRLS from it and from its groups'
  if (others.length > 0) return `it may become ${others.join(', ')}. Revoke these roles from it`
  if (unlimited.length > 0) return `it lacks the settings of its role (${unlimited.join(', ')}). Run npm run db:migrate`
  return null
}

/** Throws unless the connection is one of this role and of nothing else. */
export async function requireLogin(client: Pick<pg.ClientBase, 'query'>, role: Role): Promise<void> {
  const { rows } = await client.query<Identity>({
    text: identityQuery,
    query_timeout: identityMs,
  } as pg.QueryConfig)
  const fault = faultIn(rows[0] as Identity, role)
  if (fault) throw new WrongLogin(`A database connection for ${role} was closed: ${fault}.`)
}
