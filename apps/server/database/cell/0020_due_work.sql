set local role cs_owner;

-- The kinds of work of which something is due, for workers that rest. pg-boss has its tables in a schema of its own, which
-- is made after this one.
create function cell.due_work(at timestamptz) returns table (kind text)
language plpgsql stable set enable_seqscan = off as $$
begin
  return query
  select 'deliver' where exists (
    select from cell.webhook_endpoints e
    where e.due_at <= at and (e.lease_until is null or e.lease_until <= at) and (e.not_before is null or e.not_before <= at))
  union all
  select 'workflow' where exists (select from cell.executions e where e.status = 'RUNNING' and e.next_at <= at)
  union all
  select 'export' where exists (select from cell.center_exports e where e.status = 'running' and e.next_at <= at)
  union all
  select 'schedule' where exists (select from cell.workflow_schedules s where s.next_at <= at)
  union all
  select 'job ' || q.name from pgboss.queue q where exists (
    select from pgboss.job j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now());
end $$;
revoke execute on function cell.due_work from public;
grant execute on function cell.due_work to cs_jobs;

-- Writes the schedules of many centers, one after the other, and deletes those without a due time. One that another worker
-- has written, or moved beyond this due time, stays.
create function cell.put_schedules(wanted json) returns void
language plpgsql as $$
declare
  each record;
begin
  for each in
    select * from json_to_recordset(wanted) as w (
      center_id integer, workflow_key text, cron text, timezone text, next_at timestamptz) order by center_id, workflow_key
  loop
    perform set_config('app.center_id', each.center_id::text, true);
    if each.next_at is null then
      delete from cell.workflow_schedules s where s.center_id = each.center_id and s.workflow_key = each.workflow_key;
    else
      insert into cell.workflow_schedules as s (center_id, workflow_key, cron, timezone, next_at)
      values (each.center_id, each.workflow_key, each.cron, each.timezone, each.next_at)
      on conflict (center_id, workflow_key) do update
        set cron = excluded.cron, timezone = excluded.timezone, next_at = excluded.next_at
        where (s.cron, s.timezone) is distinct from (excluded.cron, excluded.timezone)
          and (s.last_due is null or s.last_due < excluded.next_at);
    end if;
  end loop;
end $$;
