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
