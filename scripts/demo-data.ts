/** Demo data: two partners, two centers, an account for every role and standing. Running it again changes nothing but the keys. */
import { apiKeyPrefix, hashApiKey, newApiKey } from '@countersign/server/access/api-key-format.ts'
import { passwords } from '@countersign/server/access/passwords.ts'
import type { Config } from '@countersign/server/config.ts'
import { emailIdentifier } from '@countersign/server/features/auth/identifier.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import pg from 'pg'

const centers = [
  { domain: 'haneul', name: 'Haneul Rehabilitation Center', vertical: 'rehabilitation' },
  { domain: 'badaro', name: 'Badaro Learning Center', vertical: 'education' },
] as const

type Status = 'INVITED' | 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'ENDED'
interface Account {
  readonly name: string
  readonly memberships: readonly { readonly center: 0 | 1; readonly role: string; readonly status: Status }[]
  readonly partner?: { readonly name: string; readonly role: 'PARTNER_ADMIN' | 'PARTNER_OPERATOR' }
  readonly operator?: boolean
}

const one = (center: 0 | 1, role: string, status: Status = 'ACTIVE') => [{ center, role, status }]
const ownPartner = 'Onnuri Partners'

const accounts: Record<string, Account> = {
  admin: { name: 'Ara Kim', memberships: one(0, 'ADMIN') },
  instructor: { name: 'Ian Park', memberships: one(0, 'INSTRUCTOR') },
  parent: { name: 'Petra Lee', memberships: one(0, 'PARENT') },
  child: { name: 'Chan Lee', memberships: one(0, 'CHILD') },
  invited: { name: 'Ines Choi', memberships: one(0, 'INSTRUCTOR', 'INVITED') },
  pending: { name: 'Paul Jung', memberships: one(0, 'INSTRUCTOR', 'PENDING') },
  suspended: { name: 'Sua Han', memberships: one(0, 'INSTRUCTOR', 'SUSPENDED') },
  ended: { name: 'Erik Moon', memberships: one(0, 'INSTRUCTOR', 'ENDED') },
  multi: { name: 'Mina Seo', memberships: [...one(0, 'INSTRUCTOR'), ...one(1, 'INSTRUCTOR')] },
  outsider: { name: 'Olaf Yoon', memberships: [] },
  otherAdmin: { name: 'Oda Kang', memberships: one(1, 'ADMIN') },
  partnerAdmin: { name: 'Pia Shin', memberships: [], partner: { name: ownPartner, role: 'PARTNER_ADMIN' } },
  partnerOperator: { name: 'Per Oh', memberships: [], partner: { name: ownPartner, role: 'PARTNER_OPERATOR' } },
  otherPartnerAdmin: {
    name: 'Ola Ryu',
    memberships: [],
    partner: { name: 'Haedoji Franchise', role: 'PARTNER_ADMIN' },
  },
  operator: { name: 'Opal Nam', memberships: [], operator: true },
}

export interface DemoAccount {
  readonly email: string
  readonly password: string
  readonly actorId: string
  readonly centerId: number | null
  readonly centerDomain: string | null
}

export interface Demo {
  readonly baseUrl: string
  readonly publicUrl: string
  readonly centers: readonly { id: number; domain: string; name: string; vertical: string }[]
  readonly accounts: Readonly<Record<string, DemoAccount>>
  readonly apiKeys: Readonly<Record<'write' | 'read' | 'expired' | 'otherWrite', string>>
}

export class DemoRefused extends Error {}

export async function seedDemo(config: Config): Promise<Demo> {
  if (config.production)
    throw new DemoRefused('Demo data has well-known passwords: it is not made with NODE_ENV=production.')
  const client = new pg.Client({ connectionString: config.databaseUrl, options: '-c role=cs_operator' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('demo data'))`)
    const demo = await seed(client, config)
    await client.query('commit')
    return demo
  } finally {
    await client.end()
  }
}

async function seed(client: pg.Client, config: Config): Promise<Demo> {
  const partners: Record<string, string> = {}
  for (const [name, kind] of [
    [ownPartner, 'white_label'],
    ['Haedoji Franchise', 'franchise'],
  ] as const) {
    partners[name] = await partnerId(client, name, kind)
  }
  const cells = [...config.cells.keys()]
  const centerIds: number[] = []
  for (const [index, center] of centers.entries()) {
    // Spread over the cells, so that a demo with two cells shows both.
    centerIds.push(
      await centerId(client, center, partners[ownPartner] as string, cells[index % cells.length] as string),
    )
  }
  const shown: Record<string, DemoAccount> = {}
  for (const [key, account] of Object.entries(accounts)) {
    shown[key] = await seedAccount(client, key, account, centerIds, partners)
  }
  const [first, second] = centerIds as [number, number]
  return {
    baseUrl: `http://localhost:${config.port}/api`,
    publicUrl: config.publicUrl,
    centers: centers.map((center, index) => ({ id: centerIds[index] as number, ...center })),
    accounts: shown,
    apiKeys: {
      write: await freshKey(client, first, 'demo write', ['proof:write', 'events:write']),
      read: await freshKey(client, first, 'demo read', ['proof:read']),
      expired: await freshKey(client, first, 'demo expired', ['proof:write'], 'expired'),
      otherWrite: await freshKey(client, second, 'demo other center', ['proof:write', 'events:write']),
    },
  }
}

async function partnerId(client: pg.Client, name: string, kind: string): Promise<string> {
  const found = await client.query('select id from directory.partners where name = $1', [name])
  if (found.rows[0]) return found.rows[0].id
  const { rows } = await client.query(
    'insert into directory.partners (id, name, kind) values ($1, $2, $3) returning id',
    [newUuid(), name, kind],
  )
  return rows[0].id
}

async function centerId(
  client: pg.Client,
  center: (typeof centers)[number],
  partner: string,
  cell: string,
): Promise<number> {
  const { rows } = await client.query(
    `insert into directory.centers (domain, name, vertical, partner_id, cell) values ($1, $2, $3, $4, $5)
     on conflict (domain) do update set name = excluded.name returning id`,
    [center.domain, center.name, center.vertical, partner, cell],
  )
  return rows[0].id
}

async function seedAccount(
  client: pg.Client,
  key: string,
  account: Account,
  centerIds: readonly number[],
  partners: Record<string, string>,
): Promise<DemoAccount> {
  const email = `${key.toLowerCase()}@${account.memberships[0]?.center === 1 ? 'badaro' : 'haneul'}.example`
  const password = `demo-${key}-password`
  const actorId = (await existingActor(client, email)) ?? (await newActor(client, email, password, account))
  for (const { center, role, status } of account.memberships) {
    await client.query(
      `insert into directory.memberships (center_id, id, actor_id, role, status, ended_at)
       values ($1, $2, $3, $4, $5, case when $5 = 'ENDED' then now() end) on conflict (center_id, actor_id) do nothing`,
      [centerIds[center], newUuid(), actorId, role, status],
    )
  }
  if (account.partner) {
    await client.query(
      'insert into directory.partner_accounts (partner_id, actor_id, role) values ($1, $2, $3) on conflict do nothing',
      [partners[account.partner.name], actorId, account.partner.role],
    )
  }
  const home = account.memberships[0]?.center
  return {
    email,
    password,
    actorId,
    centerId: home === undefined ? null : (centerIds[home] as number),
    centerDomain: home === undefined ? null : (centers[home]?.domain ?? null),
  }
}

async function existingActor(client: pg.Client, email: string): Promise<string | undefined> {
  const { rows } = await client.query('select actor_id from directory.login_identifiers where identifier = $1', [
    emailIdentifier(email),
  ])
  return rows[0]?.actor_id
}

async function newActor(client: pg.Client, email: string, password: string, account: Account): Promise<string> {
  const id = newUuid()
  await client.query(
    'insert into directory.actors (id, email, email_verified_at, name, role, is_operator) values ($1, $2, now(), $3, $4, $5)',
    [id, email, account.name, account.memberships[0]?.role ?? 'ADMIN', account.operator ?? false],
  )
  await client.query('insert into directory.credentials (actor_id, password_hash) values ($1, $2)', [
    id,
    await passwords().hash(password),
  ])
  await client.query('insert into directory.login_identifiers (identifier, actor_id) values ($1, $2)', [
    emailIdentifier(email),
    id,
  ])
  return id
}

async function freshKey(
  client: pg.Client,
  center: number,
  name: string,
  scopes: string[],
  expired?: 'expired',
): Promise<string> {
  const key = newApiKey('test')
  await client.query(
    'update directory.api_keys set revoked_at = now() where center_id = $1 and name = $2 and revoked_at is null',
    [center, name],
  )
  await client.query(
    'insert into directory.api_keys (center_id, id, hash, prefix, name, scopes, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
    [center, newUuid(), hashApiKey(key), apiKeyPrefix(key), name, scopes, expired ? new Date(Date.now() - 1000) : null],
  )
  return key
}
