-- incompatible
set local role cs_owner;

-- The audit entry of each sealed decision, without what is the same in all of them. `cell.seal_audit_entries` shows them like the
-- others. Entries that exist stay where they are. docs/decisions/0124-narrow-audit-of-seals.md has the figures.
create table cell.seal_entries (
  -- When it was sealed.
  occurred_at timestamptz(3) not null,
  chain_index bigint not null check (chain_index between 0 and 8796093022207),
  center_id integer,
  event_id uuid not null,
  -- Approved, rejected, completed.
  action smallint not null check (action between 1 and 3),
  chain_hash bytea not null check (octet_length(chain_hash) = 32),
  request bytea not null,
  actor bytea,
  -- Null where it has the digits of the event.
  decision_id text,
  primary key (center_id, occurred_at, chain_index)
);
create index seal_entries_actor on cell.seal_entries (center_id, actor, occurred_at, chain_index);
select countersign.give_tenancy('cell.seal_entries');
select countersign.make_append_only('cell.seal_entries');
create policy by_partner on cell.seal_entries for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
grant select on cell.seal_entries to cs_api;
grant insert on cell.seal_entries to cs_sequencer;
grant select (center_id, occurred_at, chain_index, event_id) on cell.seal_entries to cs_recorder;

-- A byte that says how the id is written, and its 16 bytes; or a zero byte and the id itself.
create function cell.unpacked_id(packed bytea) returns text
language sql immutable as $$
  select case get_byte(packed, 0)
    when 1 then encode(substring(packed from 2), 'hex')::uuid::text
    when 2 then 'key_' || cell.digits_of(encode(substring(packed from 2), 'hex')::uuid)
    when 3 then 'req_' || cell.digits_of(encode(substring(packed from 2), 'hex')::uuid)
    else convert_from(substring(packed from 2), 'UTF8') end
$$;

-- The id follows from the key, in its order: a UUIDv7 of the time, with the center (31 bits) and the index (43 bits) as what is
-- otherwise random.
create function cell.seal_entry_id(center integer, occurred timestamptz, idx bigint) returns uuid
language sql immutable parallel safe as $$
  select (lpad(to_hex((extract(epoch from occurred) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(center >> 19), 3, '0')
    || to_hex((2::bigint << 62) | ((center & 524287)::bigint << 43) | idx))::uuid
$$;
-- Of another id, places where nothing is: a reader compares the id of what is there.
create function cell.seal_entry_time(id uuid) returns timestamptz
language sql immutable parallel safe as $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;
create function cell.seal_entry_index(id uuid) returns bigint
language sql immutable parallel safe as $$
  select ('x' || right(id::text, 12))::bit(48)::bigint & 8796093022207
$$;

create view cell.seal_audit_entries with (security_invoker = true) as
select center_id, cell.seal_entry_id(center_id, occurred_at, chain_index) as id, 'decision.sealed'::text as type, occurred_at,
  cell.unpacked_id(request) as request_id, cell.unpacked_id(actor) as actor_id, 'decision_event'::text as target_type,
  'evt_' || cell.digits_of(event_id) as target_id,
  jsonb_build_object('action', (array['approved', 'rejected', 'completed'])[action],
    'decisionId', coalesce(decision_id, 'dec_' || cell.digits_of(event_id)), 'chainIndex', chain_index,
    'chainHash', 'sha256:' || encode(chain_hash, 'hex')) as details,
  chain_index, event_id, actor, request
from cell.seal_entries;
grant select on cell.seal_audit_entries to cs_api;

create function cell.count_seal_entries() returns trigger
language plpgsql as $$
begin
  insert into cell.audit_counts as k (center_id, day, type, slot, entries)
  select center_id, (occurred_at at time zone 'UTC')::date, 'decision.sealed', pg_backend_pid() % 64, count(*)
  from added group by 1, 2 order by 1, 2
  on conflict (center_id, day, type, slot) do update set entries = k.entries + excluded.entries;
  return null;
end $$;
create trigger count_entries after insert on cell.seal_entries referencing new table as added
  for each statement execute function cell.count_seal_entries();

create function cell.write_seal_entries(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.seal_entries (occurred_at, chain_index, center_id, event_id, action, chain_hash, request, actor, decision_id)
  select occurred_at, chain_index, center_id, event_id, action, decode(substr(chain_hash, 8), 'hex'), request, actor, decision_id
  from json_to_recordset(inserted) as s (
    occurred_at timestamptz, chain_index bigint, center_id integer, event_id uuid, action smallint, chain_hash text, request bytea,
    actor bytea, decision_id text);
end $$;

-- As before, with the seals.
create or replace function cell.recent_changes(centers integer[], since uuid, since_at timestamptz, most integer)
returns table (center_id integer, mark text, type text, target_type text, target_id text)
language plpgsql as $$
begin
  perform set_config('app.center_ids', centers::text, true);
  return query
  select c.id, a.id::text, a.type, a.target_type, a.target_id
  from unnest(centers) c (id) cross join lateral (
    select e.id, e.type, e.target_type, e.target_id from cell.audit_entries e
    where e.center_id = c.id and e.id > since order by e.center_id, e.id desc limit most) a
  union all
  select c.id, cell.seal_entry_id(c.id, s.occurred_at, s.chain_index)::text, 'decision.sealed', 'decision_event',
    'evt_' || cell.digits_of(s.event_id)
  from unnest(centers) c (id) cross join lateral (
    select e.occurred_at, e.chain_index, e.event_id from cell.seal_entries e
    where e.center_id = c.id and e.occurred_at >= since_at
    order by e.center_id, e.occurred_at desc, e.chain_index desc limit most) s
  union all
  select c.id, d.id::text, 'decision.recorded', 'event', d.id::text
  from unnest(centers) c (id) cross join lateral (
    select e.id from cell.recorded_decisions e
    where e.center_id = c.id and e.id > since order by e.center_id, e.id desc limit most) d
  union all
  select c.id, w.webhook_id::text || w.last_delivery_at::text, 'webhook.delivered', 'webhook', w.webhook_id::text
  from unnest(centers) c (id) join cell.webhook_endpoints w on w.center_id = c.id and w.last_delivery_at > since_at
  union all
  -- A new mark with each step of a recovery, and one with its end.
  select c.id, concat_ws(' ', r.id, r.recovered, r.completed_at), 'webhook.delivered', 'webhook', r.webhook_id::text
  from unnest(centers) c (id) join cell.webhook_recoveries r
    on r.center_id = c.id and (r.completed_at is null or r.completed_at > since_at);
end $$;
