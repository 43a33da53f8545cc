set local role cs_owner;

-- One run of a workflow. The row is the job: it is written by the transaction that causes the run, and `next_at` says when
-- somebody is to take it up: now, after a pause, or when the lease of whoever is at work ends. Every writer names the
-- epoch of its lease, so a late one writes nothing.
create table cell.executions (
  center_id integer,
  id uuid not null,
  workflow_key text not null check (length(workflow_key) between 1 and 200),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')),
  trigger text not null check (trigger in ('manual', 'schedule', 'event')),
  -- The definition admits one run at a time.
  alone boolean not null,
  parameters json not null,
  -- What happened, where that started it.
  event json,
  -- The person; null for a schedule or an event.
  started_by text,
  scheduled_for timestamptz(3),
  -- Chosen at the start: however often the end is tried, it is the same record.
  unit_id uuid not null,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  failure text,
  next_at timestamptz(3),
  leased boolean not null default false,
  leased_at timestamptz(3),
  lease_epoch bigint not null default 0,
  -- How often whoever was at work did not give it back.
  losses integer not null default 0,
  primary key (center_id, id),
  check ((status = 'RUNNING') = (completed_at is null)),
  check ((status = 'RUNNING') = (next_at is not null)),
  check ((status = 'FAILED') = (failure is not null)),
  check ((trigger = 'schedule') = (scheduled_for is not null)),
  check ((trigger = 'event') = (event is not null)),
  check (status = 'RUNNING' or not leased)
) with (fillfactor = 80);
-- A due time fires once, however many workers see it.
create unique index executions_scheduled on cell.executions (center_id, workflow_key, scheduled_for)
  where scheduled_for is not null;
create unique index executions_alone on cell.executions (center_id, workflow_key) where status = 'RUNNING' and alone;
create index executions_due on cell.executions (next_at) where status = 'RUNNING';
-- UUIDs rise with time, so this is also the order of the list.
create index executions_by_workflow on cell.executions (center_id, workflow_key, id);
create trigger ended before update on cell.executions for each row when (old.status <> 'RUNNING')
  execute function countersign.refuse_change();
create trigger kept before delete on cell.executions for each row execute function countersign.refuse_change();
select countersign.give_tenancy('cell.executions');

-- What came of each step that was tried. A finished one stands; one that is to be tried again does not yet.
create table cell.execution_steps (
  center_id integer,
  execution_id uuid not null,
  position integer not null check (position >= 0),
  name text not null,
  status text not null check (status in ('COMPLETED', 'RETRYING', 'FAILED')),
  attempts integer not null check (attempts > 0),
  output json,
  -- Of the last attempt that did not work, also where a later one did.
  error text,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (center_id, execution_id, position),
  foreign key (center_id, execution_id) references cell.executions,
  check ((status = 'COMPLETED') = (output is not null)),
  check (status = 'COMPLETED' or error is not null),
  check ((status = 'RETRYING') = (completed_at is null))
);
create trigger finished before update on cell.execution_steps for each row when (old.status <> 'RETRYING')
  execute function countersign.refuse_change();
create trigger kept before delete on cell.execution_steps for each row execute function countersign.refuse_change();
select countersign.give_tenancy('cell.execution_steps');

-- When a center's workflow is due next. A copy of what definition and time zone say, kept by the workers.
create table cell.workflow_schedules (
  center_id integer,
  workflow_key text not null,
  cron text not null,
  timezone text not null,
  next_at timestamptz(3) not null,
  -- The last due time that was seen to, and whether it was skipped because the run before was not done.
  last_due timestamptz(3),
  skipped boolean not null default false,
  primary key (center_id, workflow_key),
  check (last_due < next_at)
);
create index workflow_schedules_due on cell.workflow_schedules (next_at);
select countersign.give_tenancy('cell.workflow_schedules');

-- Work is looked for before any center is entered; what is found may only be leased and given back there.
create policy survey on cell.executions for select to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy lease on cell.executions for update to cs_jobs
  using (status = 'RUNNING' and nullif(current_setting('app.center_id', true), '') is null) with check (status = 'RUNNING');
create policy survey on cell.execution_steps for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy survey on cell.workflow_schedules for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- Steps of several centers are recorded in one commit, which names them.
create policy record on cell.execution_steps to cs_jobs
  using (center_id = any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[]))
  with check (center_id = any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[]));

grant select, insert, update (status, completed_at, next_at, leased) on cell.executions to cs_api;
grant select on cell.execution_steps, cell.workflow_schedules to cs_api;
-- By column: a row must not move to another center.
grant select, insert, update (status, completed_at, failure, next_at, leased, leased_at, lease_epoch, losses)
  on cell.executions to cs_jobs;
grant select, insert, update (status, attempts, output, error, started_at, completed_at) on cell.execution_steps to cs_jobs;
grant select, insert, update, delete on cell.workflow_schedules to cs_jobs;
grant select, update (status, completed_at, next_at, leased) on cell.executions to cs_sequencer;
-- A schedule that fires and a run that fails are told to whoever listens.
grant insert on cell.webhook_events, cell.webhook_deliveries to cs_jobs;

-- The functions below know that what they touch is found by its key; the planner does not, where a table was empty when
-- it last looked. So they may not scan, hash or merge.

-- Leases what is due of the workflows that the caller knows, those first that waited longest, with what was recorded of
-- their steps. A lease that nobody gave back tells that its holder died.
create function cell.lease_executions(keys text[], at timestamptz, until timestamptz, most integer)
returns table (
  center_id integer, id uuid, workflow_key text, trigger text, parameters json, event json, scheduled_for timestamptz,
  unit_id uuid, started_at timestamptz, epoch bigint, taken_over boolean, losses integer, steps json)
language sql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with due as (
    select e.center_id, e.id, e.leased from cell.executions e
    where e.status = 'RUNNING' and e.next_at <= at and e.workflow_key = any (keys)
    order by e.next_at limit most for update of e skip locked
  ), taken as (
    update cell.executions e set lease_epoch = e.lease_epoch + 1, leased = true, leased_at = at, next_at = until,
      losses = e.losses + d.leased::integer
    from due d where e.center_id = d.center_id and e.id = d.id
    returning e.*, d.leased as taken_over
  )
  select t.center_id, t.id, t.workflow_key, t.trigger, t.parameters, t.event, t.scheduled_for, t.unit_id, t.started_at,
    t.lease_epoch, t.taken_over, t.losses, (
      select json_agg(json_build_object('name', s.name, 'status', s.status, 'attempts', s.attempts, 'output', s.output,
        'error', s.error) order by s.position)
      from cell.execution_steps s where s.center_id = t.center_id and s.execution_id = t.id)
  from taken t
$$;

-- Keeps the leases of those that are still held, and says which they are.
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

-- Records what came of steps, of several executions and centers at once, and says whose lease still held: of all others
-- nothing is written. With `next_at` the step is to be tried again then, by whoever comes first. It is a transaction of
-- its own, so the centers are set here and forgotten at its end.
create function cell.record_steps(records json) returns table (recorded uuid)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  held uuid[];
begin
  perform set_config('app.center_ids', (
    select array_agg(distinct center_id)::text from json_to_recordset(records) as r (center_id integer)), true);
  -- Held to the end, so that nobody takes them over between the look and the writing.
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

-- For the batch that seals what an execution leaves behind: those whose lease holds, kept still until the commit.
create function cell.hold_executions(wanted json) returns json
language sql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select json_agg(h.id) from (
    select e.id from json_to_recordset(wanted) as w (center_id integer, id uuid, epoch bigint)
      join cell.executions e on e.center_id = w.center_id and e.id = w.id
    where e.lease_epoch = w.epoch and e.status = 'RUNNING'
    order by e.center_id, e.id for update of e) h
$$;

create function cell.complete_executions(completed json) returns void
language sql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update cell.executions e set status = 'COMPLETED', completed_at = c.completed_at, next_at = null, leased = false
  from json_to_recordset(completed) as c (center_id integer, id uuid, completed_at timestamptz)
  where e.center_id = c.center_id and e.id = c.id
$$;
