-- Roles belong to the cluster, not to the database: another database may have made them already.
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
    -- From version 16 on whoever makes a role is a member that may not take it: asked for is the right to take it.
    if not pg_has_role(
      current_user, name, case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end
    ) then
      execute format('grant %I to current_user', name);
    end if;
  end loop;
end $$;

create schema countersign authorization cs_owner;
grant usage on schema countersign to cs_api, cs_auth, cs_recorder, cs_sequencer, cs_public, cs_jobs, cs_operator;

set local role cs_owner;

-- One way to be a tenant table. After a transaction the setting is '' and not null, hence nullif:
-- without it every later statement on that connection would fail on the cast.
create function countersign.give_tenancy(target regclass) returns void
language plpgsql as $$
declare
  center constant text := $q$nullif(current_setting('app.center_id', true), '')::integer$q$;
  -- In a sub-select it is read once per statement; bare, a list of centers would be parsed again for every row.
  centers constant text := $q$any ((select nullif(current_setting('app.center_ids', true), '')::integer[])::integer[])$q$;
begin
  execute format('alter table %s alter column center_id set not null, alter column center_id set default %s', target, center);
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to cs_api, cs_jobs using (center_id = %s) with check (center_id = %s)',
    target, center, center);
  execute format(
    'create policy batch on %s to cs_recorder, cs_sequencer using (center_id = %s) with check (center_id = %s)',
    target, centers, centers);
end $$;

-- For records that nobody may change, whatever grants a later migration hands out.
create function countersign.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function countersign.make_append_only(target regclass) returns void
language plpgsql as $$
begin
  execute format(
    'create trigger append_only before update or delete on %s for each row execute function countersign.refuse_change()', target);
  execute format(
    'create trigger no_truncate before truncate on %s for each statement execute function countersign.refuse_change()', target);
end $$;
