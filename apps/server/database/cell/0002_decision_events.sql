set local role cs_owner;

-- The order of recording; it may have gaps. Lists sort by it, newest first, and the counts below use it as a watermark.
create sequence cell.decision_event_seq;
grant usage on sequence cell.decision_event_seq to cs_api, cs_recorder, cs_sequencer;

create table cell.decision_events (
  center_id integer,
  id uuid not null,
  seq bigint not null default nextval('cell.decision_event_seq'),
  decision_id text not null check (length(decision_id) between 1 and 255),
  type text not null,
  status text not null default 'recorded' check (status in ('recorded', 'sealed', 'approved', 'rejected')),
  -- json, not jsonb: the text that the caller sent is stored unchanged.
  actor json not null,
  action json not null,
  ai_context json,
  tags text[] not null,
  occurred_at timestamptz(3) not null,
  -- SHA-256 of the canonical request: tells a repeated request from a different one with the same key. Null without a key.
  fingerprint bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  reason text,
  risk_score double precision,
  -- The API key that recorded it.
  recorded_by text,
  -- The digest of the action and its salt, which a redaction of any of the digested values deletes. Without regular
  -- expressions: two of them took a third of the time in which the database records an event.
  action_digest text not null check (length(action_digest) = 71 and starts_with(action_digest, 'sha256:')),
  action_salt text check (length(action_salt) = 43),
  -- The decision that this one replaces.
  replaces uuid,
  -- The trace of the request that recorded it (W3C Trace Context, version 00). No part of what is sealed.
  traceparent text check (length(traceparent) = 55),
  primary key (center_id, id),
  unique (center_id, decision_id)
);
create index decision_events_newest on cell.decision_events (center_id, seq);
create index decision_events_by_type on cell.decision_events (center_id, type, seq);
create index decision_events_by_status on cell.decision_events (center_id, status, seq);
-- There is none for the actor: it would make recording 8 % slower.
select countersign.give_tenancy('cell.decision_events');
create trigger kept before delete on cell.decision_events for each row execute function countersign.refuse_change();
-- The triggers that refuse other changes than redaction: 0012_redaction.sql.
grant select, insert on cell.decision_events to cs_api, cs_recorder;
grant select, insert, update (status, actor, action, ai_context, tags, fingerprint, updated_at, reason, risk_score,
  recorded_by, action_salt, traceparent) on cell.decision_events to cs_sequencer;
grant select on cell.decision_events to cs_jobs;

-- One row per tag: an index over the array has no order, and the newest twenty events with a tag need one.
create table cell.decision_event_tags (
  center_id integer,
  tag text not null,
  seq bigint not null,
  primary key (center_id, tag, seq)
);
select countersign.give_tenancy('cell.decision_event_tags');
grant select, insert on cell.decision_event_tags to cs_api, cs_recorder;
grant select, insert, delete on cell.decision_event_tags to cs_sequencer;
grant select on cell.decision_event_tags to cs_jobs;

-- The number of events by tag ('' counts all events), type and status, up to the watermark of the center. A total is the
-- sum of at most 32 of these rows plus a count of the events after the watermark, in one snapshot.
create table cell.decision_event_counts (
  center_id integer,
  tag text not null,
  type text not null,
  status text not null,
  events bigint not null,
  primary key (center_id, tag, type, status)
);
select countersign.give_tenancy('cell.decision_event_counts');
grant select on cell.decision_event_counts to cs_api;
grant select, insert, update, delete on cell.decision_event_counts to cs_sequencer;
grant select, insert, update on cell.decision_event_counts to cs_jobs;

create table cell.decision_event_marks (
  center_id integer primary key,
  counted_through bigint not null
);
select countersign.give_tenancy('cell.decision_event_marks');
grant select on cell.decision_event_marks to cs_api, cs_sequencer;
grant select, insert, update on cell.decision_event_marks to cs_jobs;

-- Takes the advisory lock of each center in shared mode until commit; count_events takes it exclusively. Without it a
-- lower seq could commit after a higher one was counted.
create function cell.hold_event_count(centers integer[]) returns void
language plpgsql as $$
declare
  center integer;
begin
  -- Every caller locks in this order; otherwise two batches could deadlock.
  for center in select distinct c from unnest(centers) c order by c loop
    perform pg_advisory_xact_lock_shared(hashtext('cell.decision_event_counts'), center);
  end loop;
end $$;

-- A batch as rows of decision_events.
create function cell.events_of(batch json) returns table (
  center_id integer, id uuid, decision_id text, type text, status text, actor json, action json, ai_context json,
  tags text[], occurred_at timestamptz, fingerprint bytea, reason text, risk_score double precision, recorded_by text,
  action_digest text, action_salt text, replaces uuid, traceparent text, created_at timestamptz, updated_at timestamptz)
language sql stable as $$
  select e.center_id, e.id, e.decision_id, e.type, coalesce(e.status, 'recorded'), e.actor, e.action, e.ai_context, e.tags,
    e.occurred_at, decode(e.fingerprint, 'hex'), e.reason, e.risk_score, e.recorded_by, e.action_digest, e.action_salt,
    e.replaces, e.traceparent, e.created_at, coalesce(e.updated_at, e.created_at)
  from json_to_recordset(batch) as e (
    center_id integer, id uuid, decision_id text, type text, status text, actor json, action json, ai_context json,
    tags text[], occurred_at timestamptz, fingerprint text, reason text, risk_score double precision, recorded_by text,
    action_digest text, action_salt text, replaces uuid, traceparent text, created_at timestamptz,
    updated_at timestamptz)
$$;

-- The only function that inserts events. Returns the ids of new events; the other events of the batch have a decision_id
-- that exists already. `fresh` states that the server generated every decision_id, so no conflict is possible. It has a
-- branch of its own because ON CONFLICT costs 8 to 14 % of the function's time (batches of 100 events with two tags).
create function cell.record_events(centers integer[], batch json, fresh boolean) returns table (event_id uuid)
language plpgsql as $$
begin
  perform cell.hold_event_count(centers);
  if fresh then
    return query
      with inserted as (
        insert into cell.decision_events (
          center_id, id, decision_id, type, status, actor, action, ai_context, tags, occurred_at, fingerprint, reason,
          risk_score, recorded_by, action_digest, action_salt, replaces, traceparent, created_at, updated_at)
        select * from cell.events_of(batch)
        returning center_id, id, seq, tags
      ), tagged as (
        insert into cell.decision_event_tags (center_id, tag, seq)
        select distinct center_id, tag, seq from inserted cross join unnest(tags) tag
      )
      select inserted.id from inserted;
  else
    return query
      with inserted as (
        insert into cell.decision_events (
          center_id, id, decision_id, type, status, actor, action, ai_context, tags, occurred_at, fingerprint, reason,
          risk_score, recorded_by, action_digest, action_salt, replaces, traceparent, created_at, updated_at)
        select * from cell.events_of(batch)
        on conflict (center_id, decision_id) do nothing
        returning center_id, id, seq, tags
      ), tagged as (
        insert into cell.decision_event_tags (center_id, tag, seq)
        select distinct center_id, tag, seq from inserted cross join unnest(tags) tag
      )
      select inserted.id from inserted;
  end if;
end $$;

-- record_events as one round trip for several centers; app.center_ids ends with the transaction. `versions` are the
-- numbers of versions of policies, one per center, that `waiting` was judged under: if one is outdated, nothing is written
-- and the result is one row with null. Null versions are not compared.
create function cell.record_batch(centers integer[], batch json, fresh boolean, versions bigint[], waiting json)
returns table (event_id uuid)
language plpgsql as $$
begin
  perform set_config('app.center_ids', centers::text, true);
  if exists (
    select from unnest(centers, versions) as k (center, known) where k.known <> cell.policy_version_count(k.center)
  ) then
    return query select null::uuid;
    return;
  end if;
  return query select * from cell.record_events(centers, batch, fresh);
  if waiting is not null then
    perform cell.begin_waiting(waiting);
  end if;
end $$;

-- Moves the watermark of the current center over at most `most` events and returns how many it counted.
create function cell.count_events(most integer) returns integer
language plpgsql as $$
declare
  center constant integer := nullif(current_setting('app.center_id', true), '')::integer;
  through bigint;
  reached bigint;
  counted integer;
begin
  perform pg_advisory_xact_lock(hashtext('cell.decision_event_counts'), center);
  select counted_through into through from cell.decision_event_marks where center_id = center;
  select max(seq), count(*) into reached, counted from (
    select seq from cell.decision_events
    where center_id = center and seq > coalesce(through, 0) order by seq limit most) tail;
  if counted = 0 then
    return 0;
  end if;
  insert into cell.decision_event_counts (center_id, tag, type, status, events)
    select center, tag, type, status, count(*)
    from cell.decision_events cross join lateral (select '' union select unnest(tags)) t (tag)
    where center_id = center and seq > coalesce(through, 0) and seq <= reached
    group by tag, type, status
    on conflict (center_id, tag, type, status) do update set events = decision_event_counts.events + excluded.events;
  insert into cell.decision_event_marks (center_id, counted_through) values (center, reached)
    on conflict (center_id) do update set counted_through = excluded.counted_through;
  return counted;
end $$;

-- The exact number of matching events, and how many of them were counted after the watermark. It is stable, so both
-- parts use one snapshot. The planner overestimates the rows after the watermark and would scan the whole table.
create function cell.total_events(wanted_type text, wanted_status text, wanted_tag text)
returns table (counted bigint, uncounted bigint)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  center constant integer := nullif(current_setting('app.center_id', true), '')::integer;
  through bigint;
begin
  select m.counted_through into through from cell.decision_event_marks m where m.center_id = center;
  return query select
    (select coalesce(sum(c.events), 0)::bigint from cell.decision_event_counts c
      where c.center_id = center and c.tag = coalesce(wanted_tag, '')
        and (wanted_type is null or c.type = wanted_type) and (wanted_status is null or c.status = wanted_status)),
    (select count(*) from cell.decision_events e
      where e.center_id = center and e.seq > coalesce(through, 0)
        and (wanted_type is null or e.type = wanted_type) and (wanted_status is null or e.status = wanted_status)
        and (wanted_tag is null or wanted_tag = any (e.tags)));
end $$;

-- Changes the status of events, and moves those below the watermark from one count to the other. A closed event waits for
-- nothing.
create function cell.move_events(centers integer[], moves json) returns void
language plpgsql as $$
begin
  -- The watermark does not move until commit.
  perform cell.hold_event_count(centers);
  with moved as (
    update cell.decision_events e set status = m.status, updated_at = m.updated_at
    from json_to_recordset(moves) as m (center_id integer, id uuid, was text, status text, updated_at timestamptz)
    where e.center_id = m.center_id and e.id = m.id and e.status = m.was
    returning e.center_id, e.seq, e.type, e.tags, m.was, m.status
  ), counted as (
    select m.* from moved m join cell.decision_event_marks k on k.center_id = m.center_id and m.seq <= k.counted_through
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

-- Locks the events that a batch names by id or by decision_id. The order of the locks prevents deadlocks.
create function cell.hold_events(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(
      case when bytes > most_bytes then json_build_object('center_id', e.center_id, 'oversize', bytes) else row_to_json(e) end)
    from (
      select d.* from cell.decision_events d join (
        select center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid) where id is not null
        union
        select n.center_id, n.id from cell.decision_events n
          join json_to_recordset(wanted) as w (center_id integer, decision_id text) using (center_id, decision_id)
      ) w using (center_id, id)
      order by d.center_id, d.id for update of d) e
    cross join lateral (select octet_length(e.action::text) + octet_length(coalesce(e.ai_context::text, '')) as bytes) size);
end $$;

-- New events have a decision_id that no event has: the batch has looked for one.
create function cell.write_events(inserted json, updated json) returns void
language plpgsql as $$
declare
  centers constant integer[] := current_setting('app.center_ids')::integer[];
begin
  if inserted is not null then
    perform cell.record_events(centers, inserted, true);
  end if;
  if updated is not null then
    perform cell.move_events(centers, updated);
  end if;
end $$;
