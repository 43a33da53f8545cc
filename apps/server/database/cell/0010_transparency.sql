set local role cs_owner;

-- Over the hashes of every chain stands a tree (RFC 6962), and its roots are signed with a key that is not in this
-- database: whoever rewrites the rows cannot sign what they became. docs/formats/transparency.md has the formats.

-- The roots of the complete subtrees of the first `next_index` leaves. Null where entries are older than the tree: it is
-- then built from them before the next one is sealed.
alter table cell.chain_heads add column frontier bytea;

-- One for every batch of a log. The primary key is the promise that one size has one root.
create table cell.checkpoints (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  size bigint not null check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  -- The signed note, as it was handed out.
  note text not null,
  created_at timestamptz(3) not null,
  primary key (center_id, domain, size)
);
select countersign.give_tenancy('cell.checkpoints');
select countersign.make_append_only('cell.checkpoints');

-- 256 hashes each: of leaves at level 0, of complete tiles of the level below above it. Written once, when complete;
-- every proof is made from two or three of them and the newest entries.
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

-- What witnesses have said to a checkpoint: a line for its note.
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

-- How far a witness has followed a log, and what it said last when it refused.
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

-- Tokens of a time-stamping authority (RFC 3161) over the text of a checkpoint.
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

grant select on cell.checkpoints, cell.tree_tiles, cell.cosignatures, cell.witness_positions, cell.timestamps to cs_api, cs_jobs;
grant insert on cell.cosignatures, cell.timestamps to cs_jobs;
grant insert, update on cell.witness_positions to cs_jobs;
grant select, insert on cell.checkpoints, cell.tree_tiles to cs_sequencer;

-- The signed note that covers each of these heads, where the caller does not know a head of that size.
create function cell.covering_notes(heads json, known json) returns json
language sql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with unknown as (
    select center_id, domain, next_index from json_to_recordset(heads) as h (center_id integer, domain text, next_index bigint)
    except
    select center_id, domain, size from json_to_recordset(known) as k (center_id integer, domain text, size bigint)
  )
  select json_agg(json_build_object('center_id', c.center_id, 'domain', c.domain, 'note', c.note))
  from unknown h join cell.checkpoints c on c.center_id = h.center_id and c.domain = h.domain and c.size = h.next_index
$$;

-- What a batch wrote before there were trees is written as before, and then the trees over it. A server that knows
-- nothing of trees finds no function with its arguments: it cannot seal what nobody would sign.
alter function cell.write_batch(json, text, json, json, json, json, json, json, json, json, json, json, json, json, json)
  rename to write_rows;

create function cell.write_batch(
  entries json, contents text, new_heads json, new_events json, moves json, new_approvals json, new_units json, changed_units json,
  unit_counts json, new_history json, new_policies json, published json, deliveries json, audit json, answers json,
  trees json, tiles json)
returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- Heads are written once, with their trees.
  perform cell.write_rows(entries, contents, case when trees is null then new_heads end, new_events, moves, new_approvals, new_units, changed_units,
    unit_counts, new_history, new_policies, published, deliveries, audit, answers);
  if trees is null then
    return;
  end if;
  update cell.chain_heads h set next_index = t.size, last_hash = t.last_hash, last_sealed_at = t.last_sealed_at,
    frontier = decode(t.frontier, 'hex')
  from json_to_recordset(trees) as t (
    center_id integer, domain text, size bigint, last_hash text, last_sealed_at text, frontier text)
  where h.center_id = t.center_id and h.domain = t.domain;
  insert into cell.checkpoints (center_id, domain, size, root, note, created_at)
  select center_id, domain, size, decode(root, 'hex'), note, created_at
  from json_to_recordset(trees) as t (
    center_id integer, domain text, size bigint, root text, note text, created_at timestamptz);
  if tiles is not null then
    perform cell.write_tiles(tiles, level) from (
      select distinct level from json_to_recordset(tiles) as t (level integer) order by level) levels;
  end if;
end $$;

-- The hashes of a tile are taken from what they are hashes of, so they need not be sent here and cannot differ from it.
-- Level by level: a tile stands on those below it.
create function cell.write_tiles(tiles json, at_level integer) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into cell.tree_tiles (center_id, domain, level, n, hashes, root)
  select t.center_id, t.domain, t.level, t.n, cell.tile_hashes(t.center_id, t.domain, t.level, t.n), decode(t.root, 'hex')
  from json_to_recordset(tiles) as t (center_id integer, domain text, level integer, n bigint, root text)
  where t.level = at_level;
end $$;

-- The hashes that a tile has by now: all 256 once it is complete. In a language that keeps its plans: they take longer to
-- make than the hashes to read.
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
