set local role cs_owner;

-- A Merkle tree (RFC 6962) over the hashes of every chain. Its roots are signed with a key that is not in this database,
-- so rewritten rows cannot be signed again. docs/formats/transparency.md describes the formats.

-- One checkpoint per batch and log. The primary key guarantees one root per size.
create table cell.checkpoints (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  -- Of the log whose name is signed.
  generation integer not null default 1 check (generation >= 1),
  size bigint not null check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  created_at timestamptz(3) not null,
  primary key (center_id, domain, size)
);
select countersign.give_tenancy('cell.checkpoints');
select countersign.make_append_only('cell.checkpoints');
-- A new database identity is accepted after its heads and roots were compared, while app.center_id is not set.
create policy survey on cell.checkpoints for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.checkpoints to cs_api, cs_jobs;
grant select, insert on cell.checkpoints to cs_sequencer;

-- Our signature lines under checkpoints. With a fence store a line is written after the fence has confirmed the size: with
-- the next batch of the log, or when the log has rested for some seconds. So a database that was replaced has no signature
-- over a size that was never shown. A newest checkpoint without a line is the one that the fence has confirmed.
create table cell.signatures (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  size bigint not null check (size > 0),
  line text not null,
  primary key (center_id, domain, size)
);
select countersign.give_tenancy('cell.signatures');
select countersign.make_append_only('cell.signatures');
create policy survey on cell.signatures for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.signatures to cs_api, cs_jobs;
grant select, insert on cell.signatures to cs_sequencer;

create function cell.write_signatures(signatures json) returns void
language plpgsql as $$
begin
  insert into cell.signatures (center_id, domain, size, line)
  select center_id, domain, size, line from json_to_recordset(signatures) as s (
    center_id integer, domain text, size bigint, line text)
  order by 1, 2, 3 on conflict do nothing;
end $$;

-- A tile holds 256 hashes: leaf hashes at level 0, roots of the tiles below at higher levels. It is written once, when it
-- is complete. A proof reads two or three tiles and the newest entries.
create table cell.tree_tiles (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  level integer not null check (level >= 0),
  n bigint not null check (n >= 0),
  hashes bytea not null check (octet_length(hashes) = 8192),
  root bytea not null check (octet_length(root) = 32),
  primary key (center_id, domain, level, n)
);
-- Hashes do not compress.
alter table cell.tree_tiles alter column hashes set storage external;
select countersign.give_tenancy('cell.tree_tiles');
select countersign.make_append_only('cell.tree_tiles');
grant select on cell.tree_tiles to cs_api, cs_jobs;
grant select, insert on cell.tree_tiles to cs_sequencer;

-- Signature lines of witnesses over a checkpoint.
create table cell.cosignatures (
  center_id integer,
  domain text not null,
  size bigint not null,
  witness text not null,
  line text not null,
  cosigned_at timestamptz(3) not null,
  primary key (center_id, domain, size, witness),
  foreign key (center_id, domain, size) references cell.checkpoints
);
select countersign.give_tenancy('cell.cosignatures');
select countersign.make_append_only('cell.cosignatures');
grant select on cell.cosignatures to cs_api;
grant select, insert on cell.cosignatures to cs_jobs;

-- The size up to which a witness has cosigned a log, and its last refusal.
create table cell.witness_positions (
  center_id integer,
  domain text not null,
  witness text not null,
  size bigint not null default 0 check (size >= 0),
  refusal text,
  retry_at timestamptz(3),
  primary key (center_id, domain, witness)
);
select countersign.give_tenancy('cell.witness_positions');
create policy survey on cell.witness_positions for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.witness_positions to cs_api;
grant select, insert, update on cell.witness_positions to cs_jobs;

-- RFC 3161 tokens of a time-stamping authority over the text of a checkpoint.
create table cell.timestamps (
  center_id integer,
  domain text not null,
  size bigint not null,
  token bytea not null,
  stamped_at timestamptz(3) not null,
  primary key (center_id, domain, size),
  foreign key (center_id, domain, size) references cell.checkpoints
);
select countersign.give_tenancy('cell.timestamps');
select countersign.make_append_only('cell.timestamps');
create policy survey on cell.timestamps for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.timestamps to cs_api;
grant select, insert on cell.timestamps to cs_jobs;

-- The later generations of a log. Entries were lost: the log before was closed for good, and this one continues the chain
-- under another name. Its statement is the chain entry at the index `restored_size`. Whether a later generation was begun
-- by another database, which is lost, only the fence store knows; so numbers may be left out.
create table cell.log_generations (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  generation integer not null check (generation >= 2),
  restored_size bigint not null check (restored_size >= 0),
  restored_root bytea not null check (octet_length(restored_root) = 32),
  -- The largest size of the log before that was signed, and its root; null where only a witness has seen it.
  lost_size bigint not null,
  lost_root bytea check (octet_length(lost_root) = 32),
  reason text not null check (length(reason) between 1 and 1000),
  declared_by text not null check (length(declared_by) between 1 and 200),
  declared_at timestamptz(3) not null,
  primary key (center_id, domain, generation),
  unique (center_id, domain, restored_size),
  check (restored_size < lost_size),
  foreign key (center_id, domain, restored_size) references cell.chain_entries
);
select countersign.give_tenancy('cell.log_generations');
select countersign.make_append_only('cell.log_generations');
create policy survey on cell.log_generations for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.log_generations to cs_api, cs_jobs;
grant select, insert on cell.log_generations to cs_sequencer;

-- A head of a later generation has its declaration. Deferred: a batch writes the head first.
alter table cell.chain_heads add column declared integer generated always as (nullif(generation, 1)) stored,
  add foreign key (center_id, domain, declared) references cell.log_generations deferrable initially deferred;

create function cell.write_generations(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.log_generations (center_id, domain, generation, restored_size, restored_root, lost_size, lost_root,
    reason, declared_by, declared_at)
  select center_id, domain, generation, restored_size, decode(restored_root, 'hex'), lost_size, decode(lost_root, 'hex'),
    reason, declared_by, declared_at
  from json_to_recordset(inserted) as g (
    center_id integer, domain text, generation integer, restored_size bigint, restored_root text, lost_size bigint,
    lost_root text, reason text, declared_by text, declared_at timestamptz);
end $$;

-- One row: the id of this database, which copies of it share, and the id of its fence store, set before the first seal.
create table cell.fence (
  one boolean primary key default true check (one),
  database_id uuid not null default gen_random_uuid(),
  store_id uuid
);
insert into cell.fence default values;
alter table cell.fence enable row level security, force row level security;
create policy known on cell.fence for select to cs_jobs, cs_sequencer using (true);
create policy binding on cell.fence for update to cs_jobs using (true) with check (true);
grant select on cell.fence to cs_jobs, cs_sequencer;
grant update (store_id) on cell.fence to cs_jobs;

-- Which of several copies of this database answers: a promoted standby and a recovered backup have another timeline, a
-- copy on another server another system identifier, a copy on the same server another OID. Null on a standby.
-- In plpgsql, which caches plans: planning takes longer than reading.
create function cell.database_identity() returns text
language plpgsql stable as $$
begin
  if pg_is_in_recovery() then return null; end if;
  return (select system_identifier from pg_control_system())::text || ':' ||
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ':' ||
    (select oid from pg_database where datname = current_database())::text;
end $$;

-- What a batch shows to the fence.
create function cell.whereabouts() returns json
language plpgsql stable as $$
begin
  return (select json_build_array(json_build_object('identity', cell.database_identity(), 'databaseId', database_id,
    'storeId', store_id)) from cell.fence);
end $$;

-- The newest signature of each of these logs, up to its head.
create function cell.newest_signatures(heads json) returns json
language plpgsql as $$
begin
  return (select json_agg(json_build_object('center_id', h.center_id, 'domain', h.domain, 'size', s.size, 'line', s.line))
    from json_to_recordset(heads) as h (center_id integer, domain text, next_index bigint) cross join lateral (
      select s.size, s.line from cell.signatures s
      where s.center_id = h.center_id and s.domain = h.domain and s.size <= h.next_index
      order by s.size desc limit 1) s);
end $$;

-- The hashes of a tile, all 256 once it is complete. In plpgsql, which caches plans: planning takes longer than reading.
create function cell.tile_hashes(center integer, log_domain text, tile_level integer, tile bigint) returns bytea
language plpgsql stable set enable_seqscan = off as $$
begin
  if tile_level = 0 then
    return (
      select string_agg(sha256('\x00'::bytea || decode(substr(e.hash, 8), 'hex')), '' order by e.idx)
      from cell.chain_entries e
      where e.center_id = center and e.domain = log_domain and e.idx >= tile * 256 and e.idx < (tile + 1) * 256);
  end if;
  return (
    select string_agg(b.root, '' order by b.n) from cell.tree_tiles b
    where b.center_id = center and b.domain = log_domain and b.level = tile_level - 1
      and b.n >= tile * 256 and b.n < (tile + 1) * 256);
end $$;

-- Writes the tiles of one level. The hashes are computed from the rows below, so they cannot differ from those. Callers
-- go up level by level: a tile consists of the roots of the tiles below it.
create function cell.write_tiles(tiles json, at_level integer) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into cell.tree_tiles (center_id, domain, level, n, hashes, root)
  select t.center_id, t.domain, t.level, t.n, cell.tile_hashes(t.center_id, t.domain, t.level, t.n), decode(t.root, 'hex')
  from json_to_recordset(tiles) as t (center_id integer, domain text, level integer, n bigint, root text)
  where t.level = at_level;
end $$;
