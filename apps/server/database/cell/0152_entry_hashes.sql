-- incompatible
set local role cs_owner;

-- Two thirds of an entry's text are hashes in hexadecimal, and most of the rest their names. A row stores hashes as bytes, and the
-- text with two characters in the place of each: a control character, and a letter for the name of the member that is the hash,
-- or a space. Canonical JSON has no control characters, and the hash of the entry is compared with the text as it is composed
-- again, so a row that composes another text is refused. docs/decisions/0122-entries-in-binary.md has the figures.

-- The names of members whose value is often a hash. Rows name them by position: a name is only ever added at the end, in a
-- version before the first one that writes it.
create function cell.entry_names() returns text[]
language sql immutable parallel safe as $$
  select '{actionDigest,actionSalt,approval.approver.id,approval.approver.name,approval.identity.by,approval.onBehalfOf,
    approval.reason,approval.reasonSalt,approval.submittedBy,control,country,event.action.description,
    event.action.input,event.action.output,event.actor.id,event.actor.name,event.aiContext.agentVersion,
    event.aiContext.confidence,event.aiContext.model,event.aiContext.modelVersion,event.aiContext.promptDigest,
    event.aiContext.provider,event.aiContext.reasoning,event.aiContext.spanId,event.aiContext.toolCallId,
    event.aiContext.traceId,event.reason,event.recordedBy,event.riskScore,event.tags,prior0,prior1,prior2,prior3,
    region,statement,vertical,content,createdBy,evidenceLevel,metadata,referenceId,responsibility,tags,digest,
    previous,state,by,reason,paths,policy,output,binding}'::text[]
$$;

-- The exact text that was hashed. A name that is not known is empty, and bytes in `hashes` that have no place follow at the end,
-- so no byte of a row is without effect. In plpgsql, which keeps its plans: an SQL function would be planned again for every
-- statement that inserts.
create function cell.content_of(template text, hashes bytea) returns text
language plpgsql immutable parallel safe as $$
declare
  names constant text[] := cell.entry_names();
  parts text[];
  name integer;
begin
  if template is null or hashes is null then
    return template;
  end if;
  parts := string_to_array(template, e'\x01');
  for at in 2..cardinality(parts) loop
    name := ascii(parts[at]) - 32;
    if name = 0 then
      parts[at] := 'sha256:' || encode(substring(hashes from at * 32 - 63 for 32), 'hex') || substr(parts[at], 2);
    else
      parts[at] := '"' || coalesce(names[name], '') || '":"sha256:' || encode(substring(hashes from at * 32 - 63 for 32), 'hex')
        || '"' || substr(parts[at], 2);
    end if;
  end loop;
  return array_to_string(parts, '') || encode(substring(hashes from greatest(cardinality(parts), 1) * 32 - 31), 'hex');
end $$;

-- `sealed_at` is the exact 24 characters that were hashed: timestamptz would reformat them.
create table cell.entries (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  idx bigint not null check (idx >= 0),
  id uuid not null,
  template text not null,
  -- 32 bytes for each place in the template, in order. Null in an entry without hashes: then the template is the text.
  hashes bytea,
  previous_hash bytea,
  sealed_at text not null check (sealed_at like '____-__-__T__:__:__.___Z'),
  hash bytea not null,
  -- Computed from the hashed text itself, so they cannot disagree with the chain; neither is a hash. Columns, because row-level
  -- security keeps the planner from looking up an expression that is not leakproof in an index: it would read the whole chain.
  target text generated always as (case domain when 'history' then cell.named_in(template, 'target') end) stored,
  type text generated always as (case domain when 'history' then cell.named_in(template, 'type') end) stored,
  check ((idx = 0) = (previous_hash is null))
);
-- `main` and `plain` keep all of a row in the row. PostgreSQL compresses only rows above 2 KB, the template first.
alter table cell.entries alter column domain set storage plain, alter column template set storage main,
  alter column hashes set storage main, alter column previous_hash set storage plain, alter column sealed_at set storage plain,
  alter column hash set storage plain, alter column target set storage main, alter column type set storage main;
-- A server that was built without LZ4 uses the compression of PostgreSQL.
do $$
begin
  alter table cell.entries alter column template set compression lz4, alter column hashes set compression lz4;
exception when feature_not_supported then
  null;
end $$;

-- Every entry moves, an altered one too: its text stays what it was, and what is no hash becomes one that matches nothing.
create function cell.split_content(content text, out template text, out hashes bytea)
language plpgsql as $$
declare
  part text;
  digits text;
begin
  if strpos(content, e'\x01') > 0 then
    template := content;
    return;
  end if;
  foreach part in array string_to_array(content, 'sha256:') loop
    digits := left(part, 64);
    if template is null then
      template := part;
    elsif length(digits) = 64 and translate(digits, '0123456789abcdef', '') = '' then
      template := template || e'\x01 ' || substr(part, 65);
      hashes := coalesce(hashes, '') || decode(digits, 'hex');
    else
      template := template || 'sha256:' || part;
    end if;
  end loop;
  template := coalesce(template, content);
end $$;
create function cell.bytes_of(hash text) returns bytea
language sql as $$
  select case when hash ~ '^sha256:[0-9a-f]{64}$' then decode(substr(hash, 8), 'hex') else convert_to(hash, 'UTF8') end
$$;
alter table cell.chain_entries no force row level security;
insert into cell.entries (center_id, domain, idx, id, template, hashes, previous_hash, sealed_at, hash)
select e.center_id, e.domain, e.idx, e.id, s.template, s.hashes, cell.bytes_of(e.previous_hash), e.sealed_at, cell.bytes_of(e.hash)
from cell.chain_entries e cross join lateral cell.split_content(e.content) s;
drop function cell.split_content(text), cell.bytes_of(text);

alter table cell.entries
  add primary key (center_id, domain, idx),
  -- A record is sealed once.
  add unique (center_id, domain, id),
  -- Not valid: of the entries that have moved, an altered one would otherwise keep the whole database from being migrated.
  add constraint entries_hash_check check (hash = sha256(convert_to(
    cell.content_of(template, hashes) || coalesce('sha256:' || encode(previous_hash, 'hex'), '') || sealed_at, 'UTF8'))) not valid;
create index entries_history on cell.entries (center_id, target, type, idx) where domain = 'history';

alter table cell.log_generations drop constraint log_generations_center_id_domain_restored_size_fkey;
drop table cell.chain_entries;
alter table cell.log_generations add foreign key (center_id, domain, restored_size) references cell.entries;

select countersign.give_tenancy('cell.entries');
select countersign.make_append_only('cell.entries');
-- The statement that begins a generation is referred to, and has no data of anybody.
alter policy leaving on cell.entries
  using (center_id = (select countersign.leaving()) and strpos(template, '"succession":{') = 0);
grant select on cell.entries to cs_api, cs_jobs;
grant select, insert on cell.entries to cs_sequencer;
create trigger links after insert on cell.entries
  referencing new table as added for each statement execute function cell.check_links();

-- An entry as it was hashed: what all readers but the scans read.
create view cell.chain_entries with (security_invoker = true) as
select center_id, domain, idx, id, cell.content_of(template, hashes) as content,
  'sha256:' || encode(previous_hash, 'hex') as previous_hash, sealed_at, 'sha256:' || encode(hash, 'hex') as hash, target, type
from cell.entries;
grant select on cell.chain_entries to cs_api, cs_jobs, cs_sequencer;

-- Each new entry follows its predecessor, as before, in the table itself.
create or replace function cell.check_links() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select n.center_id, n.domain, n.idx into bad
  from (
    select *, lag(idx) over chain as before_idx, lag(hash) over chain as before_hash, lag(sealed_at) over chain as before_sealed
    from added window chain as (partition by center_id, domain order by idx)
  ) n left join lateral (
    select p.idx, p.hash, p.sealed_at from cell.entries p
    where n.before_idx is distinct from n.idx - 1
      and p.center_id = n.center_id and p.domain = n.domain and p.idx < n.idx
    order by p.center_id, p.domain, p.idx desc limit 1
  ) p on true
  where n.idx > 0 and (
    coalesce(p.idx, n.before_idx) is distinct from n.idx - 1
    or coalesce(p.hash, n.before_hash) <> n.previous_hash
    or coalesce(p.sealed_at, n.before_sealed) > n.sealed_at)
  limit 1;
  if found then
    raise exception 'entry % of chain %/% does not follow its predecessor', bad.idx, bad.center_id, bad.domain
      using errcode = 'check_violation', constraint = 'chain_entries_links';
  end if;
  return null;
end $$;

create or replace function cell.tile_hashes(center integer, log_domain text, tile_level integer, tile bigint) returns bytea
language plpgsql stable set enable_seqscan = off as $$
begin
  if tile_level = 0 then
    return (
      select string_agg(sha256('\x00'::bytea || e.hash), '' order by e.idx)
      from cell.entries e
      where e.center_id = center and e.domain = log_domain and e.idx >= tile * 256 and e.idx < (tile + 1) * 256);
  end if;
  return (
    select string_agg(b.root, '' order by b.n) from cell.tree_tiles b
    where b.center_id = center and b.domain = log_domain and b.level = tile_level - 1
      and b.n >= tile * 256 and b.n < (tile + 1) * 256);
end $$;

-- As before, with the templates of the entries joined by the record separator, and so their hashes as hexadecimal digits.
drop function cell.append_entries(json, text, json, json, json, json, json);
create function cell.append_entries(entries json, templates text, digits text, new_heads json, checkpoints json,
  signatures json, tiles json, new_history json)
returns void
language plpgsql as $$
begin
  insert into cell.entries (center_id, domain, idx, id, template, hashes, previous_hash, sealed_at, hash)
  select center_id, domain, idx, id, template, decode(nullif(hex, ''), 'hex'), decode(substr(previous_hash, 8), 'hex'), sealed_at,
    decode(substr(hash, 8), 'hex')
  from rows from (
    json_to_recordset(entries) as (
      center_id integer, domain text, idx bigint, id uuid, previous_hash text, sealed_at text, hash text),
    string_to_table(templates, e'\x1e'),
    string_to_table(digits, e'\x1e')
  ) as e (center_id, domain, idx, id, previous_hash, sealed_at, hash, template, hex);
  update cell.chain_heads h set next_index = n.next_index, last_hash = n.last_hash, last_sealed_at = n.last_sealed_at,
    frontier = n.frontier, generation = n.generation, grown = countersign.change_mark(),
    broken_at = case when n.generation > h.generation then null else h.broken_at end
  from json_to_recordset(new_heads) as n (
    center_id integer, domain text, next_index bigint, last_hash text, last_sealed_at text, frontier bytea,
    generation integer)
  where h.center_id = n.center_id and h.domain = n.domain;
  insert into cell.checkpoints (center_id, domain, generation, size, root, created_at)
  select center_id, domain, generation, size, decode(root, 'hex'), created_at
  from json_to_recordset(checkpoints) as c (
    center_id integer, domain text, generation integer, size bigint, root text, created_at timestamptz);
  if signatures is not null then
    perform cell.write_signatures(signatures);
  end if;
  if tiles is not null then
    perform cell.write_tiles(tiles, level) from (
      select distinct level from json_to_recordset(tiles) as t (level integer) order by level) levels;
  end if;
  if new_history is not null then
    insert into cell.history (center_id, idx, disclosed, salts)
    select center_id, idx, disclosed, salts from json_to_recordset(new_history) as h (
      center_id integer, idx bigint, disclosed json, salts json);
  end if;
end $$;
