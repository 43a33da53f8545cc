/** Inserts people, centers and keys into a directory, as the operator would. */
import { argon2Sync } from 'node:crypto'
import { apiKeyPrefix, environmentOf, hashApiKey, newApiKey } from '@countersign/server/access/api-key-format.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import pg from 'pg'

export interface Center {
  readonly id: number
  readonly domain: string
}

export interface Person {
  readonly actorId: string
  readonly email: string
  readonly password: string
}

export interface Partner {
  readonly id: string
  readonly name: string
}

export interface World {
  center(options?: {
    cell?: string
    status?: string
    /** Proven. */
    customDomain?: string
    tenantType?: string
    partner?: Partner
    name?: string
    country?: string
  }): Promise<Center>
  /** The sandbox of a center, with its ADMIN. */
  sandbox(owner: Center, by: Person): Promise<Center>
  partner(kind?: 'franchise' | 'white_label'): Promise<Partner>
  /** Makes a person an account of a partner. */
  account(person: Person, partner: Partner, role?: string): Promise<void>
  person(options?: {
    email?: string
    phone?: string
    verified?: boolean
    login?: boolean
    partner?: boolean
    operator?: boolean
  }): Promise<Person>
  member(person: Person, center: Center, role?: string, status?: string): Promise<void>
  /** Both are members of the center. */
  guardian(parent: Pick<Person, 'actorId'>, child: Pick<Person, 'actorId'>, center: Center): Promise<void>
  setMembership(person: Person, center: Center, change: { status?: string; role?: string }): Promise<void>
  setCenterStatus(center: Center, status: string): Promise<void>
  key(
    center: Center,
    options?: {
      scopes?: string[]
      expiresAt?: Date
      revoked?: boolean
      rateLimit?: number
      boundTo?: { id: string; type: string }
    },
  ): Promise<string>
  /** Queries as the operator role, or as the superuser of the test cluster when `asOwner` is set. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[], asOwner?: boolean): Promise<R[]>
  close(): Promise<void>
}

// One cheap hash for all people: thousands sign in during the tests. Password hashing has its own tests.
const password = 'a password for tests'
const cheap = { memory: 64, passes: 1, parallelism: 1 }
const salt = Buffer.alloc(16)
const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const tag = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...cheap })
const passwordHash = `$argon2id$v=19$m=64,t=1,p=1$${bare(salt)}$${bare(tag)}`

export async function openWorld(url: string): Promise<World> {
  const operator = new pg.Pool({ connectionString: url, options: '-c role=cs_operator', max: 3 })
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  operator.on('error', () => {})
  owner.on('error', () => {})
  const unique = () => newUuid().replaceAll('-', '').slice(-12)
  const run = (text: string, values: unknown[]) => operator.query(text, values)

  async function partner(kind: 'franchise' | 'white_label' = 'franchise'): Promise<Partner> {
    const made = { id: newUuid(), name: `Partner ${unique()}` }
    await run(`insert into directory.partners (id, name, kind) values ($1, $2, $3)`, [made.id, made.name, kind])
    return made
  }

  async function account({ actorId }: Person, { id }: Partner, role = 'PARTNER_ADMIN'): Promise<void> {
    await run('insert into directory.partner_accounts (partner_id, actor_id, role) values ($1, $2, $3)', [
      id,
      actorId,
      role,
    ])
  }

  async function member(person: Person, center: Center, role = 'ADMIN', status = 'ACTIVE'): Promise<void> {
    await run('insert into directory.memberships (center_id, id, actor_id, role, status) values ($1, $2, $3, $4, $5)', [
      center.id,
      newUuid(),
      person.actorId,
      role,
      status,
    ])
  }

  return {
    async center(options = {}) {
      const { cell = 'main', status = 'ACTIVE', customDomain, tenantType = 'CENTER', partner, name, country } = options
      const domain = `c-${unique()}`
      const settings = customDomain ? { branding: { customDomain } } : {}
      const { rows } = await run(
        `insert into directory.centers (domain, name, vertical, cell, status, settings, tenant_type, partner_id, country)
         values ($1, $2, 'education', $3, $4, $5, $6, $7, $8) returning id`,
        [domain, name ?? `Center ${domain}`, cell, status, settings, tenantType, partner?.id ?? null, country ?? 'KR'],
      )
      if (customDomain) {
        await owner.query(
          `insert into directory.domains (id, center_id, purpose, domain, token, created_at, proven_at, next_check_at)
           values ($1, $2, 'site', lower($3), 'token', now(), now(), now() + interval '1 day')`,
          [newUuid(), rows[0].id, customDomain],
        )
      }
      return { id: rows[0].id, domain }
    },
    async sandbox(owner, by) {
      const domain = `sandbox-${unique()}`
      const { rows } = await run(
        `insert into directory.centers (id, domain, name, vertical, sandbox_of, sandbox_by)
         values (nextval('directory.sandbox_ids'), $1, 'A sandbox', 'education', $2, $3) returning id`,
        [domain, owner.id, by.actorId],
      )
      const made = { id: rows[0].id, domain }
      await member(by, made)
      return made
    },
    partner,
    account,
    member,
    async guardian(parent, child, center) {
      await run(
        `insert into directory.guardianships (center_id, id, parent_id, child_id, status, accepted_at)
         values ($1, $2, $3, $4, 'ACTIVE', now())`,
        [center.id, newUuid(), parent.actorId, child.actorId],
      )
    },
    async person({
      email = `p-${unique()}@people.example`,
      phone,
      verified = true,
      login = true,
      partner: isPartner = false,
      operator = false,
    } = {}) {
      const actorId = newUuid()
      await run(
        `insert into directory.actors (id, email, email_verified_at, phone, phone_verified_at, name, is_operator)
         values ($1, $2, case when $3 then now() end, $4, case when $3 and $4::text is not null then now() end, $5, $6)`,
        [actorId, email, verified, phone ?? null, `Person ${email.split('@')[0]}`, operator],
      )
      if (login) {
        await run('insert into directory.credentials (actor_id, password_hash) values ($1, $2)', [
          actorId,
          passwordHash,
        ])
        for (const identifier of [`email:${email}`, ...(phone ? [`phone:${phone}`] : [])]) {
          await run('insert into directory.login_identifiers (identifier, actor_id) values ($1, $2)', [
            identifier,
            actorId,
          ])
        }
      }
      const made = { actorId, email, password }
      if (isPartner) await account(made, await partner())
      return made
    },
    async setMembership(person, center, { status, role }) {
      await run(
        'update directory.memberships set status = coalesce($3, status), role = coalesce($4, role) where actor_id = $1 and center_id = $2',
        [person.actorId, center.id, status ?? null, role ?? null],
      )
    },
    async setCenterStatus(center, status) {
      await run('update directory.centers set status = $2 where id = $1', [center.id, status])
    },
    async key(center, { scopes = ['proof:write'], expiresAt, revoked = false, rateLimit, boundTo } = {}) {
      const key = newApiKey(environmentOf(center.id))
      await run(
        `insert into directory.api_keys (center_id, id, hash, prefix, name, scopes, expires_at, revoked_at, rate_limit, bound_to)
         values ($1, $2, $3, $4, 'test', $5, $6, $7, $8, $9)`,
        [
          center.id,
          newUuid(),
          hashApiKey(key),
          apiKeyPrefix(key),
          scopes,
          expiresAt ?? null,
          revoked ? new Date() : null,
          rateLimit ?? null,
          boundTo ? JSON.stringify(boundTo) : null,
        ],
      )
      return key
    },
    query: async (text, values = [], asOwner = true) => (await (asOwner ? owner : operator).query(text, values)).rows,
    close: async () => {
      await Promise.all([operator.end(), owner.end()])
    },
  }
}
