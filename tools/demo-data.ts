/** Demo data: two partners, a center of every vertical, an account for every role and status. A further run adds a set of keys and changes nothing else. */
import type { Vertical } from '@countersign/contract/enums.ts'
import { apiKeyPrefix, environmentOf, hashApiKey, newApiKey } from '@countersign/server/access/api-key-format.ts'
import { passwords } from '@countersign/server/access/passwords.ts'
import type { Config } from '@countersign/server/config/config.ts'
import type { OperatorTx } from '@countersign/server/data/directory.ts'
import { openOperatorShell } from '@countersign/server/data/operator.ts'
import { foundCenter } from '@countersign/server/features/centers/provisioning/api.ts'
import { createSandbox } from '@countersign/server/features/centers/sandboxes/api.ts'
import { moveSubscription } from '@countersign/server/features/centers/subscription/api.ts'
import { actorOfLogin } from '@countersign/server/features/identity/auth/api.ts'
import { emailIdentifier } from '@countersign/server/features/identity/auth/identifier.ts'
import { now, secondsFromNow } from '@countersign/server/lib/clock.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { sql } from 'kysely'
import { bookSome } from './demo-bookings.ts'
import { accounts, centers, type DemoCenter, type Extra, type Profile, partners } from './demo-cast.ts'

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
  readonly centers: readonly { id: number; domain: string; name: string; vertical: Vertical }[]
  readonly accounts: Readonly<Record<string, DemoAccount>>
  readonly apiKeys: Readonly<Record<KeyName, string>>
}

type KeyName = 'agent' | 'write' | 'read' | 'approve' | 'expired' | 'otherWrite' | 'otherApprove' | 'sandbox'

export class DemoRefused extends Error {}

const caller = { requestId: 'demo', actorId: 'operator:demo', centerId: 0 }

/** The password of every person who can sign in: the accounts, and the administrators of the other centers. */
const passwordOf = (key: string): string => `demo-${key}-password`
const loginsOfAccounts = Object.entries(accounts).map(([key, { memberships }]) => ({
  key,
  email: `${key.toLowerCase()}@${centers[memberships[0]?.center ?? 0]?.domain}.example`,
}))
const loginsOfExtras = centers.flatMap(({ domain, people }) =>
  people.flatMap(({ key }) => (key === 'admin' ? [{ key, email: `admin@${domain}.example` }] : [])),
)

export async function seedDemo(config: Config): Promise<Demo> {
  if (config.production)
    throw new DemoRefused(
      'Demo data has public passwords and is refused with NODE_ENV=production. Use a development database.',
    )
  const log = makeLog({ logLevel: 'silent' })
  const shell = openOperatorShell(config, log)
  try {
    const hashes = await shell.asOperator(caller, missingLogins).then(hashPasswords)
    const demo = await shell.asOperator(caller, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('demo data'))`.execute(tx.db)
      return seed(tx, config, hashes)
    })
    await bookSome(config, log, demo.centers)
    return demo
  } finally {
    await shell.close()
  }
}

async function missingLogins(tx: OperatorTx): Promise<{ key: string; email: string }[]> {
  const missing: { key: string; email: string }[] = []
  for (const login of [...loginsOfAccounts, ...loginsOfExtras]) {
    if (!(await actorOfLogin(tx, emailIdentifier(login.email)))) missing.push(login)
  }
  return missing
}

/** Password hashes by address. Outside of any transaction, because hashing is slow on purpose. */
async function hashPasswords(logins: readonly { key: string; email: string }[]): Promise<Map<string, string>> {
  const { hash } = passwords()
  return new Map(
    await Promise.all(
      logins.map(async ({ key, email }): Promise<[string, string]> => [email, await hash(passwordOf(key))]),
    ),
  )
}

async function seed(tx: OperatorTx, config: Config, hashes: ReadonlyMap<string, string>): Promise<Demo> {
  const partnerIds = new Map<string, string>()
  for (const { name, kind } of partners) partnerIds.set(name, await partner(tx, name, kind))
  const actorIds = new Map<string, string>()
  for (const { key, email } of loginsOfAccounts) {
    const { name, memberships, operator = false } = accounts[key] as (typeof accounts)[string]
    actorIds.set(key, await person(tx, { email, name, operator, role: memberships[0]?.role ?? 'ADMIN' }, hashes))
  }
  const ids: number[] = []
  for (const center of centers) ids.push(await centerWithPeople(tx, config, center, partnerIds, actorIds, hashes))
  for (const [key, { partner: account }] of Object.entries(accounts)) {
    if (!account) continue
    const values = { partner_id: partnerIds.get(account.name) as string, actor_id: actorIds.get(key) as string }
    await tx.db
      .insertInto('partner_accounts')
      .values({ ...values, role: account.role })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const [first, second] = ids as [number, number]
  const sandbox = await sandboxOf(tx, config, first, actorIds.get('admin') as string)
  return {
    baseUrl: `http://localhost:${config.port}/api`,
    publicUrl: config.publicUrl,
    centers: centers.map(({ domain, name, vertical }, index) => ({ id: ids[index] as number, domain, name, vertical })),
    accounts: Object.fromEntries(
      loginsOfAccounts.map(({ key, email }) => {
        const home = accounts[key]?.memberships[0]?.center
        const shown: DemoAccount = {
          email,
          password: passwordOf(key),
          actorId: actorIds.get(key) as string,
          centerId: home === undefined ? null : (ids[home] as number),
          centerDomain: home === undefined ? null : (centers[home]?.domain ?? null),
        }
        return [key, shown]
      }),
    ),
    apiKeys: {
      agent: await freshKey(tx, first, 'demo agent', ['decide'], null, { id: 'refund-agent', type: 'ai_agent' }),
      write: await freshKey(tx, first, 'demo write', ['proof:write', 'events:write']),
      read: await freshKey(tx, first, 'demo read', ['proof:read']),
      approve: await freshKey(tx, first, 'demo approve', ['proof:approve']),
      expired: await freshKey(tx, first, 'demo expired', ['proof:write'], secondsFromNow(-1)),
      otherWrite: await freshKey(tx, second, 'demo other center', ['proof:write', 'events:write']),
      otherApprove: await freshKey(tx, second, 'demo other center approve', ['proof:approve']),
      sandbox: await freshKey(tx, sandbox, 'demo sandbox', ['proof:write', 'events:write']),
    },
  }
}

async function partner(tx: OperatorTx, name: string, kind: string): Promise<string> {
  const found = await tx.db.selectFrom('partners').select('id').where('name', '=', name).executeTakeFirst()
  if (found) return found.id
  const id = newUuid()
  await tx.db.insertInto('partners').values({ id, name, kind }).execute()
  return id
}

interface NewPerson {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly operator?: boolean
}

/** People with a password can sign in; the others only appear in lists. */
async function person(tx: OperatorTx, { email, operator, ...actor }: NewPerson, hashes: ReadonlyMap<string, string>) {
  const known = await actorOfLogin(tx, emailIdentifier(email))
  if (known) return known
  const id = newUuid()
  await tx.db
    .insertInto('actors')
    .values({ id, email, email_verified_at: now(), is_operator: operator ?? false, ...actor })
    .execute()
  const password_hash = hashes.get(email)
  if (password_hash !== undefined) {
    await tx.db.insertInto('credentials').values({ actor_id: id, password_hash }).execute()
    await tx.db
      .insertInto('login_identifiers')
      .values({ identifier: emailIdentifier(email), actor_id: id })
      .execute()
  }
  return id
}

/** Creates all demo data, or returns the existing data. */
async function centerWithPeople(
  tx: OperatorTx,
  config: Config,
  center: DemoCenter,
  partnerIds: ReadonlyMap<string, string>,
  actorIds: ReadonlyMap<string, string>,
  hashes: ReadonlyMap<string, string>,
): Promise<number> {
  const { domain, name, vertical, tenantType, planId } = center
  const found = await tx.db.selectFrom('centers').select('id').where('domain', '=', domain).executeTakeFirst()
  if (found) return found.id
  const partnerId = partnerIds.get(center.partner ?? '') ?? null
  const founding = { name, subdomain: domain, vertical, tenantType, partnerId, planId }
  const id = await foundCenter(config, tx, founding, async (own) => {
    for (const [key, { memberships, profile }] of Object.entries(accounts)) {
      for (const { center: place, role, status } of memberships) {
        if (centers[place] === center) await member(own, actorIds.get(key) as string, role, status, profile)
      }
    }
    if (center === centers[0]) await link(own, actorIds.get('parent') as string, actorIds.get('child') as string)
    await extras(own, domain, center.people, hashes)
  })
  await sql`update directory.centers set settings = jsonb_set(settings, '{branding,description}', ${JSON.stringify(center.description)}::jsonb)
    where id = ${id}`.execute(tx.db)
  for (const status of center.moves) await moveSubscription(tx, id, status)
  return id
}

/** A sandbox that was reset stays as it is. */
async function sandboxOf(tx: OperatorTx, config: Config, center: number, adminId: string): Promise<number> {
  const found = await tx.db
    .selectFrom('centers')
    .select('id')
    .where('sandbox_of', '=', center)
    .where('status', '<>', 'INACTIVE')
    .executeTakeFirst()
  return found?.id ?? (await createSandbox({ config }, tx, center, adminId))
}

async function extras(
  own: OperatorTx,
  domain: string,
  people: readonly Extra[],
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  const known = new Map<string, string>()
  for (const { key, name, role, status = 'ACTIVE', profile, parent } of people) {
    const id = await person(own, { email: `${key}@${domain}.example`, name, role }, hashes)
    known.set(key, id)
    await member(own, id, role, status, profile)
    if (parent) await link(own, known.get(parent) as string, id)
  }
}

async function member(own: OperatorTx, actorId: string, role: string, status: string, profile?: Profile) {
  const center_id = own.caller.centerId
  await own.db
    .insertInto('memberships')
    .values({ center_id, id: newUuid(), actor_id: actorId, role, status, ended_at: status === 'ENDED' ? now() : null })
    .execute()
  if (!profile) return
  const { specialties, hours } = profile
  await own.db
    .insertInto('instructor_profiles')
    .values({ center_id, actor_id: actorId, specialties: [...specialties], hours: hours && JSON.stringify(hours) })
    .execute()
}

const link = (own: OperatorTx, parent_id: string, child_id: string) =>
  own.db
    .insertInto('guardianships')
    .values({
      center_id: own.caller.centerId,
      id: newUuid(),
      parent_id,
      child_id,
      status: 'ACTIVE',
      accepted_at: now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** A new key. The two newest with its name stay valid, so that keys printed by the last runs still work. */
async function freshKey(
  tx: OperatorTx,
  center: number,
  name: string,
  scopes: string[],
  expiresAt: Date | null = null,
  boundTo: { readonly id: string; readonly type: string } | null = null,
): Promise<string> {
  const key = newApiKey(environmentOf(center))
  const live = await tx.db
    .selectFrom('api_keys')
    .select('id')
    .where('center_id', '=', center)
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  const outdated = live.slice(2).map(({ id }) => id)
  if (outdated.length > 0)
    await tx.db
      .updateTable('api_keys')
      .set({ revoked_at: now() })
      .where('center_id', '=', center)
      .where('id', 'in', outdated)
      .execute()
  const row = { center_id: center, id: newUuid(), hash: hashApiKey(key), prefix: apiKeyPrefix(key), name, scopes }
  await tx.db
    .insertInto('api_keys')
    .values({ ...row, expires_at: expiresAt, bound_to: boundTo && JSON.stringify(boundTo) })
    .execute()
  return key
}
