set local role cs_owner;

-- Every version of every policy of a center. The highest version is in force.
create table cell.policy_versions (
  center_id integer,
  id uuid not null,
  version integer not null check (version > 0),
  -- The canonical text. `digest` is its SHA-256.
  policy text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(policy, 'UTF8')), 'hex')),
  deleted boolean not null default false,
  created_by text not null,
  created_at timestamptz(3) not null,
  -- The hash of its entry in the chain `history`; the entry of the next version names it.
  change_hash text not null,
  primary key (center_id, id, version)
);
select countersign.give_tenancy('cell.policy_versions');
select countersign.make_append_only('cell.policy_versions');
grant select on cell.policy_versions to cs_api, cs_jobs, cs_recorder;
grant select, insert on cell.policy_versions to cs_sequencer;

-- The newest version of every policy of these centers. It steps along the primary key from one policy to the next, so
-- the cost does not grow with the number of versions. Every item of a batch waits for it.
create function cell.newest_policies(centers integer[]) returns setof cell.policy_versions
language sql stable as $$
  with recursive ids (center_id, id) as (
    select c, (select v.id from cell.policy_versions v where v.center_id = c order by v.id limit 1) from unnest(centers) c
    union all
    select center_id, (
      select v.id from cell.policy_versions v where v.center_id = ids.center_id and v.id > ids.id order by v.id limit 1)
    from ids where id is not null
  )
  select v.* from ids cross join lateral (
    select * from cell.policy_versions v
    where v.center_id = ids.center_id and v.id = ids.id order by v.version desc limit 1) v
  where ids.id is not null
$$;

-- A copy of directory.policy_versions. Workers refresh it every few seconds.
create table cell.shared_policies (
  id uuid not null,
  version integer not null check (version > 0),
  policy text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(policy, 'UTF8')), 'hex')),
  withdrawn boolean not null,
  created_at timestamptz(3) not null,
  primary key (id, version)
);
select countersign.make_append_only('cell.shared_policies');
alter table cell.shared_policies enable row level security, force row level security;
create policy standing on cell.shared_policies for select to cs_api, cs_recorder, cs_sequencer using (true);
create policy copying on cell.shared_policies to cs_jobs using (true) with check (true);
grant select on cell.shared_policies to cs_api, cs_recorder, cs_sequencer;
grant select, insert on cell.shared_policies to cs_jobs;

-- The newest policies of the centers of a batch, and the policies that all centers share. The batch holds the heads that
-- every change of a policy needs, so they do not change before its commit.
create function cell.load_policies(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (
    with own as (
      select center_id, id, version, policy, digest, deleted, change_hash,
        sum(octet_length(policy)) over (partition by center_id) as bytes
      from cell.newest_policies(array(select distinct center_id from json_to_recordset(wanted) as w (center_id integer)))
    ), newest as (
      select distinct on (id) id, version, policy, digest, withdrawn from cell.shared_policies order by id, version desc
    )
    select json_agg(row) from (
      select json_build_object('center_id', null, 'id', id, 'version', version, 'policy', policy, 'digest', digest) as row
      from newest where not withdrawn
      union all
      select case when bytes > most_bytes then json_build_object('center_id', center_id, 'oversize', bytes)
        else json_build_object('center_id', center_id, 'id', id, 'version', version, 'policy', policy, 'digest', digest,
          'deleted', deleted, 'change_hash', change_hash) end
      from own) policies);
end $$;

create function cell.write_policies(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.policy_versions (center_id, id, version, policy, digest, deleted, created_by, created_at, change_hash)
  select center_id, id, version, policy, digest, deleted, created_by, created_at, change_hash
  from json_to_recordset(inserted) as p (
    center_id integer, id uuid, version integer, policy text, digest text, deleted boolean, created_by text,
    created_at timestamptz, change_hash text);
end $$;
