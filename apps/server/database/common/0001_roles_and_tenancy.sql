-- Roles belong to the cluster, not to a database: a migration of another database may have created them already. All but the
-- owner log in; `npm run db:migrate` sets their passwords and the settings of their sessions (data/login-setup.ts).
do $$
declare
  name text;
begin
  foreach name in array array[
    'cs_owner', 'cs_api', 'cs_auth', 'cs_recorder', 'cs_sequencer', 'cs_public', 'cs_jobs', 'cs_operator'
  ] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
  -- From PostgreSQL 16 on, membership in a role does not include the right to SET ROLE to it.
  if not pg_has_role(
    current_user, 'cs_owner', case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end
  ) then
    grant cs_owner to current_user;
  end if;
end $$;

create schema countersign authorization cs_owner;
grant usage on schema countersign to cs_api, cs_auth, cs_recorder, cs_sequencer, cs_public, cs_jobs, cs_operator;

set local role cs_owner;

-- The center whose rows `forget_rows` deletes; null for one that has not left. For the owner only, in a cell.
create function countersign.leaving() returns integer
language plpgsql stable as $$
declare
  center constant integer := nullif(current_setting('app.leaving', true), '')::integer;
begin
  if center is null then return null; end if;
  return (select center_id from cell.left_centers where center_id = center);
end $$;

-- Makes a tenant table: center_id defaults to the current center, and forced row-level security limits every role to the
-- current center (app.center_id) or to the centers of a batch (app.center_ids). After a transaction that set it, a
-- setting is '' and not null; without nullif the cast would fail in every later statement on that connection.
create function countersign.give_tenancy(target regclass) returns void
language plpgsql as $$
declare
  center constant text := $q$nullif(current_setting('app.center_id', true), '')::integer$q$;
  -- A sub-select is evaluated once per statement; without it the array would be parsed for every row.
  centers constant text := $q$any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[])$q$;
begin
  execute format('alter table %s alter column center_id set not null, alter column center_id set default %s', target, center);
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to cs_api, cs_jobs using (center_id = %s) with check (center_id = %s)',
    target, center, center);
  -- `+ 0` keeps the condition out of the index conditions. As one of them, every lookup by key would step through all
  -- centers of the batch, and the planner would rather read all rows of these centers.
  execute format(
    'create policy batch on %s to cs_recorder, cs_sequencer using (center_id + 0 = %s) with check (center_id + 0 = %s)',
    target, centers, centers);
  -- Row-level security binds the owner too. Of a center that has left it sees the rows, to delete them.
  if target::text like 'cell.%' then
    execute format('create policy leaving on %s to cs_owner using (center_id = (select countersign.leaving()))', target);
  end if;
end $$;

-- Marks rows that workers follow: the transaction id without its last ten bits. A worker that has read what it follows at
-- some moment finds all later changes in the rows with the mark of that moment's oldest open transaction, or a later mark:
-- that is the horizon. Rounded, so that a row that changes often rarely changes its place in the index.
create function countersign.change_mark() returns bigint
language sql as $$ select pg_current_xact_id()::text::bigint >> 10 $$;
create function countersign.horizon() returns bigint
language sql stable as $$ select pg_snapshot_xmin(pg_current_snapshot())::text::bigint >> 10 $$;
create function countersign.mark_change() returns trigger
language plpgsql as $$
begin
  new.changed := countersign.change_mark();
  return new;
end $$;

-- Deletes some rows of a center that has left, and returns how many; zero at the end. A table without the policy `leaving`
-- keeps its rows. Rows that others refer to wait for a later call.
create function countersign.forget_rows(center integer, most integer) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  target regclass;
  deleted bigint;
  total bigint := 0;
begin
  perform set_config('app.leaving', center::text, true);
  if countersign.leaving() is null then raise exception 'the center % has not left', center; end if;
  for target in select polrelid from pg_catalog.pg_policy where polname = 'leaving' order by polrelid loop
    begin
      execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where center_id = $1 limit $2))', target)
        using center, most;
      get diagnostics deleted = row_count;
      total := total + deleted;
    exception when foreign_key_violation then null;
    end;
  end loop;
  return total;
end $$;
revoke all on function countersign.forget_rows(integer, integer) from public;
grant execute on function countersign.forget_rows(integer, integer) to cs_operator;

create function countersign.refuse_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_schema = 'cell' and current_user = 'cs_owner' then
    if (to_jsonb(old) ->> 'center_id')::integer = countersign.leaving() then return old; end if;
  end if;
  raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Refuses UPDATE, DELETE and TRUNCATE for every role, whatever is granted. Rows of a center that has left can be deleted.
create function countersign.make_append_only(target regclass) returns void
language plpgsql as $$
begin
  execute format(
    'create trigger append_only before update or delete on %s for each row execute function countersign.refuse_change()', target);
  execute format(
    'create trigger no_truncate before truncate on %s for each statement execute function countersign.refuse_change()', target);
  -- Rows that never change are frozen by the first vacuum that sees them, and vacuum sees them soon: one against wraparound
  -- then skips the pages of years instead of rewriting them at once.
  execute format('alter table %s set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02)', target);
end $$;
