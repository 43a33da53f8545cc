set local role cs_owner;

-- The order of recording; gaps are normal. Lists are newest first by it, and counts are kept up to a mark on it.
create sequence cell.decision_event_seq;

create table cell.decision_events (
  center_id integer,
  id uuid not null,
  seq bigint not null default nextval('cell.decision_event_seq'),
  decision_id text not null check (length(decision_id) between 1 and 255),
  type text not null,
  status text not null default 'recorded' check (status in ('recorded', 'sealed', 'approved', 'rejected')),
  -- json, not jsonb: what the caller sent is kept to the character.
  actor json not null,
  action json not null,
  ai_context json,
  tags text[] not null,
  occurred_at timestamptz(3) not null,
  -- SHA-256 of the canonical request, to tell a repeated request from another with the same key; null without a key.
  fingerprint bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (center_id, id),
  unique (center_id, decision_id)
);
create index decision_events_newest on cell.decision_events (center_id, seq);
create index decision_events_by_type on cell.decision_events (center_id, type, seq);
create index decision_events_by_status on cell.decision_events (center_id, status, seq);
select countersign.give_tenancy('cell.decision_events');

-- A row per tag, because an index over an array has no order and «the newest twenty with this tag» needs one.
create table cell.decision_event_tags (
  center_id integer,
  tag text not null,
  seq bigint not null,
  primary key (center_id, tag, seq)
);
select countersign.give_tenancy('cell.decision_event_tags');

-- How many events have this type and status, of all tags ('') and of each tag, counted up to the center's mark.
-- A total is the sum of at most 32 of these rows plus a count of the few events after the mark, in one snapshot.
create table cell.decision_event_counts (
  center_id integer,
  tag text not null,
  type text not null,
  status text not null,
  events bigint not null,
  primary key (center_id, tag, type, status)
);
select countersign.give_tenancy('cell.decision_event_counts');

create table cell.decision_event_marks (
  center_id integer primary key,
  counted_through bigint not null
);
select countersign.give_tenancy('cell.decision_event_marks');

grant usage on sequence cell.decision_event_seq to cs_recorder, cs_api;
grant select, insert on cell.decision_events, cell.decision_event_tags to cs_recorder, cs_api;
grant select on cell.decision_event_counts, cell.decision_event_marks to cs_api;
grant select on cell.decision_events to cs_jobs;
grant select, insert, update on cell.decision_event_counts, cell.decision_event_marks to cs_jobs;

-- Counting must not overtake an insert that is still in flight: a lower seq could commit after a higher one was counted.
-- So whoever inserts holds the center's lock shared until commit, and whoever counts holds it alone.
create function cell.hold_event_count(centers integer[]) returns void
language plpgsql as $$
declare
  center integer;
begin
  -- In one order everywhere, or two batches and two counts could wait for each other in a ring.
  for center in select distinct c from unnest(centers) c order by c loop
    perform pg_advisory_xact_lock_shared(hashtext('cell.decision_event_counts'), center);
  end loop;
end $$;

-- A batch as rows of decision_events.
create function cell.events_of(batch json) returns table (
  center_id integer, id uuid, decision_id text, type text, actor json, action json, ai_context json, tags text[],
  occurred_at timestamptz, fingerprint bytea, created_at timestamptz, updated_at timestamptz)
language sql stable as $$
  select e.center_id, e.id, e.decision_id, e.type, e.actor, e.action, e.ai_context, e.tags, e.occurred_at,
    decode(e.fingerprint, 'hex'), e.created_at, e.created_at
  from json_to_recordset(batch) as e (
    center_id integer, id uuid, decision_id text, type text, actor json, action json, ai_context json, tags text[],
    occurred_at timestamptz, fingerprint text, created_at timestamptz)
$$;

-- The only way events are inserted. Answers with those that are new; the others had their decision_id taken.
-- `fresh` says that we have just made every decision_id ourselves: then none can be taken, and the insert need not
-- look for a conflict in each row, which is a fifth of its cost.
create function cell.record_events(centers integer[], batch json, fresh boolean) returns table (event_id uuid)
language plpgsql as $$
begin
  perform cell.hold_event_count(centers);
  if fresh then
    return query
      with inserted as (
        insert into cell.decision_events (
          center_id, id, decision_id, type, actor, action, ai_context, tags, occurred_at, fingerprint, created_at, updated_at)
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
          center_id, id, decision_id, type, actor, action, ai_context, tags, occurred_at, fingerprint, created_at, updated_at)
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

-- The same as a transaction of its own for several centers: one round trip, and the setting ends with it.
create function cell.record_batch(centers integer[], batch json, fresh boolean) returns table (event_id uuid)
language plpgsql as $$
begin
  perform set_config('app.center_ids', centers::text, true);
  return query select * from cell.record_events(centers, batch, fresh);
end $$;

-- Moves the center's mark forward over at most `most` events and answers how many it counted.
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

-- How many events match, exactly, and how many of them were counted by hand because they came after the mark.
-- Being stable it sees one snapshot throughout. The tail is short, but the planner cannot know that: left to itself
-- it expects a third of the table and scans all of it.
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
