set local role cs_owner;

-- A sealing batch: it locks chain heads, claims idempotency keys, calls the load functions of the features, appends
-- entries and calls the write functions of the features. app.center_ids names the centers of the batch. A batch has at
-- most some hundreds of rows, each found by its key. The planner does not know that: a plan lives as long as the
-- connection, and one that was made while a table was empty made sealing ten times slower within a minute. So the
-- connections of cs_sequencer disable sequential scans and hash and merge joins.

create function cell.create_heads(wanted json) returns void
language plpgsql as $$
begin
  insert into cell.chain_heads (center_id, domain)
  select center_id, domain from json_to_recordset(wanted) as w (center_id integer, domain text)
  where not exists (select from cell.chain_heads h where h.center_id = w.center_id and h.domain = w.domain)
  order by 1, 2 on conflict do nothing;
end $$;

-- Locks the heads that no other transaction holds. The batch has no other lock yet, and it does not wait here.
create function cell.lock_heads(wanted json) returns json
language plpgsql as $$
begin
  perform cell.create_heads(wanted);
  return (select json_agg(row_to_json(h)) from (
    select h.* from cell.chain_heads h join json_to_recordset(wanted) as w (center_id integer, domain text)
      using (center_id, domain) order by h.center_id, h.domain for update of h skip locked) h);
end $$;

-- The same for one center whose heads another transaction held before. It takes its place in the queue of the lock, so
-- that two processes alternate, and gives up before the other centers that wait for such a batch notice.
create function cell.wait_for_heads(wanted json) returns json
language plpgsql set lock_timeout = '250ms' as $$
begin
  perform cell.create_heads(wanted);
  return (select json_agg(row_to_json(h)) from (
    select h.* from cell.chain_heads h join json_to_recordset(wanted) as w (center_id integer, domain text)
      using (center_id, domain) order by h.center_id, h.domain for update of h) h);
end $$;

-- The process that holds each head: the one whose transaction has marked the row.
create function cell.head_holders(wanted json) returns table (center_id integer, domain text, pid integer)
language plpgsql stable as $$
begin
  return query
    select h.center_id, h.domain, l.pid
    from cell.chain_heads h join json_to_recordset(wanted) as w (center_id integer, domain text) using (center_id, domain)
      join pg_catalog.pg_locks l on l.locktype = 'transactionid' and l.transactionid = h.xmax and l.granted
    where l.pid <> pg_backend_pid();
end $$;

-- Claims idempotency keys. Returns the records that other requests have claimed before.
create function cell.claim_keys(keys json, at timestamptz) returns json
language plpgsql as $$
declare
  taken json;
begin
  with wanted as (
    select * from json_to_recordset(keys) as k (
      center_id integer, principal text, method text, path text, key text, fingerprint text, expires_at timestamptz)
    order by 1, 2, 3, 4, 5
  ), claimed as (
    insert into cell.idempotency_records as r (center_id, principal, method, path, key, fingerprint, expires_at)
    select center_id, principal, method, path, key, decode(fingerprint, 'hex'), expires_at from wanted
    on conflict (center_id, principal, method, path, key) do update
      set fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, status = null, body = null
      where r.expires_at <= at
    returning r.center_id, r.principal, r.method, r.path, r.key
  )
  select json_agg(json_build_object('center_id', w.center_id, 'principal', w.principal, 'method', w.method,
    'path', w.path, 'key', w.key)) into taken
  from wanted w left join claimed c using (center_id, principal, method, path, key) where c.key is null;
  -- A statement of its own: the snapshot of the INSERT does not contain the rows that it waited for.
  if taken is not null then
    select json_agg(json_build_object('center_id', r.center_id, 'principal', r.principal, 'method', r.method,
      'path', r.path, 'key', r.key, 'fingerprint', encode(r.fingerprint, 'hex'), 'status', r.status,
      'body', encode(r.body, 'base64'))) into taken
    from cell.idempotency_records r join json_to_recordset(taken) as t (
      center_id integer, principal text, method text, path text, key text) using (center_id, principal, method, path, key);
  end if;
  return taken;
end $$;

-- Each list is a parameter of its own: a member of one large JSON value would be parsed again on every access. `contents`
-- holds the texts of the entries, joined by the record separator: canonical JSON has no control characters, and quoting a
-- text of a thousand characters costs more than hashing it.
create function cell.append_entries(
  entries json, contents text, new_heads json, checkpoints json, signatures json, tiles json, new_history json)
returns void
language plpgsql as $$
begin
  insert into cell.chain_entries (center_id, domain, idx, id, content, previous_hash, sealed_at, hash)
  select center_id, domain, idx, id, content, previous_hash, sealed_at, hash
  from rows from (
    json_to_recordset(entries) as (
      center_id integer, domain text, idx bigint, id uuid, previous_hash text, sealed_at text, hash text),
    string_to_table(contents, e'\x1e')
  ) as e (center_id, domain, idx, id, previous_hash, sealed_at, hash, content);
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

create function cell.write_audit(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
  select center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details
  from json_to_recordset(inserted) as a (
    center_id integer, id uuid, type text, occurred_at timestamptz, request_id text, actor_id text, target_type text,
    target_id text, details jsonb);
end $$;

-- A response that must not be replayed expires at once, so the next request with the key is executed.
create function cell.store_answers(answers json) returns void
language plpgsql as $$
begin
  update cell.idempotency_records r set status = a.status, body = decode(a.body, 'base64'),
    expires_at = coalesce(a.expires_at, r.expires_at)
  from json_to_recordset(answers) as a (
    center_id integer, principal text, method text, path text, key text, status integer, body text,
    expires_at timestamptz)
  where (r.center_id, r.principal, r.method, r.path, r.key) = (a.center_id, a.principal, a.method, a.path, a.key);
end $$;
