/** The tables and functions of a fence store in PostgreSQL. Each function is one write: one call, one transaction. */
import { otherDatabase, otherStore, writtenMeanwhile } from './store.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A batch has some hundreds of logs at most. The planner does not know that, and would read all logs of the store. */
const byKey = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off'

/** Of one cell. `schema` is quoted. */
export const storeTables = (schema: string): string => `
create schema if not exists ${schema};
create table if not exists ${schema}.store (
  one boolean primary key default true check (one), id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(), database_id text, identity text);
insert into ${schema}.store default values on conflict do nothing;
create table if not exists ${schema}.retired (identity text primary key, at timestamptz not null default now());
create table if not exists ${schema}.logs (
  name text collate "C" primary key, confirmed_size bigint not null default 0, confirmed_root text,
  reserved_size bigint, reserved_root text) with (fillfactor = 70);
create table if not exists ${schema}.generations (
  name text collate "C" primary key, begun_at bigint not null, successor text);
create sequence if not exists ${schema}.writes;

-- Holds the current database for this transaction, and counts the write. A write is on the disk when it returns.
create or replace function ${schema}.is_current(by_identity text) returns boolean
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'on', true);
  perform from ${schema}.store where identity = by_identity for share;
  if not found then return false; end if;
  perform nextval('${schema}.writes');
  return true;
end $$;

-- A closed log is never reserved again. A generation that was reserved and never confirmed is begun again. Locks the logs
-- that end, so that their confirmed sizes stay as they are.
create or replace function ${schema}.generation_fault(grown json) returns text
language plpgsql as $$
declare
  refusal text;
begin
  select g.log || ' is closed: ' || n.successor || ' continues it' into refusal
  from json_to_recordset(grown) as g (log text) join ${schema}.generations n on n.name = g.log
  where n.successor is not null limit 1;
  if refusal is not null then return refusal; end if;
  perform from ${schema}.logs where name in (
    select s.log from json_to_recordset(grown) as g (succeeds json), json_to_recordset(g.succeeds) as s (log text))
  order by name for update;
  select s.log || ' has another confirmed end than the declared one' into refusal
  from json_to_recordset(grown) as g (succeeds json),
    json_to_recordset(g.succeeds) as s (log text, size bigint, root text)
    left join ${schema}.logs l on l.name = s.log
  where (l.confirmed_size = s.size and l.confirmed_root = s.root) is not true limit 1;
  if refusal is not null then return refusal; end if;
  select g.log || ' has begun already' into refusal
  from json_to_recordset(grown) as g (log text, succeeds json) join ${schema}.logs l on l.name = g.log
    left join ${schema}.generations n on n.name = g.log
  where g.succeeds is not null and l.confirmed_size > coalesce(n.begun_at, 0) limit 1;
  return refusal;
end $$;

create or replace function ${schema}.reserve(by_identity text, grown json) returns text
language plpgsql ${byKey} as $$
declare
  refusal text;
begin
  if not ${schema}.is_current(by_identity) then return ${quoted(otherDatabase)}; end if;
  refusal := ${schema}.generation_fault(grown);
  if refusal is not null then return refusal; end if;
  insert into ${schema}.logs (name) select log from json_to_recordset(grown) as g (log text) order by log collate "C"
  on conflict do nothing;
  perform from ${schema}.logs l join json_to_recordset(grown) as g (log text) on g.log = l.name order by l.name for update of l;
  select l.confirmed_size || ' entries of ' || l.name || ' are confirmed, and the batch continues ' || g."from" ||
      case when l.reserved_size is null then '' else '; ' || l.reserved_size || ' are reserved' end into refusal
  from json_to_recordset(grown) as g (log text, "from" bigint, "fromRoot" text, replaces json, succeeds json)
    join ${schema}.logs l on l.name = g.log
  where g.succeeds is null and not (
    (l.confirmed_size = g."from" and (g."from" = 0 or l.confirmed_root = g."fromRoot") and (l.reserved_size is null
      or (l.reserved_size = (g.replaces ->> 'size')::bigint and l.reserved_root = g.replaces ->> 'root')))
    or (l.confirmed_size < g."from" and l.reserved_size = g."from" and l.reserved_root = g."fromRoot")) is true
  limit 1;
  if refusal is not null then return refusal; end if;
  insert into ${schema}.generations (name, begun_at)
  select log, "from" from json_to_recordset(grown) as g (log text, "from" bigint, succeeds json) where succeeds is not null
  on conflict (name) do update set begun_at = excluded.begun_at;
  insert into ${schema}.generations (name, begun_at, successor)
  select s.log, 0, g.log from json_to_recordset(grown) as g (log text, succeeds json), json_to_recordset(g.succeeds) as s (log text)
  on conflict (name) do update set successor = excluded.successor;
  update ${schema}.logs l set confirmed_size = g."from", confirmed_root = g."fromRoot", reserved_size = g.size,
    reserved_root = g.root
  from json_to_recordset(grown) as g (log text, "from" bigint, "fromRoot" text, size bigint, root text) where l.name = g.log;
  return null;
end $$;

create or replace function ${schema}.confirm(by_identity text, found_logs json) returns text
language plpgsql ${byKey} as $$
declare
  refusal text;
begin
  if not ${schema}.is_current(by_identity) then return ${quoted(otherDatabase)}; end if;
  perform from ${schema}.logs l join json_to_recordset(found_logs) as f (log text) on f.log = l.name
  order by l.name for update of l;
  select f.size || ' entries of ' || f.log || ' with this root are not reserved' into refusal
  from json_to_recordset(found_logs) as f (log text, size bigint, root text) left join ${schema}.logs l on l.name = f.log
  where not (l.confirmed_size > f.size or (l.confirmed_size = f.size and l.confirmed_root = f.root)
    or (l.confirmed_size < f.size and l.reserved_size = f.size and l.reserved_root = f.root)) is true
  limit 1;
  if refusal is not null then return refusal; end if;
  update ${schema}.logs l set confirmed_size = f.size, confirmed_root = f.root, reserved_size = null, reserved_root = null
  from json_to_recordset(found_logs) as f (log text, size bigint, root text)
  where l.name = f.log and l.confirmed_size < f.size;
  return null;
end $$;

create or replace function ${schema}.bind(to_database text, to_identity text) returns text
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'on', true);
  perform from ${schema}.store for update;
  if exists (select from ${schema}.logs where confirmed_size > 0)
    or exists (select from ${schema}.store where database_id <> to_database) then
    return ${quoted(otherStore)};
  end if;
  update ${schema}.store set database_id = to_database, identity = to_identity;
  perform nextval('${schema}.writes');
  return null;
end $$;

-- Waits for the reservations and confirmations that run, and keeps others out until it has committed.
create or replace function ${schema}.accept(to_database json, found_logs json) returns text
language plpgsql as $$
declare
  former text;
begin
  perform set_config('synchronous_commit', 'on', true);
  select identity into former from ${schema}.store for update;
  if (select case when is_called then last_value else 0 end from ${schema}.writes) <> (to_database ->> 'writes')::bigint then
    return ${quoted(writtenMeanwhile)};
  end if;
  insert into ${schema}.logs as l (name, confirmed_size, confirmed_root)
  select log, size, root from json_to_recordset(found_logs) as f (log text, size bigint, root text)
  on conflict (name) do update set confirmed_size = excluded.confirmed_size, confirmed_root = excluded.confirmed_root,
    reserved_size = null, reserved_root = null where l.confirmed_size < excluded.confirmed_size;
  if former <> to_database ->> 'identity' then
    insert into ${schema}.retired (identity) values (former) on conflict do nothing;
    update ${schema}.logs set reserved_size = null, reserved_root = null where reserved_size is not null;
  end if;
  update ${schema}.store set database_id = to_database ->> 'databaseId', identity = to_database ->> 'identity';
  perform nextval('${schema}.writes');
  return null;
end $$;`
