-- incompatible
set local role cs_owner;

-- A decision as it was recorded: written once, and changed by a redaction only. Its state is beside it: what is open has a row in
-- open_decisions, and what is closed has its evidence.
alter table cell.decision_events rename to recorded_decisions;
alter table cell.recorded_decisions rename constraint decision_events_pkey to recorded_decisions_pkey;
alter table cell.recorded_decisions
  rename constraint decision_events_center_id_decision_id_key to recorded_decisions_center_id_decision_id_key;
alter index cell.decision_events_newest rename to recorded_decisions_newest;
alter index cell.decision_events_by_type rename to recorded_decisions_by_type;

-- What is open, in the order of recording. The seal deletes the row.
create table cell.open_decisions (
  seq bigint not null,
  center_id integer,
  status text not null check (status in ('recorded', 'approved')),
  -- Of the first approval, and of its end; null since the recording.
  updated_at timestamptz(3),
  primary key (center_id, seq)
);
-- Most of what is open is recorded, and is found by the key.
create index open_decisions_approved on cell.open_decisions (center_id, seq) where status = 'approved';
select countersign.give_tenancy('cell.open_decisions');
grant select, insert on cell.open_decisions to cs_api, cs_recorder;
grant select, insert, update (status, updated_at), delete on cell.open_decisions to cs_sequencer;
grant select on cell.open_decisions to cs_jobs;

-- Of the evidence of a decision: its place in the order of recording, what became of it, and when.
alter table cell.dpus add event_seq bigint, add event_status text check (event_status in ('sealed', 'rejected')),
  add closed_at timestamptz(3);
-- Not of a center that is leaving: its decisions may be deleted before their evidence.
alter table cell.dpus add check (
  (domain = 'proof') = (event_status is not null) and num_nulls(event_seq, event_status, closed_at) in (0, 3)) not valid;

alter table cell.recorded_decisions no force row level security;
alter table cell.open_decisions no force row level security;
alter table cell.dpus no force row level security;
insert into cell.open_decisions (center_id, seq, status, updated_at)
select center_id, seq, status, nullif(updated_at, created_at) from cell.recorded_decisions
where status in ('recorded', 'approved') order by 1, 2;
alter table cell.dpus disable trigger user;
update cell.dpus u set event_seq = e.seq, event_status = e.status, closed_at = e.updated_at
from cell.recorded_decisions e where u.domain = 'proof' and e.center_id = u.center_id and e.id = u.id
  and e.status in ('sealed', 'rejected');
alter table cell.dpus enable trigger user;
alter table cell.dpus force row level security;
alter table cell.open_decisions force row level security;
alter table cell.recorded_decisions force row level security;
create index dpus_closed on cell.dpus (center_id, event_status, event_seq) where event_seq is not null;

-- What is closed is not opened again.
create policy once on cell.open_decisions as restrictive for insert to cs_api, cs_recorder, cs_sequencer
  with check (not exists (
    select from cell.dpus u where u.center_id = open_decisions.center_id and u.event_status = any ('{sealed,rejected}')
      and u.event_seq = open_decisions.seq));
grant select (center_id, event_status, event_seq) on cell.dpus to cs_recorder;

drop trigger recorded on cell.recorded_decisions;
drop trigger sealed on cell.recorded_decisions;
drop function cell.keep_open_decisions();
alter table cell.recorded_decisions drop column status, drop column updated_at;
create trigger append_only before update on cell.recorded_decisions for each row execute function cell.only_redacted();

-- Decisions with their state, as everybody reads them. What is neither open nor closed counts as sealed, which a verification
-- reports, because it has no entry. Sub-selects, so that a reader of other columns looks nothing up. A migration that adds a
-- column to recorded_decisions calls this again: the view has it then.
create function cell.show_decisions() returns void
language plpgsql as $$
declare
  status constant text := $q$coalesce(
    (select o.status from cell.open_decisions o where o.center_id = e.center_id and o.seq = e.seq),
    (select coalesce(u.event_status, 'unknown') from cell.dpus u where u.center_id = e.center_id and u.id = e.id),
    'sealed') as status$q$;
  updated_at constant text := $q$coalesce(
    (select coalesce(o.updated_at, e.created_at) from cell.open_decisions o where o.center_id = e.center_id and o.seq = e.seq),
    (select coalesce(u.closed_at, 'epoch') from cell.dpus u where u.center_id = e.center_id and u.id = e.id),
    e.created_at)::timestamptz(3) as updated_at$q$;
begin
  execute (
    select format('create or replace view cell.decision_events with (security_invoker = true) as select %s from cell.recorded_decisions e',
      string_agg(format('e.%I', attname) || case attname when 'type' then ', ' || status when 'created_at' then ', ' || updated_at
        else '' end, ', ' order by attnum))
    from pg_attribute where attrelid = 'cell.recorded_decisions'::regclass and attnum > 0 and not attisdropped);
end $$;
revoke execute on function cell.show_decisions() from public;
select cell.show_decisions();
grant select on cell.decision_events to cs_api, cs_sequencer, cs_jobs;

-- The only function that inserts decisions, as whole rows: a column that the batch does not name is null, whatever its default.
-- Returns the ids of new ones; the others of the batch have a decision_id that exists already. `fresh` states that the
-- server generated every decision_id, so no conflict is possible. It has a branch of its own because ON CONFLICT costs 8 to
-- 14 % of the function's time (batches of 100 events with two tags). Those in `closed` are sealed in the same transaction.
drop function cell.record_events(integer[], json, boolean);
create function cell.record_events(centers integer[], batch json, fresh boolean, closed uuid[] default '{}')
returns table (event_id uuid)
language plpgsql as $$
begin
  perform cell.hold_event_count(centers);
  if fresh then
    return query
      with inserted as (
        insert into cell.recorded_decisions overriding user value
        select * from json_populate_recordset(null::cell.recorded_decisions, batch)
        returning center_id, id, seq, tags
      ), opened as (
        insert into cell.open_decisions (center_id, seq, status)
        select center_id, seq, 'recorded' from inserted where id <> all (closed)
      ), tagged as (
        insert into cell.decision_event_tags (center_id, tag, seq)
        select distinct center_id, tag, seq from inserted cross join unnest(tags) tag
      )
      select inserted.id from inserted;
  else
    return query
      with inserted as (
        insert into cell.recorded_decisions overriding user value
        select * from json_populate_recordset(null::cell.recorded_decisions, batch)
        on conflict (center_id, decision_id) do nothing
        returning center_id, id, seq, tags
      ), opened as (
        insert into cell.open_decisions (center_id, seq, status)
        select center_id, seq, 'recorded' from inserted where id <> all (closed)
      ), tagged as (
        insert into cell.decision_event_tags (center_id, tag, seq)
        select distinct center_id, tag, seq from inserted cross join unnest(tags) tag
      )
      select inserted.id from inserted;
  end if;
end $$;

-- Changes the status of open decisions, and moves those below the watermark from one count to the other. A closed one waits for
-- nothing.
create or replace function cell.move_events(centers integer[], moves json) returns void
language plpgsql as $$
begin
  -- The watermark does not move until commit.
  perform cell.hold_event_count(centers);
  with named as (
    select e.center_id, e.seq, e.type, e.tags, m.was, m.status, m.updated_at
    from json_to_recordset(moves) as m (center_id integer, id uuid, was text, status text, updated_at timestamptz)
      join cell.recorded_decisions e on e.center_id = m.center_id and e.id = m.id
  ), closed as (
    delete from cell.open_decisions o using named n
    where o.center_id = n.center_id and o.seq = n.seq and o.status = n.was and n.status in ('sealed', 'rejected')
    returning n.*
  ), changed as (
    update cell.open_decisions o set status = n.status, updated_at = n.updated_at from named n
    where o.center_id = n.center_id and o.seq = n.seq and o.status = n.was and n.status in ('recorded', 'approved')
    returning n.*
  ), counted as (
    select m.* from (select * from closed union all select * from changed) m
      join cell.decision_event_marks k on k.center_id = m.center_id and m.seq <= k.counted_through
  )
  insert into cell.decision_event_counts as k (center_id, tag, type, status, events)
  select center_id, tag, type, s.status, sum(s.change)
  from counted c
    cross join lateral (select '' union select unnest(c.tags)) t (tag)
    cross join lateral (values (c.was, -1), (c.status, 1)) s (status, change)
  group by center_id, tag, type, s.status
  order by 1, 2, 3, 4
  on conflict (center_id, tag, type, status) do update set events = k.events + excluded.events;
  delete from cell.waiting_decisions w
  using json_to_recordset(moves) as m (center_id integer, id uuid, status text)
  where w.center_id = m.center_id and w.event_id = m.id and m.status in ('sealed', 'rejected');
end $$;

-- Locks the decisions that a batch names by id or by decision_id: an open one by the row that its seal deletes. What another batch
-- closed meanwhile is read by the last statement, whose snapshot is newer than the locks. The order of the locks prevents
-- deadlocks.
create or replace function cell.hold_events(wanted json, most_bytes integer) returns json
language plpgsql as $$
declare
  named json;
begin
  select json_agg(n) into named from (
    select d.center_id, d.id, d.seq from json_to_recordset(wanted) as w (center_id integer, id uuid)
      join cell.recorded_decisions d using (center_id, id)
    union
    select d.center_id, d.id, d.seq from json_to_recordset(wanted) as w (center_id integer, decision_id text)
      join cell.recorded_decisions d using (center_id, decision_id)) n;
  if named is null then return null; end if;
  perform from cell.open_decisions o join json_to_recordset(named) as n (center_id integer, seq bigint) using (center_id, seq)
  order by o.center_id, o.seq for update of o;
  perform from cell.recorded_decisions d join json_to_recordset(named) as n (center_id integer, id uuid) using (center_id, id)
  where not exists (select from cell.open_decisions o where o.center_id = d.center_id and o.seq = d.seq)
  order by d.center_id, d.seq for update of d;
  return (select json_agg(
      case when bytes > most_bytes then json_build_object('center_id', e.center_id, 'oversize', bytes) else row_to_json(e) end)
    from (
      select d.* from cell.decision_events d
        join json_to_recordset(named) as n (center_id integer, id uuid) using (center_id, id)) e
    cross join lateral (select octet_length(e.action::text) + octet_length(coalesce(e.ai_context::text, '')) as bytes) size);
end $$;

create or replace function cell.hold_redacted(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  perform from cell.recorded_decisions e join (
    select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w using (center_id, id)
  order by e.center_id, e.id for update of e;
  return null;
end $$;

-- New events have a decision_id that no event has: the batch has looked for one.
create or replace function cell.write_events(inserted json, updated json) returns void
language plpgsql as $$
declare
  centers constant integer[] := current_setting('app.center_ids')::integer[];
begin
  if inserted is not null then
    perform cell.record_events(centers, inserted, true, array(
      select id from json_to_recordset(inserted) as i (id uuid, status text) where status in ('sealed', 'rejected')));
  end if;
  if updated is not null then
    perform cell.move_events(centers, updated);
  end if;
end $$;

create or replace function cell.load_approvals(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (
    with w as (
      select distinct center_id, event_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)
    ), open as (
      select w.center_id, w.event_id
      from w join cell.recorded_decisions e on e.center_id = w.center_id and e.id = w.event_id
        join cell.open_decisions o on o.center_id = e.center_id and o.seq = e.seq and o.status = 'approved'
      union
      select w.center_id, w.event_id
      from w join cell.approval_take_backs b on b.center_id = w.center_id and b.event_id = w.event_id
        join cell.recorded_decisions e on e.center_id = w.center_id and e.id = w.event_id
        join cell.open_decisions o on o.center_id = e.center_id and o.seq = e.seq and o.status = 'recorded'
    )
    select json_agg(row_to_json(l) order by l.position)
    from (
      select a.*, t.taken_back_at
      from open join cell.approvals a on a.center_id = open.center_id and a.event_id = open.event_id
        left join cell.approval_take_backs t
          on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position) l);
end $$;

create or replace function cell.begin_waiting(rows json) returns void
language plpgsql as $$
begin
  insert into cell.waiting_decisions (center_id, event_id, seq, since, reasons, policies, expires_at, escalates_at, versions, pinned,
    informing, deadline)
  select d.center_id, d.id, d.seq, w.since, w.reasons, w.policies, w.expires_at, w.escalates_at,
    coalesce(w.versions, cell.policy_version_count(w.center_id)), w.pinned, w.informing, w.deadline
  from json_to_recordset(rows) as w (
      center_id integer, event_id uuid, since timestamptz, reasons text[], policies json, expires_at timestamptz,
      escalates_at timestamptz, versions bigint, pinned json, informing jsonb, deadline timestamptz)
    join cell.recorded_decisions d on d.center_id = w.center_id and d.id = w.event_id
    join cell.open_decisions o on o.center_id = d.center_id and o.seq = d.seq
  order by 1, 2
  on conflict do nothing;
  with asked as (
    select d.center_id, d.id, d.created_at, w.message
    from json_to_recordset(rows) as w (center_id integer, event_id uuid, message text)
      join cell.recorded_decisions d on d.center_id = w.center_id and d.id = w.event_id
    where w.message is not null
  ), listening as (
    select a.*, h.id as webhook_id, h.active
    from asked a join cell.webhooks h on h.center_id = a.center_id and h.deleted_at is null
      and h.events && array['*', 'agent.*', 'agent.approval.*', 'agent.approval.requested']
  ), published as (
    insert into cell.webhook_events (center_id, id, type, created_at, data)
    select distinct on (center_id, id) center_id, id, 'agent.approval.requested', created_at, message from listening
    on conflict do nothing
  )
  insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
  select center_id, webhook_id, id, 'agent.approval.requested', created_at, case when active then created_at end, not active
  from listening
  on conflict do nothing;
end $$;

-- Both lists change the counts in one statement, whose order prevents deadlocks. The evidence of a decision is written after it.
create or replace function cell.write_dpus(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.dpus (center_id, id, domain, chain_index, vertical, country, region, content, reference_type,
      reference_id, tags, created_by, origin, evidence_level, metadata, policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls, packed_salts, event_seq, event_status, closed_at)
    select center_id, id, domain, chain_index, vertical, country, region, content, reference_type, reference_id, u.tags,
      created_by, origin, evidence_level, coalesce(metadata, '{}'), policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls, packed_salts, e.seq, event_status, case when event_status is not null then updated_at end
    from json_to_recordset(inserted) as u (
      center_id integer, id uuid, domain text, chain_index bigint, vertical text, country text, region text, content text,
      reference_type text, reference_id text, tags text[], created_by json, origin json, evidence_level text,
      metadata json, policies json, salts json, sealed_at timestamptz, updated_at timestamptz, metadata_commitment text,
      control json, prior_controls json, packed_salts bytea, event_status text)
    left join cell.recorded_decisions e using (center_id, id);
    insert into cell.dpu_labels (center_id, label, id)
    select distinct e.center_id, 'tag:' || tag, e.id
    from json_to_recordset(inserted) as u (center_id integer, id uuid, domain text)
      join cell.recorded_decisions e on e.center_id = u.center_id and e.id = u.id cross join unnest(e.tags) tag
    where u.domain = 'proof';
  end if;
  if updated is not null then
    update cell.dpus u set evidence_level = c.evidence_level, metadata = c.metadata, sealed_at = c.sealed_at,
      updated_at = c.updated_at, last_change = c.last_change, metadata_commitment = c.metadata_commitment
    from json_to_recordset(updated) as c (
      center_id integer, id uuid, evidence_level text, metadata json, sealed_at timestamptz, updated_at timestamptz,
      last_change text, metadata_commitment text)
    where u.center_id = c.center_id and u.id = c.id;
  end if;
  insert into cell.dpu_counts as k (center_id, vertical, evidence_level, dpus)
  select center_id, vertical, evidence_level, sum(change) from (
    select center_id, vertical, evidence_level, 1 as change
    from json_to_recordset(inserted) as i (center_id integer, vertical text, evidence_level text)
    union all
    select center_id, vertical, level, change
    from json_to_recordset(updated) as c (center_id integer, vertical text, was_level text, evidence_level text)
      cross join lateral (values (was_level, -1), (evidence_level, 1)) l (level, change)) changes
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (center_id, vertical, evidence_level) do update set dpus = k.dpus + excluded.dpus;
end $$;

-- Writes the columns that the sequencer may change in a decision, which are those that a redaction can empty.
create or replace function cell.redact_events(wanted json) returns void
language plpgsql as $$
begin
  execute (
    select format('update cell.recorded_decisions e set %s
      from (select distinct center_id, id from json_to_recordset($1) as w (center_id integer, id uuid)) w
        join cell.recorded_decisions d using (center_id, id) cross join lateral cell.redacted_event(d) r
      where e.center_id = d.center_id and e.id = d.id and d::text <> r::text',
      string_agg(format('%1$I = r.%1$I', attname), ', ' order by attnum))
    from pg_attribute
    where attrelid = 'cell.recorded_decisions'::regclass and attnum > 0 and not attisdropped
      and has_column_privilege('cs_sequencer', attrelid, attnum, 'update'))
  using wanted;
end $$;

create or replace function cell.only_redacted() returns trigger
language plpgsql as $$
declare
  left_over text;
begin
  case tg_table_name
    when 'dpus' then left_over := cell.redacted_unit(old)::text;
    when 'recorded_decisions' then left_over := cell.redacted_event(old)::text;
    when 'approvals' then left_over := cell.redacted_approval(old)::text;
    when 'history' then left_over := cell.redacted_history(old)::text;
    when 'executions' then left_over := cell.redacted_execution(old)::text;
    when 'execution_steps' then left_over := cell.redacted_step(old)::text;
  end case;
  if new::text is distinct from left_over or new::text = old::text then
    raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create or replace function cell.forget_words() returns trigger
language plpgsql as $$
declare
  event cell.recorded_decisions;
begin
  if tg_table_name = 'recorded_decisions' then
    event := new;
  else
    select * into event from cell.recorded_decisions e where e.center_id = new.center_id and e.id = new.event_id;
  end if;
  insert into cell.decision_words as w (center_id, seq, created_at, tokens, epoch, stale)
  values (event.center_id, event.seq, event.created_at, '{}', 1, true)
  on conflict (center_id, seq) do update
    set tokens = '{}', amount = null, epoch = w.epoch + 1, stale = true;
  return null;
end $$;

-- Its role reads no evidence.
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
