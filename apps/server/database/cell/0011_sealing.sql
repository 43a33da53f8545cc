set local role cs_owner;

-- The two round trips of a sealing batch. app.center_ids names the centers of the batch. A batch has at most some
-- hundreds of rows, each found by its key. The planner does not know that: a plan lives as long as the connection, and
-- one that was made while a table was empty made sealing ten times slower within a minute. So both functions disable
-- sequential scans and hash and merge joins.

-- Claims the idempotency keys, then locks events, DPUs and chain heads: always in this order, and each kind in the order
-- of its key, so that batches of several processes do not deadlock. Returns the rows that it found.
create function cell.open_batch(keys json, events json, decisions json, units json, heads json, at timestamptz)
returns json
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  taken json;
  found_events json;
  found_approvals json;
  found_units json;
  found_heads json;
begin
  if keys is not null then
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
  end if;

  if events is not null or decisions is not null then
    select json_agg(row_to_json(e)) into found_events from (
      select e.* from cell.decision_events e join (
        select center_id, id from json_to_recordset(events) as w (center_id integer, id uuid)
        union
        select d.center_id, d.id from cell.decision_events d
          join json_to_recordset(decisions) as w (center_id integer, decision_id text) using (center_id, decision_id)
      ) w using (center_id, id)
      order by e.center_id, e.id for update of e) e;
    -- Only an event that waits for its second approval has approvals to read.
    select json_agg(row_to_json(a) order by a.position) into found_approvals
    from cell.approvals a join json_to_recordset(found_events) as e (center_id integer, id uuid, status text)
      on e.status = 'approved' and a.center_id = e.center_id and a.event_id = e.id;
  end if;
  if units is not null then
    -- With the person who raised its level last: the second review must come from another person.
    select json_agg(row_to_json(u)) into found_units from (
      select u.*, (
        select x.disclosed -> 'by' ->> 'id'
        from cell.chain_entries c join cell.history x on x.center_id = c.center_id and x.idx = c.idx
        where c.center_id = u.center_id and c.domain = 'history' and cell.named_in(c.content, 'target') = w.target
          and cell.named_in(c.content, 'type') = 'level'
        order by c.idx desc limit 1) as raised_by, (
        select c.hash from cell.chain_entries c
        where c.center_id = u.center_id and c.domain = u.domain and c.idx = u.chain_index) as chain_hash
      from cell.dpus u join (
        select distinct center_id, id, target from json_to_recordset(units) as w (center_id integer, id uuid, target text)) w
        using (center_id, id)
      order by u.center_id, u.id for update of u) u;
  end if;

  insert into cell.chain_heads (center_id, domain)
  select center_id, domain from json_to_recordset(heads) as w (center_id integer, domain text)
  where not exists (select from cell.chain_heads h where h.center_id = w.center_id and h.domain = w.domain)
  order by 1, 2 on conflict do nothing;
  select json_agg(row_to_json(h)) into found_heads from (
    select h.* from cell.chain_heads h join json_to_recordset(heads) as w (center_id integer, domain text)
      using (center_id, domain) order by h.center_id, h.domain for update of h) h;

  return json_build_object('taken', taken, 'events', found_events, 'approvals', found_approvals, 'units', found_units,
    'heads', found_heads,
    'policies', (select json_agg(row_to_json(p)) from (
      select center_id, id, version, policy, digest, deleted
      from cell.newest_policies(current_setting('app.center_ids')::integer[])) p),
    'shared', (select json_agg(row_to_json(s)) from (
      select distinct on (id) id, version, policy, digest, withdrawn from cell.shared_policies
      order by id, version desc) s where not withdrawn),
    'webhooks', (select json_agg(row_to_json(w)) from (
      select s.center_id, s.id, s.events, s.active from cell.webhooks s
      where s.center_id = any (current_setting('app.center_ids')::integer[]) and s.deleted_at is null) w));
end $$;

-- Writes the results of the batch. Each list is a parameter of its own: a member of one large JSON value would be parsed
-- again on every access. `contents` holds the texts of the entries, joined by the record separator: canonical JSON has no
-- control characters, and quoting a text of a thousand characters costs more than hashing it.
create function cell.write_batch(
  entries json, contents text, new_heads json, checkpoints json, tiles json, new_events json, moves json, new_approvals json,
  new_units json, changed_units json, unit_counts json, new_history json, new_policies json, published json, deliveries json,
  audit json, answers json)
returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  centers constant integer[] := current_setting('app.center_ids')::integer[];
begin
  insert into cell.chain_entries (center_id, domain, idx, id, content, previous_hash, sealed_at, hash)
  select center_id, domain, idx, id, content, previous_hash, sealed_at, hash
  from rows from (
    json_to_recordset(entries) as (
      center_id integer, domain text, idx bigint, id uuid, previous_hash text, sealed_at text, hash text),
    string_to_table(contents, e'\x1e')
  ) as e (center_id, domain, idx, id, previous_hash, sealed_at, hash, content);
  update cell.chain_heads h set next_index = n.next_index, last_hash = n.last_hash, last_sealed_at = n.last_sealed_at,
    frontier = n.frontier
  from json_to_recordset(new_heads) as n (
    center_id integer, domain text, next_index bigint, last_hash text, last_sealed_at text, frontier bytea)
  where h.center_id = n.center_id and h.domain = n.domain;
  insert into cell.checkpoints (center_id, domain, size, root, note, created_at)
  select center_id, domain, size, decode(root, 'hex'), note, created_at
  from json_to_recordset(checkpoints) as c (
    center_id integer, domain text, size bigint, root text, note text, created_at timestamptz);
  if tiles is not null then
    perform cell.write_tiles(tiles, level) from (
      select distinct level from json_to_recordset(tiles) as t (level integer) order by level) levels;
  end if;

  if new_events is not null then
    perform cell.record_events(centers, new_events, true);
  end if;
  if moves is not null then
    perform cell.move_events(centers, moves);
  end if;
  if new_approvals is not null then
    insert into cell.approvals (center_id, id, event_id, position, approver, result, reason, submitted_by, created_at)
    select center_id, id, event_id, position, approver, result, reason, submitted_by, created_at
    from json_to_recordset(new_approvals) as a (
      center_id integer, id uuid, event_id uuid, position integer, approver json, result text, reason text,
      submitted_by text, created_at timestamptz);
  end if;
  if new_units is not null then
    insert into cell.dpus (center_id, id, domain, chain_index, vertical, content, reference_type, reference_id, tags,
      created_by, origin, evidence_level, metadata, policies, salts, sealed_at, updated_at)
    select center_id, id, domain, chain_index, vertical, content, reference_type, reference_id, tags, created_by, origin,
      evidence_level, coalesce(metadata, '{}'), policies, salts, sealed_at, updated_at
    from json_to_recordset(new_units) as u (
      center_id integer, id uuid, domain text, chain_index bigint, vertical text, content text, reference_type text,
      reference_id text, tags text[], created_by json, origin json, evidence_level text, metadata json, policies json,
      salts json, sealed_at timestamptz, updated_at timestamptz);
  end if;
  if changed_units is not null then
    update cell.dpus u set evidence_level = c.evidence_level, metadata = c.metadata, sealed_at = c.sealed_at,
      updated_at = c.updated_at
    from json_to_recordset(changed_units) as c (
      center_id integer, id uuid, evidence_level text, metadata json, sealed_at timestamptz, updated_at timestamptz)
    where u.center_id = c.center_id and u.id = c.id;
  end if;
  if unit_counts is not null then
    insert into cell.dpu_counts as k (center_id, vertical, evidence_level, dpus)
    select center_id, vertical, evidence_level, dpus from json_to_recordset(unit_counts) as c (
      center_id integer, vertical text, evidence_level text, dpus bigint)
    order by 1, 2, 3
    on conflict (center_id, vertical, evidence_level) do update set dpus = k.dpus + excluded.dpus;
  end if;
  if new_history is not null then
    insert into cell.history (center_id, idx, disclosed, salts)
    select center_id, idx, disclosed, salts from json_to_recordset(new_history) as h (
      center_id integer, idx bigint, disclosed json, salts json);
  end if;
  if new_policies is not null then
    insert into cell.policy_versions (center_id, id, version, policy, digest, deleted, created_by, created_at)
    select center_id, id, version, policy, digest, deleted, created_by, created_at
    from json_to_recordset(new_policies) as p (
      center_id integer, id uuid, version integer, policy text, digest text, deleted boolean, created_by text,
      created_at timestamptz);
  end if;
  if published is not null then
    perform cell.publish_events(published, deliveries);
  end if;
  if audit is not null then
    insert into cell.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
    select center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details
    from json_to_recordset(audit) as a (
      center_id integer, id uuid, type text, occurred_at timestamptz, request_id text, actor_id text, target_type text,
      target_id text, details jsonb);
  end if;
  if answers is not null then
    -- A response that must not be replayed expires at once, so the next request with the key is executed.
    update cell.idempotency_records r set status = a.status, body = decode(a.body, 'base64'),
      expires_at = coalesce(a.expires_at, r.expires_at)
    from json_to_recordset(answers) as a (
      center_id integer, principal text, method text, path text, key text, status integer, body text,
      expires_at timestamptz)
    where (r.center_id, r.principal, r.method, r.path, r.key) = (a.center_id, a.principal, a.method, a.path, a.key);
  end if;
end $$;
