/** Expired and valid rows in every table whose rows expire, in the form in which the service writes them. */
import { randomBytes } from 'node:crypto'
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../../../tests/support/server.ts'

export interface Planted {
  readonly table: string
  /** A condition that finds the row. */
  readonly where: string
}

export interface PlantedRows {
  readonly expired: readonly Planted[]
  readonly valid: readonly Planted[]
}

const records = ['cell.idempotency_records', 'directory.idempotency_records']

export async function plantRows(
  { world, services }: TestServer,
  when: { expired: string; valid: string },
): Promise<PlantedRows> {
  const [center, person] = [await world.center(), await world.person()]
  // Rows that never expire, in tables that nothing else here fills.
  await world.query(`update directory.centers set name = '하늘재활센터' where id = $1`, [center.id])
  await world.query(
    `insert into cell.workflow_settings (center_id, workflow_key, enabled, parameters, tags, updated_at)
     values ($1, 'x', true, '{}', '{}', now())`,
    [center.id],
  )
  const provider = newUuid()
  await world.query(
    `insert into directory.oidc_providers (id, center_id, name, issuer, client_id, sealed, created_at, updated_at)
     values ($1, $2, 'x', 'https://login.example', 'x', $3, now(), now())`,
    [provider, center.id, services.box.seal('x', `oidc provider ${provider}`)],
  )
  await world.query(
    `insert into directory.oidc_accounts (provider_id, issuer, subject, actor_id, email_domain, linked_at, linked_by)
     values ($1, 'https://login.example', 'x', $2, 'x.example', now(), 'mail')`,
    [provider, person.actorId],
  )
  const site = newUuid()
  await world.query(
    `insert into directory.domains (id, center_id, purpose, domain, token, created_at)
     values ($1, $2, 'site', 'x.example', 'x', now())`,
    [site, center.id],
  )
  await world.query(
    `insert into cell.freezes (center_id, id, covers, reason, rank, made_by, made_at, made_index, last_entry)
     values ($1, gen_random_uuid(), '{"center":true}', 'x', 'center', 'x', now(), 0, 'x')`,
    [center.id],
    true,
  )
  await world.query('insert into cell.left_centers values (999999999) on conflict do nothing', [], true)
  const hash = () => randomBytes(32)
  const rows: { expired: Planted[]; valid: Planted[] } = { expired: [], valid: [] }

  async function session(state: 'expired' | 'valid', revoked: boolean): Promise<string> {
    const id = newUuid()
    await world.query(
      `insert into directory.sessions (id, actor_id, center_id, expires_at, revoked_at, revoke_reason)
       values ($1, $2, $3, now() + $4::interval, case when $5 then now() end, case when $5 then 'logout' end)`,
      [id, person.actorId, center.id, when[state], revoked],
    )
    rows[state].push({ table: 'directory.sessions', where: `id = '${id}'` })
    await world.query('insert into directory.refresh_tokens (hash, session_id, generation) values ($1, $2, 1)', [
      hash(),
      id,
    ])
    rows[state].push({ table: 'directory.refresh_tokens', where: `session_id = '${id}'` })
    return id
  }

  for (const state of ['expired', 'valid'] as const) {
    await session(state, true)
    const living = await session(state, false)
    // A single-use token of a session that stays valid.
    const parent = state === 'expired' ? await session('valid', false) : living
    const token = hash()
    await world.query(
      `insert into directory.sso_tokens (hash, session_id, target_app, expires_at) values ($1, $2, 'lms', now() + $3::interval)`,
      [token, parent, when[state]],
    )
    rows[state].push({ table: 'directory.sso_tokens', where: `hash = '\\x${token.toString('hex')}'` })
    const [invited, membership] = [await world.person({ login: false }), hash()]
    await world.member(invited, center, 'PARENT', 'INVITED')
    await world.query(
      `insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
       select $1, center_id, id, false, now() + $3::interval from directory.memberships where actor_id = $2`,
      [membership, invited.actorId, when[state]],
    )
    rows[state].push({ table: 'directory.invitations', where: `hash = '\\x${membership.toString('hex')}'` })
    const reset = hash()
    await world.query(
      'insert into directory.password_resets (hash, actor_id, expires_at) values ($1, $2, now() + $3::interval)',
      [reset, person.actorId, when[state]],
    )
    rows[state].push({ table: 'directory.password_resets', where: `hash = '\\x${reset.toString('hex')}'` })
    const signUp = hash()
    await world.query(
      `insert into directory.sign_ups (identifier, hash, email, name, asked_at, expires_at)
       values ($1, $2, 'new@people.example', 'Kim', now(), now() + $3::interval)`,
      [`email:${state}@people.example`, signUp, when[state]],
    )
    rows[state].push({ table: 'directory.sign_ups', where: `hash = '\\x${signUp.toString('hex')}'` })
    await world.query(
      `insert into directory.address_changes (actor_id, kind, address, asked_at, code_until, expires_at)
       values ($1, $2, 'new@people.example', now(), now(), now() + $3::interval)`,
      [person.actorId, state === 'expired' ? 'email' : 'phone', when[state]],
      true,
    )
    rows[state].push({
      table: 'directory.address_changes',
      where: `actor_id = '${person.actorId}' and kind = '${state === 'expired' ? 'email' : 'phone'}'`,
    })
    const recipient = hash()
    await world.query(
      'insert into directory.invited_recipients (recipient, invitations, expires_at) values ($1, 1, now() + $2::interval)',
      [recipient, when[state]],
    )
    rows[state].push({
      table: 'directory.invited_recipients',
      where: `recipient = '\\x${recipient.toString('hex')}'`,
    })
    const login = hash()
    await world.query(
      `insert into directory.passkey_challenges (challenge, kind, expires_at) values ($1, 'login', now() + $2::interval)`,
      [login, when[state]],
    )
    rows[state].push({ table: 'directory.passkey_challenges', where: `challenge = '\\x${login.toString('hex')}'` })
    const attempt = hash()
    await world.query(
      `insert into directory.oidc_attempts (hash, kind, provider_id, center_id, browser, sealed, expires_at)
       values ($1, 'login', $2, $3, $1, '', now() + $4::interval)`,
      [attempt, provider, center.id, when[state]],
    )
    rows[state].push({ table: 'directory.oidc_attempts', where: `hash = '\\x${attempt.toString('hex')}'` })
    const handoff = hash()
    await world.query(
      `insert into directory.site_handoffs (hash, kind, site_id, browser, expires_at)
       values ($1, 'begun', $2, $1, now() + $3::interval)`,
      [handoff, site, when[state]],
    )
    rows[state].push({ table: 'directory.site_handoffs', where: `hash = '\\x${handoff.toString('hex')}'` })
    const challenge = hash().toString('base64url')
    await world.query(
      `insert into cell.approval_challenges (center_id, challenge, event_id, actor_id, statement, expires_at)
       values ($1, $2, gen_random_uuid(), $3, '{}', now() + $4::interval)`,
      [center.id, challenge, person.actorId, when[state]],
    )
    rows[state].push({ table: 'cell.approval_challenges', where: `challenge = '${challenge}'` })
    const file = `${state}.json`
    await world.query(
      `insert into cell.center_export_files (center_id, export_id, name, lines, sha256, content, expires_at)
       values ($1, gen_random_uuid(), $2, 0, '', '', now() + $3::interval)`,
      [center.id, file, when[state]],
    )
    rows[state].push({ table: 'cell.center_export_files', where: `name = '${file}'` })
    const mail = newUuid()
    // Not due, so that the mail job does not send it.
    await world.query(
      `insert into directory.mails (id, sealed, next_at, expires_at) values ($1, '', now() + interval '1 hour', now() + $2::interval)`,
      [mail, when[state]],
    )
    rows[state].push({ table: 'directory.mails', where: `id = '${mail}'` })
    // Of a session that stays valid.
    const listening = await session('valid', false)
    await world.query(
      `insert into directory.push_subscriptions (session_id, actor_id, endpoint_hash, sealed, created_at)
       values ($1, $2, $3, '', now())`,
      [listening, person.actorId, hash()],
    )
    rows.valid.push({ table: 'directory.push_subscriptions', where: `session_id = '${listening}'` })
    await world.query(
      `insert into directory.push_notices (session_id, cause, center_id, event_id, next_at, expires_at)
       values ($1, 'decisions', $2, gen_random_uuid(), now() + interval '1 hour', now() + $3::interval)`,
      [listening, center.id, when[state]],
    )
    rows[state].push({ table: 'directory.push_notices', where: `session_id = '${listening}'` })
    const cause = newUuid()
    await world.query(
      `insert into directory.message_causes (id, event, facts, noted_at, told_at, next_at, expires_at)
       values ($1, 'newSignIn', '{}', now(), now(), now(), now() + $2::interval)`,
      [cause, when[state]],
    )
    await world.query(
      `insert into cell.message_causes (center_id, id, event, facts, noted_at, told_at, expires_at)
       values ($1, $2, 'decided', '{}', now(), now(), now() + $3::interval)`,
      [center.id, cause, when[state]],
    )
    for (const table of ['directory.message_causes', 'cell.message_causes'])
      rows[state].push({ table, where: `id = '${cause}'` })
    await world.query(
      `insert into directory.messages_told (cause, actor_id, channel, expires_at) values ($1, $2, 'mail', now() + $3::interval)`,
      [cause, person.actorId, when[state]],
    )
    await world.query(
      `insert into directory.digest_items (actor_id, cause, event, url, due_at, expires_at)
       values ($2, $1, 'decided', '/', now() + interval '1 hour', now() + $3::interval)`,
      [cause, person.actorId, when[state]],
    )
    for (const table of ['directory.messages_told', 'directory.digest_items'])
      rows[state].push({ table, where: `cause = '${cause}'` })
    // Executions are kept for 400 days after their end.
    const execution = newUuid()
    await world.query(
      `insert into cell.executions (center_id, id, workflow_key, status, trigger, alone, parameters, unit_id, started_at, completed_at)
       values ($1, $2, 'x', 'COMPLETED', 'manual', false, '{}', gen_random_uuid(), now() - interval '1000 days',
         now() - interval '400 days' + $3::interval)`,
      [center.id, execution, when[state]],
    )
    rows[state].push({ table: 'cell.executions', where: `id = '${execution}'` })
    await world.query(
      `insert into cell.execution_steps (center_id, execution_id, position, name, status, attempts, output, started_at, completed_at)
       values ($1, $2, 0, 'x', 'COMPLETED', 1, '{}', now(), now())`,
      [center.id, execution],
    )
    rows[state].push({ table: 'cell.execution_steps', where: `execution_id = '${execution}'` })
    const { id: partner } = await world.partner()
    const colleague = hash()
    await world.query(
      `insert into directory.partner_invitations (id, partner_id, email, role, hash, invited_by, created_at, expires_at)
       values (gen_random_uuid(), $1, 'c@partners.example', 'PARTNER_ADMIN', $2, $3, now(), now() + $4::interval)`,
      [partner, colleague, person.actorId, when[state]],
    )
    rows[state].push({ table: 'directory.partner_invitations', where: `hash = '\\x${colleague.toString('hex')}'` })
    // The trigger inserts a row for the visitor that expires at the same time.
    await world.query(
      `insert into directory.partner_visitors (partner_id, day, actor_id, expires_at)
       values ($1, current_date, $2, now() + $3::interval)`,
      [partner, person.actorId, when[state]],
    )
    for (const table of ['directory.partner_visitors', 'directory.partner_visitor_counts']) {
      rows[state].push({ table, where: `partner_id = '${partner}'` })
    }
    for (const table of records) {
      const key = newUuid()
      await world.query(
        `insert into ${table} (center_id, principal, method, path, key, fingerprint, status, expires_at)
         values ($1, 'caller', 'POST', '/x', $2, $3, 201, now() + $4::interval)`,
        [center.id, key, hash(), when[state]],
      )
      rows[state].push({ table, where: `key = '${key}'` })
    }
  }
  return rows
}

export const stillThere = async ({ world }: TestServer, rows: readonly Planted[]): Promise<Planted[]> => {
  const found: Planted[] = []
  for (const row of rows) {
    if ((await world.query(`select from ${row.table} where ${row.where}`)).length > 0) found.push(row)
  }
  return found
}
