set local role cs_owner;

-- How people decided, summed up by day and by week of the center's own time zone: for the center, and for each policy, person
-- and agent. A worker follows the chain `proof` and adds; recording and sealing write nothing here. It follows from other
-- tables and is no source of rights. Of people it has ids only.
create table cell.oversight_sums (
  center_id integer,
  step text not null check (step in ('day', 'week')),
  kind text not null check (kind in ('center', 'policy', 'person', 'agent')),
  -- The day, or the Monday of the week.
  starts date not null check (step = 'day' or extract(isodow from starts) = 1),
  -- Whose sums they are; empty for the center.
  key text not null check (length(key) <= 255 and (kind = 'center') = (key = '')),
  asked integer not null default 0,
  approved integer not null default 0,
  refused integer not null default 0,
  expired integer not null default 0,
  withdrawn integer not null default 0,
  -- Of those that a person approved or refused: opened by that person before.
  opened integer not null default 0,
  -- Entries of the chain, decisions without a person among them; of the center only.
  seals integer not null default 0,
  -- How many took how long: by the bucket of their seconds.
  to_decide integer[] not null default '{}',
  open integer[] not null default '{}',
  -- A decision among them, where the name of an agent is read.
  example uuid,
  primary key (center_id, step, kind, starts, key)
);
select countersign.give_tenancy('cell.oversight_sums');
grant select on cell.oversight_sums to cs_api;
grant select, insert, update, delete on cell.oversight_sums to cs_jobs;

-- Attempts to deliver, by day of the center's time zone. The attempts themselves are deleted after some weeks.
create table cell.delivery_days (
  center_id integer,
  day date not null,
  succeeded integer not null,
  failed integer not null,
  primary key (center_id, day)
);
select countersign.give_tenancy('cell.delivery_days');
grant select on cell.delivery_days to cs_api;
grant select, insert, update on cell.delivery_days to cs_jobs;

-- How far a center is counted, and in which time zone. In another one, everything is counted again.
create table cell.oversight_marks (
  center_id integer primary key,
  timezone text not null,
  -- The next entry of the chain `proof`.
  counted_through bigint not null default 0,
  deliveries_at timestamptz(3)
);
select countersign.give_tenancy('cell.oversight_marks');
create policy survey on cell.oversight_marks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.oversight_marks to cs_api;
grant select, insert, update on cell.oversight_marks to cs_jobs;

-- Who a redaction has removed from a decision: the worker subtracts it, and deletes the row.
create table cell.oversight_corrections (
  center_id integer,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('person', 'agent')),
  key text not null,
  event_id uuid not null,
  -- Of the approval; of an agent null.
  position integer check ((kind = 'person') = (position is not null)),
  primary key (center_id, event_id, id)
);
select countersign.give_tenancy('cell.oversight_corrections');
create policy survey on cell.oversight_corrections for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant insert on cell.oversight_corrections to cs_sequencer;
grant select, delete on cell.oversight_corrections to cs_jobs;

create function cell.correct_sums() returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'approvals' then
    if old.identity_by <> new.identity_by and old.identity_level in ('session', 'passkey') then
      insert into cell.oversight_corrections (center_id, kind, key, event_id, position)
      values (old.center_id, 'person', old.identity_by, old.event_id, old.position);
    end if;
  elsif old.actor ->> 'id' is distinct from new.actor ->> 'id' then
    insert into cell.oversight_corrections (center_id, kind, key, event_id)
    values (old.center_id, 'agent', left(old.actor ->> 'id', 255), old.id);
  end if;
  return null;
end $$;
create trigger correct_sums after update of actor on cell.decision_events for each row execute function cell.correct_sums();
create trigger correct_sums after update of identity_by on cell.approvals for each row execute function cell.correct_sums();

-- Adds place by place, as if the shorter one ended in zeros.
create function cell.add_counts(sums integer[], more integer[]) returns integer[]
language sql immutable as $$
  select coalesce(array_agg(coalesce(s, 0) + coalesce(m, 0) order by place), '{}')
  from unnest(sums, more) with ordinality u (s, m, place)
$$;
