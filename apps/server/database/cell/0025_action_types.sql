set local role cs_owner;

-- Every version of every action type of a center. The highest version of a type is in force, unless it withdraws the type.
create table cell.action_type_versions (
  center_id integer,
  id uuid not null,
  version integer not null check (version > 0),
  -- The type as decisions are compared with it. The form in which it was sent stands in `template`.
  key text collate "C" not null check (length(key) between 1 and 200),
  -- The canonical text. `digest` is its SHA-256. Of a version that withdraws, the type alone.
  template text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(template, 'UTF8')), 'hex')),
  deleted boolean not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  -- The hash of its entry in the chain `history`; the entry of the next version names it.
  change_hash text not null,
  primary key (center_id, id, version),
  unique (center_id, key, version)
);
select countersign.give_tenancy('cell.action_type_versions');
select countersign.make_append_only('cell.action_type_versions');
grant select on cell.action_type_versions to cs_api, cs_jobs;
grant select, insert on cell.action_type_versions to cs_sequencer;

-- The newest version of every action type of these centers. It steps along the index from one type to the next, so the cost
-- does not grow with the number of versions.
create function cell.newest_action_types(centers integer[]) returns setof cell.action_type_versions
language sql stable as $$
  with recursive keys (center_id, key) as (
    select c, (select v.key from cell.action_type_versions v where v.center_id = c order by v.key limit 1)
    from unnest(centers) c
    union all
    select center_id, (
      select v.key from cell.action_type_versions v where v.center_id = keys.center_id and v.key > keys.key
      order by v.key limit 1)
    from keys where key is not null
  )
  select v.* from keys cross join lateral (
    select * from cell.action_type_versions v
    where v.center_id = keys.center_id and v.key = keys.key order by v.version desc limit 1) v
  where keys.key is not null
$$;

-- Without the templates, which a change replaces unread: a center with many types stays small in a batch. The batch holds
-- the heads that every change needs, so nothing changes before its commit.
create function cell.load_action_types(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(json_build_object('center_id', center_id, 'id', id, 'version', version, 'key', key,
      'deleted', deleted, 'change_hash', change_hash))
    from cell.newest_action_types(array(select distinct center_id from json_to_recordset(wanted) as w (center_id integer))));
end $$;

create function cell.write_action_types(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.action_type_versions (center_id, id, version, key, template, digest, deleted, created_by, created_at,
    change_hash)
  select center_id, id, version, key, template, digest, deleted, created_by, created_at, change_hash
  from json_to_recordset(inserted) as t (
    center_id integer, id uuid, version integer, key text, template text, digest text, deleted boolean, created_by text,
    created_at timestamptz, change_hash text);
end $$;
