set local role cs_owner;

-- One execution of a workflow; the row is the queue entry. The transaction that causes the execution inserts it. next_at
-- is the time at which a worker may lease it: now, after a pause, or when the current lease expires. Every write names
-- the epoch of its lease, so the write of a worker that lost its lease has no effect.
create table cell.executions (
  center_id integer,
  id uuid not null,
  workflow_key text not null check (length(workflow_key) between 1 and 200),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  trigger text not null check (trigger in ('manual', 'schedule', 'event')),
  -- The definition allows one execution at a time.
  alone boolean not null,
  parameters json not null,
  -- The event that started it, if any.
  event json,
  -- The person who started it. Null for a schedule or an event.
  started_by text,
  -- Tags of its draft, beside those of the workflow.
  tags text[] not null default '{}',
  scheduled_for timestamptz(3),
  -- Chosen at the start, so that every attempt to complete writes the same DPU.
  unit_id uuid not null,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  failure text,
  next_at timestamptz(3),
  leased boolean not null default false,
  leased_at timestamptz(3),
  lease_epoch bigint not null default 0,
  -- The number of leases that expired without a release.
  losses integer not null default 0,
  primary key (center_id, id),
  check ((status = 'RUNNING') = (completed_at is null)),
  check ((status = 'RUNNING') = (next_at is not null)),
  check ((status = 'FAILED') = (failure is not null)),
  check ((trigger = 'schedule') = (scheduled_for is not null)),
  check ((trigger = 'event') = (event is not null)),
  check (status = 'RUNNING' or not leased)
) with (fillfactor = 80);
-- A due time starts one execution, however many workers see it.
create unique index executions_scheduled on cell.executions (center_id, workflow_key, scheduled_for)
  where scheduled_for is not null;
create unique index executions_alone on cell.executions (center_id, workflow_key) where status = 'RUNNING' and alone;
-- Workers step through it from center to center, so that the backlog of one center is one step.
create index executions_due on cell.executions (center_id, next_at) where status = 'RUNNING';
-- The number of open executions of a center is limited.
create index executions_open on cell.executions (center_id) where status = 'RUNNING';
-- Ids are UUIDv7, so this is also the order of lists.
create index executions_by_workflow on cell.executions (center_id, workflow_key, id);
-- Redaction finds the execution of a unit.
create index executions_by_unit on cell.executions (center_id, unit_id);
-- Retention goes through all centers.
create index executions_ended on cell.executions (completed_at) where completed_at is not null;
-- The file on redaction says how an execution that has ended may change.
create trigger kept before delete on cell.executions for each row when (old.status = 'RUNNING')
  execute function countersign.refuse_change();
select countersign.give_tenancy('cell.executions');
-- Workers look for executions while app.center_id is not set, and may only lease and release them there. UPDATE is
-- granted by column, without center_id.
create policy survey on cell.executions for select to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy retention on cell.executions for delete to cs_jobs
  using (status <> 'RUNNING' and nullif(current_setting('app.center_id', true), '') is null);
create policy lease on cell.executions for update to cs_jobs
  using (status = 'RUNNING' and nullif(current_setting('app.center_id', true), '') is null) with check (status = 'RUNNING');
grant select, insert on cell.executions to cs_api;
-- Only a sealing batch ends an execution.
grant select, update (status, completed_at, failure, next_at, leased, parameters, event) on cell.executions to cs_sequencer;
grant select, insert, delete, update (next_at, leased, leased_at, lease_epoch, losses) on cell.executions to cs_jobs;

-- The result of each attempted step. A finished step does not change; one in RETRYING may.
create table cell.execution_steps (
  center_id integer,
  execution_id uuid not null,
  position integer not null check (position >= 0),
  name text not null,
  status text not null check (status in ('COMPLETED', 'RETRYING', 'FAILED')),
  attempts integer not null check (attempts > 0),
  output json,
  -- The last error, also if a later attempt succeeded.
  error text,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (center_id, execution_id, position),
  foreign key (center_id, execution_id) references cell.executions on delete cascade,
  check ((status = 'COMPLETED') = (output is not null)),
  check (status = 'COMPLETED' or error is not null),
  check ((status = 'RETRYING') = (completed_at is null))
);
-- Steps are deleted with their execution only. The row of the execution is gone when its deletion reaches them.
create function cell.only_with_execution() returns trigger
language plpgsql as $$
begin
  if exists (select from cell.executions e where e.center_id = old.center_id and e.id = old.execution_id)
    and (current_user <> 'cs_owner' or old.center_id is distinct from countersign.leaving())
  then
    raise exception 'rows of %.% are kept as long as their execution', tg_table_schema, tg_table_name
      using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger kept before delete on cell.execution_steps for each row execute function cell.only_with_execution();
select countersign.give_tenancy('cell.execution_steps');
create policy survey on cell.execution_steps for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- One commit records the steps of several centers, which app.center_ids names.
create policy record on cell.execution_steps to cs_jobs
  using (center_id + 0 = any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[]))
  with check (center_id + 0 = any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[]));
grant select on cell.execution_steps to cs_api;
grant select, insert, update (status, attempts, output, error, started_at, completed_at) on cell.execution_steps to
  cs_jobs, cs_sequencer;

-- The next due time of each scheduled workflow of a center. Workers derive it from the definition and the time zone.
create table cell.workflow_schedules (
  center_id integer,
  workflow_key text not null,
  cron text not null,
  timezone text not null,
  next_at timestamptz(3) not null,
  -- The last due time that was handled, and whether it was skipped because an execution was still running.
  last_due timestamptz(3),
  skipped boolean not null default false,
  primary key (center_id, workflow_key),
  check (last_due < next_at)
);
create index workflow_schedules_due on cell.workflow_schedules (next_at);
select countersign.give_tenancy('cell.workflow_schedules');
create policy survey on cell.workflow_schedules for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.workflow_schedules to cs_api;
grant select, insert, update, delete on cell.workflow_schedules to cs_jobs;

-- What a center has chosen for a workflow. Without a row everything is as defined.
create table cell.workflow_settings (
  center_id integer,
  workflow_key text not null check (length(workflow_key) between 1 and 200),
  enabled boolean not null,
  -- Null: the schedule of the workflow.
  cron text,
  -- Defaults for executions.
  parameters json not null,
  tags text[] not null,
  updated_at timestamptz(3) not null,
  -- Mark of the last change.
  changed bigint not null default 0,
  primary key (center_id, workflow_key)
);
create index workflow_settings_changed on cell.workflow_settings (changed);
create trigger mark_workflow_settings before insert or update on cell.workflow_settings
  for each row execute function countersign.mark_change();
select countersign.give_tenancy('cell.workflow_settings');
create policy survey on cell.workflow_settings for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update on cell.workflow_settings to cs_api;
grant select on cell.workflow_settings to cs_jobs;

-- The functions below find every row by its key. A plan that was made while a table was empty would scan it, so they
-- disable sequential scans and hash and merge joins.

-- Leases due executions of the named workflows and returns them with their recorded steps. Centers take turns: the
-- executions that the worker holds of a center (`held`, by center) count as turns that the center has had, and within a
-- center the longest due is first. A worker holds at most `per_center` of one center, so that the others find a free
-- place. `taken_over`: the previous holder did not release its lease.
create function cell.lease_executions(
  keys text[], at timestamptz, until timestamptz, most integer, per_center integer, held json)
returns table (
  center_id integer, id uuid, workflow_key text, trigger text, parameters json, event json, scheduled_for timestamptz,
  unit_id uuid, started_at timestamptz, tags text[], epoch bigint, taken_over boolean, losses integer, steps json)
language sql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with recursive open as (
    (select e.center_id from cell.executions e where e.status = 'RUNNING' order by e.center_id limit 1)
    union all
    select n.center_id from open o cross join lateral (
      select e.center_id from cell.executions e where e.status = 'RUNNING' and e.center_id > o.center_id
      order by e.center_id limit 1) n
  ), waiting as (
    select o.center_id, coalesce((held ->> o.center_id::text)::integer, 0) as turns, count(*) over () as centers
    from open o
    where coalesce((held ->> o.center_id::text)::integer, 0) < per_center and exists (
      select from cell.executions e where e.status = 'RUNNING' and e.center_id = o.center_id and e.next_at <= at)
  ), candidates as (
    select w.center_id, d.next_at, w.turns + row_number() over (partition by w.center_id order by d.next_at) as turn
    from waiting w cross join lateral (
      select e.next_at from cell.executions e
      where e.status = 'RUNNING' and e.center_id = w.center_id and e.next_at <= at and e.workflow_key = any (keys)
      -- With many centers a few of each fill all places, so the number of candidates is limited.
      order by e.next_at limit least(most, per_center - w.turns, greatest(1, 4096 / w.centers))) d
  ), places as (
    select c.center_id, count(*) as given
    from (select center_id from candidates order by turn, next_at limit most) c group by c.center_id
  ), due as (
    -- Locks only what is taken: what another worker is taking at the same time is skipped, and the next ones are taken.
    select d.center_id, d.id, d.leased from places p cross join lateral (
      select e.center_id, e.id, e.leased from cell.executions e
      where e.status = 'RUNNING' and e.center_id = p.center_id and e.next_at <= at and e.workflow_key = any (keys)
      order by e.next_at limit p.given for update of e skip locked) d
  ), taken as (
    update cell.executions e set lease_epoch = e.lease_epoch + 1, leased = true, leased_at = at, next_at = until,
      losses = e.losses + d.leased::integer
    from due d where e.center_id = d.center_id and e.id = d.id
    returning e.*, d.leased as taken_over
  )
  select t.center_id, t.id, t.workflow_key, t.trigger, t.parameters, t.event, t.scheduled_for, t.unit_id, t.started_at,
    t.tags, t.lease_epoch, t.taken_over, t.losses, (
      select json_agg(json_build_object('name', s.name, 'status', s.status, 'attempts', s.attempts, 'output', s.output,
        'error', s.error) order by s.position)
      from cell.execution_steps s where s.center_id = t.center_id and s.execution_id = t.id)
  from taken t
$$;

-- Renews leases and returns the ids of the executions that are still leased with the given epoch.
create function cell.renew_executions(held json, until timestamptz) returns table (execution_id uuid)
language sql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with wanted as (
    select e.center_id, e.id from json_to_recordset(held) as h (center_id integer, id uuid, epoch bigint)
      join cell.executions e on e.center_id = h.center_id and e.id = h.id
    where e.lease_epoch = h.epoch and e.status = 'RUNNING'
    order by e.center_id, e.id for update of e
  )
  update cell.executions e set next_at = until from wanted w where e.center_id = w.center_id and e.id = w.id
  returning e.id
$$;

-- Records the results of steps of several executions and centers, and returns the executions whose lease was valid; for
-- the others nothing is written. A record with next_at releases the lease and schedules another attempt. It is one
-- transaction, so app.center_ids ends with it.
create function cell.record_steps(records json) returns table (recorded uuid)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  held uuid[];
begin
  perform set_config('app.center_ids', (
    select array_agg(distinct center_id)::text from json_to_recordset(records) as r (center_id integer)), true);
  -- Locked until commit, so that no other worker leases them between this check and the writes.
  select array_agg(h.id) into held from (
    select e.id from json_to_recordset(records) as r (center_id integer, id uuid, epoch bigint)
      join cell.executions e on e.center_id = r.center_id and e.id = r.id
    where e.lease_epoch = r.epoch and e.status = 'RUNNING'
    order by e.center_id, e.id for update of e) h;
  insert into cell.execution_steps as s (
    center_id, execution_id, position, name, status, attempts, output, error, started_at, completed_at)
  select r.center_id, r.id, r.position, r.name, r.status, r.attempts, r.output, r.error, r.started_at, r.completed_at
  from json_to_recordset(records) as r (
    center_id integer, id uuid, position integer, name text, status text, attempts integer, output json, error text,
    started_at timestamptz, completed_at timestamptz)
  where r.id = any (held)
  on conflict on constraint execution_steps_pkey do update set status = excluded.status, attempts = excluded.attempts,
    output = excluded.output, error = coalesce(excluded.error, s.error), started_at = excluded.started_at,
    completed_at = excluded.completed_at;
  update cell.executions e set next_at = r.next_at, leased = false
  from json_to_recordset(records) as r (center_id integer, id uuid, next_at timestamptz)
  where r.next_at is not null and r.id = any (held) and e.center_id = r.center_id and e.id = r.id;
  return query select unnest(held);
end $$;

-- Locks the executions that the sealing batch ends, and returns those that are running, with the epoch of their lease.
create function cell.hold_executions(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(json_build_object('center_id', h.center_id, 'id', h.id, 'epoch', h.lease_epoch)) from (
    select e.center_id, e.id, e.lease_epoch
    from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
      join cell.executions e on e.center_id = w.center_id and e.id = w.id
    where e.status = 'RUNNING'
    order by e.center_id, e.id for update of e) h);
end $$;

-- `step` is the one that failed, if any.
create function cell.write_executions(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.execution_steps as s (
    center_id, execution_id, position, name, status, attempts, error, started_at, completed_at)
  select c.center_id, c.id, f.position, f.name, 'FAILED', f.attempts, f.error, f.started_at, f.completed_at
  from json_to_recordset(updated) as c (center_id integer, id uuid, step json)
    cross join lateral json_to_record(c.step) as f (
      position integer, name text, attempts integer, error text, started_at timestamptz, completed_at timestamptz)
  where c.step is not null
  on conflict on constraint execution_steps_pkey do update set status = excluded.status, attempts = excluded.attempts,
    error = excluded.error, started_at = excluded.started_at, completed_at = excluded.completed_at;
  update cell.executions e set status = c.status, completed_at = c.completed_at, failure = c.failure, next_at = null,
    leased = false
  from json_to_recordset(updated) as c (
    center_id integer, id uuid, status text, completed_at timestamptz, failure text)
  where e.center_id = c.center_id and e.id = c.id;
end $$;
