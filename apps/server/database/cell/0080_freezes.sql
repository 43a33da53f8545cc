set local role cs_owner;

-- Stops of a center: what each covers, who made it, and its lifting. A batch that makes or lifts one holds the chains `history`
-- and `proof`, so that no batch of the center decides, approves or takes anything at the same moment.
create table cell.freezes (
  center_id integer,
  id uuid not null,
  -- One of `actorId`, `keyId`, `actionTypes`, `center`.
  covers json not null,
  reason text not null check (length(reason) between 1 and 500),
  -- Whoever lifts it has this rank or a higher one.
  rank text not null check (rank in ('center', 'partner', 'operator')),
  made_by text not null,
  made_at timestamptz(3) not null,
  made_index bigint not null,
  lifted_by text,
  lifted_at timestamptz(3),
  lifted_index bigint,
  lift_reason text,
  -- The hash of the newest entry about it.
  last_entry text not null,
  -- Whether the administrators were mailed about its newest state.
  mailed boolean not null default false,
  primary key (center_id, id),
  check (num_nonnulls(lifted_by, lifted_at, lifted_index, lift_reason) in (0, 4))
);
create index freezes_in_force on cell.freezes (center_id) where lifted_at is null;
create index freezes_unmailed on cell.freezes (center_id) where not mailed;
select countersign.give_tenancy('cell.freezes');
create policy survey on cell.freezes for select to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create trigger kept before delete on cell.freezes for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.freezes for each statement execute function countersign.refuse_change();
grant select on cell.freezes to cs_api, cs_jobs;
grant update (mailed) on cell.freezes to cs_jobs;
grant select, insert, update (lifted_by, lifted_at, lifted_index, lift_reason, last_entry, mailed) on cell.freezes to cs_sequencer;

-- The operator's stops for all centers of the cell. Each center gets its own row in cell.freezes, and its entry, before the next
-- decision that is judged there.
create table cell.shared_freezes (
  id uuid primary key,
  covers json not null,
  reason text not null check (length(reason) between 1 and 500),
  made_by text not null,
  made_at timestamptz(3) not null default now(),
  lifted_by text,
  lifted_at timestamptz(3),
  lift_reason text check (length(lift_reason) between 1 and 500),
  check (num_nonnulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
alter table cell.shared_freezes enable row level security, force row level security;
create policy standing on cell.shared_freezes for select to cs_api, cs_sequencer using (true);
create policy making on cell.shared_freezes to cs_jobs using (true) with check (true);
create trigger kept before delete on cell.shared_freezes for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.shared_freezes for each statement execute function countersign.refuse_change();
grant select on cell.shared_freezes to cs_api, cs_sequencer;
grant select, insert, update (lifted_by, lifted_at, lift_reason) on cell.shared_freezes to cs_jobs;

-- What runs now cannot be stopped: taken, and no outcome reported.
create index decision_executions_running on cell.decision_executions (center_id, consumed_at) where outcome_status is null;

-- As before, with the stops in force.
create or replace function cell.load_rules(wanted json, most_bytes integer) returns json
language plpgsql as $$
declare
  centers constant integer[] := array(select distinct center_id from json_to_recordset(wanted) as w (center_id integer));
begin
  return (
    with own as (
      select center_id, id, version, policy, digest, deleted, change_hash,
        sum(octet_length(policy)) over (partition by center_id) as bytes
      from cell.newest_policies(centers)
    ), newest as (
      select distinct on (id) id, version, policy, digest, withdrawn from cell.shared_policies order by id, version desc
    )
    select json_agg(row) from (
      select json_build_object('sort', 'policy', 'center_id', null, 'id', id, 'version', version, 'policy', policy,
        'digest', digest) as row
      from newest where not withdrawn
      union all
      select case when bytes > most_bytes then json_build_object('center_id', center_id, 'oversize', bytes)
        else json_build_object('sort', 'policy', 'center_id', center_id, 'id', id, 'version', version, 'policy', policy,
          'digest', digest, 'deleted', deleted, 'change_hash', change_hash) end
      from own
      union all
      select json_build_object('sort', 'freeze', 'center_id', center_id, 'id', id, 'covers', covers, 'reason', reason,
        'rank', rank, 'made_by', made_by, 'made_at', made_at, 'made_index', made_index, 'last_entry', last_entry)
      from cell.freezes where center_id = any (centers) and lifted_at is null
      union all
      select json_build_object('sort', 'sharedFreeze', 'center_id', null, 'id', id, 'covers', covers, 'reason', reason,
        'made_by', made_by, 'lifted_by', lifted_by, 'lift_reason', lift_reason)
      from cell.shared_freezes s where lifted_at is null
        or exists (select from cell.freezes f where f.center_id = any (centers) and f.id = s.id and f.lifted_at is null)
      union all
      select json_build_object('sort', 'head', 'center_id', center_id, 'history_index', history_index, 'digest', digest,
        'shared', shared)
      from cell.center_rules where center_id = any (centers)) rules);
end $$;

create or replace function cell.write_rules(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.policy_versions (center_id, id, version, policy, digest, deleted, created_by, created_at, change_hash)
  select center_id, id, version, policy, digest, deleted, created_by, created_at, change_hash
  from json_to_recordset(inserted) as p (
    sort text, center_id integer, id uuid, version integer, policy text, digest text, deleted boolean, created_by text,
    created_at timestamptz, change_hash text)
  where sort = 'policy';
  insert into cell.center_rules as r (center_id, history_index, digest, shared)
  select center_id, history_index, digest, shared from (
    select distinct on (center_id) * from (
      select * from json_to_recordset(inserted) as h (sort text, center_id integer, history_index bigint, digest text, shared json)
      union all
      select * from json_to_recordset(updated) as h (sort text, center_id integer, history_index bigint, digest text, shared json)) h
    where sort = 'head' order by center_id, history_index desc) h
  on conflict (center_id) do update
    set history_index = excluded.history_index, digest = excluded.digest, shared = excluded.shared;
  insert into cell.freezes (center_id, id, covers, reason, rank, made_by, made_at, made_index, last_entry)
  select center_id, id, covers, reason, rank, made_by, made_at, made_index, last_entry
  from json_to_recordset(inserted) as f (
    sort text, center_id integer, id uuid, covers json, reason text, rank text, made_by text, made_at timestamptz,
    made_index bigint, last_entry text)
  where sort = 'freeze';
  update cell.freezes f set lifted_by = u.lifted_by, lifted_at = u.lifted_at, lifted_index = u.lifted_index,
    lift_reason = u.lift_reason, last_entry = u.last_entry, mailed = false
  from json_to_recordset(updated) as u (
    sort text, center_id integer, id uuid, lifted_by text, lifted_at timestamptz, lifted_index bigint, lift_reason text,
    last_entry text)
  where u.sort = 'freeze' and f.center_id = u.center_id and f.id = u.id;
end $$;
