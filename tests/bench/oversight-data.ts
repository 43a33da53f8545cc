/** Decisions of a center as rows, made by the database from a seed: who asked, who decided when, and what expired. */
import { typedId } from '@countersign/server/lib/ids.ts'
import type { World } from '../support/world.ts'

export interface DecisionsToMake {
  readonly centerId: number
  readonly rows: number
  readonly seed: number
  /** Members who decide. */
  readonly people: readonly string[]
  readonly policies: number
  readonly agents: number
  /** How far back the first one was asked for. */
  readonly days: number
}

/** In the form that policies have. */
export const policyName = (at: number): string =>
  typedId('policy', `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)

/** At a time: it fits in memory, and its progress can be seen. */
const chunk = 50_000

/** One hash gives all the choices about a decision, the same on every run. */
const made = `
  select i, md5($2 || ':' || i)::uuid as id, decode(md5($2 || ':' || i), 'hex') as b,
    date_trunc('milliseconds', now() - make_interval(days => $3) + make_interval(secs => $3 * 86400.0 * i / $4)) as asked
  from generate_series($5::int, $6::int) i`

/** Some people decide in seconds, some after days; some never open what they decide. */
const chosen = `
  select m.*, least(asked + make_interval(secs => exp(get_byte(b, 0) / 255.0 * ln(259200.0))), now()) as decided,
    case when get_byte(b, 1) < 12 then 'expired' when get_byte(b, 1) < 20 then 'withdrawn'
      when get_byte(b, 1) < 24 then 'guard' end as system,
    get_byte(b, 2) < 32 as refused, get_byte(b, 3) >= 40 as opened, get_byte(b, 4) < 60 as two, get_byte(b, 5) < 10 as free
  from (${made}) m`

export async function makeDecisions(world: World, wanted: DecisionsToMake): Promise<void> {
  const { centerId, rows, seed, people, policies, agents, days } = wanted
  for (let from = 0; from < rows; from += chunk) {
    const span = [centerId, String(seed), days, rows, from, Math.min(rows, from + chunk) - 1]
    await world.query(
      `insert into cell.recorded_decisions
         (center_id, id, decision_id, type, actor, action, tags, action_digest, occurred_at, created_at)
       select $1, id, 'made-' || i, 'ai_recommendation',
         json_build_object('id', 'agent-' || get_byte(b, 6) % $7::int, 'type', 'ai_agent', 'name', 'Agent ' || get_byte(b, 6) % $7::int),
         '{"type":"refund.create"}', '{}', 'sha256:' || repeat('0', 64), asked, asked
       from (${chosen}) c`,
      [...span, agents],
    )
    await world.query(
      `insert into cell.approvals (center_id, id, event_id, position, approver, result, reason, submitted_by, identity_level,
         identity_by, opened_at, created_at)
       select $1, gen_random_uuid(), c.id, n - 1, '{"type":"human"}',
         case when c.system is not null or c.refused and n = 1 + c.two::int then 'rejected' else 'approved' end, c.system,
         '', case when c.system is not null then 'system' when get_byte(b, 7) < 8 then 'claim' else 'session' end,
         ($7::text[])[1 + (get_byte(b, 8) + n * 7) % $8::int],
         case when c.system is null and c.opened
           then greatest(asked, at - make_interval(secs => exp(get_byte(b, 9) / 255.0 * ln(1200.0)))) end, at
       from (${chosen}) c cross join lateral generate_series(1, case when c.two and c.system is null then 2 else 1 end) n
         cross join lateral (select case when c.two and n = 1 and c.system is null then asked + (decided - asked) / 2 else decided end as at) t`,
      [...span, people, people.length],
    )
    await world.query(
      `insert into cell.dpus (center_id, id, domain, chain_index, vertical, evidence_level, policies, salts, prior_controls, sealed_at, updated_at,
         event_seq, event_status, closed_at)
       select $1, c.id, 'proof', -1 - i, 'education', 'AUDIT_READY',
         case when not c.free then (select json_agg(json_build_object('id', ($8::text[])[p + 1])) from (
           select distinct (get_byte(b, 10) + k * 3) % $7::int as p from generate_series(1, 1 + (get_byte(b, 11) < 40)::int) k) p) end,
         '{}', case when c.two and c.system is null and get_byte(b, 12) < 80 then '[{"void":"role"}]'::json end, decided, decided, e.seq, case when c.system is not null or c.refused then 'rejected' else 'sealed' end, decided
       from (${chosen}) c join cell.recorded_decisions e on e.center_id = $1 and e.id = c.id`,
      [...span, policies, Array.from({ length: policies }, (_, at) => policyName(at))],
    )
  }
  await chainUp(world, centerId)
}

/** The entries, in the order of the seals, with hashes that hold. Triggers would judge every entry for itself. */
async function chainUp(world: World, centerId: number): Promise<void> {
  await world.query('analyze cell.dpus')
  await world.query(`
    do $$
    declare
      unit record;
      before text := null;
      hashed text;
    begin
      set local session_replication_role = replica;
      update cell.dpus u set chain_index = r.place from (
        select id, row_number() over (order by sealed_at, id) - 1 as place from cell.dpus
        where center_id = ${centerId} and domain = 'proof') r
      where u.center_id = ${centerId} and u.id = r.id;
      for unit in
        select id, chain_index, to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from cell.dpus where center_id = ${centerId} and domain = 'proof' order by chain_index
      loop
        hashed := 'sha256:' || encode(sha256(convert_to('{}' || coalesce(before, '') || unit.at, 'UTF8')), 'hex');
        insert into cell.entries (center_id, domain, idx, id, template, previous_hash, sealed_at, hash)
        values (${centerId}, 'proof', unit.chain_index, unit.id, '{}', decode(substr(before, 8), 'hex'), unit.at,
          decode(substr(hashed, 8), 'hex'));
        before := hashed;
      end loop;
      insert into cell.chain_heads (center_id, domain, next_index, last_hash, last_sealed_at)
      values (${centerId}, 'proof', unit.chain_index + 1, before, unit.at)
      on conflict (center_id, domain) do update set next_index = excluded.next_index, last_hash = excluded.last_hash,
        last_sealed_at = excluded.last_sealed_at;
    end $$`)
}
