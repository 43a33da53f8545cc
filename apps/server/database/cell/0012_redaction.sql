set local role cs_owner;

-- Redaction deletes committed values and their salts; the hashes stay. An entry of the chain `history` names the paths,
-- and only those may be deleted. The same functions compute the redacted row and decide what the triggers accept, so the
-- two cannot differ.

-- A UUID in the base 32 of typed ids, without the prefix.
create function cell.digits_of(id uuid) returns text
language sql immutable as $$
  select string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 5 * place + 1 for 5)::bit(5)::integer + 1, 1), '' order by place)
  from (select b'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) all_bits cross join generate_series(0, 25) place
$$;

-- The two typed ids of a DPU.
create function cell.names_of(id uuid) returns text[]
language sql immutable as $$ select array['dpu_' || cell.digits_of(id), 'evd_' || cell.digits_of(id)] $$;

-- The paths that the redactions of a record name. A damaged row yields no paths: readers continue, and verification
-- reports the damage.
create function cell.redactions_of(center integer, names text[]) returns table (idx bigint, path text)
language sql stable as $$
  select c.idx, p.path
  from cell.chain_entries c join cell.history h on h.center_id = c.center_id and h.idx = c.idx
    cross join lateral json_array_elements_text(
      case when json_typeof(h.disclosed -> 'paths') = 'array' then h.disclosed -> 'paths' else '[]' end) p (path)
  where c.center_id = center and c.domain = 'history' and c.target = any (names) and c.type = 'redaction'
$$;

create function cell.last_change(center integer, names text[], change text) returns bigint
language sql stable as $$
  -- + 0: the planner must not read the chain backward by its primary key in search of a target without changes.
  select max(c.idx + 0) from cell.chain_entries c
  where c.center_id = center and c.domain = 'history' and c.target = any (names) and c.type = change
$$;

-- The paths that a record lacks now, sorted. Metadata that were set again after their redaction are present.
create function cell.redacted_paths(center integer, names text[]) returns text[]
language sql stable as $$
  select array(
    select distinct r.path from cell.redactions_of(center, names) r
    where r.path <> 'metadata' or r.idx > coalesce(cell.last_change(center, names, 'metadata'), -1) order by 1)
$$;

-- An object without these members. The text of the other members stays; without a change the whole text stays.
create function cell.without(whole json, members text[]) returns json
language sql immutable as $$
  select case when exists (select from json_object_keys(whole) k where k = any (members))
    then coalesce((select json_object_agg(m.key, m.value) from json_each(whole) m where m.key <> all (members)), '{}')
    else whole end
$$;

-- The members of an object that a redaction may remove. Its type is hashed in clear and stays.
create function cell.members_in(paths text[], prefix text, members text[]) returns text[]
language sql immutable as $$ select array(select m from unnest(members) m where prefix || m = any (paths)) $$;

-- The newest entry of the chain `history` about a unit; no row without one.
create function cell.newest_change(center integer, unit uuid) returns table (sealed_at text, hash text)
language sql stable as $$
  -- + 0: the planner must not read the chain backward by its primary key in search of a target without changes.
  select c.sealed_at, c.hash from cell.chain_entries c
  where c.center_id = center and c.domain = 'history' and c.target = any (cell.names_of(unit))
  order by c.idx + 0 desc limit 1
$$;

-- Each of the next four functions returns a row as its redactions leave it. Columns that are not null become empty. A unit
-- also names its newest change, which may be an execution of its decision.
create function cell.redacted_unit(row_of cell.dpus) returns cell.dpus
language plpgsql stable as $$
declare
  names constant text[] := cell.names_of(row_of.id);
  ever constant text[] := array(select path from cell.redactions_of(row_of.center_id, names));
  newest record;
begin
  select * into newest from cell.newest_change(row_of.center_id, row_of.id);
  if found then
    row_of.updated_at := newest.sealed_at::timestamptz;
    row_of.last_change := newest.hash;
  end if;
  if ever = '{}' then
    return row_of;
  end if;
  if row_of.domain = 'dpu' then
    if 'content' = any (ever) then row_of.content := ''; end if;
    if 'referenceId' = any (ever) then row_of.reference_id := null; end if;
    if 'tags' = any (ever) then row_of.tags := null; end if;
    if 'createdBy' = any (ever) then row_of.created_by := null; end if;
    if 'responsibility' = any (ever) then row_of.origin := null; end if;
  end if;
  if 'metadata' = any (cell.redacted_paths(row_of.center_id, names)) then row_of.metadata := '{}'; end if;
  row_of.salts := cell.without(row_of.salts, ever);
  return row_of;
end $$;

-- Removes the fingerprint too: it is a hash of the request without a salt, and a dictionary would reveal the value.
create function cell.redacted_event(row_of cell.decision_events) returns cell.decision_events
language plpgsql stable as $$
declare
  paths constant text[] := cell.redacted_paths(row_of.center_id, cell.names_of(row_of.id));
begin
  row_of.actor := cell.without(row_of.actor, cell.members_in(paths, 'event.actor.', '{id,name}'));
  row_of.action := cell.without(row_of.action, cell.members_in(paths, 'event.action.', '{description,input,output}'));
  row_of.ai_context := cell.without(row_of.ai_context,
    cell.members_in(paths, 'event.aiContext.', '{agentVersion,confidence,model,modelVersion,promptDigest,provider,reasoning,'
      'spanId,toolCallId,traceId}'));
  if 'event.tags' = any (paths) then row_of.tags := '{}'; end if;
  if 'event.reason' = any (paths) then row_of.reason := null; end if;
  if 'event.riskScore' = any (paths) then row_of.risk_score := null; end if;
  if 'event.recordedBy' = any (paths) then row_of.recorded_by := null; end if;
  if 'actionSalt' = any (paths) then row_of.action_salt := null; end if;
  if 'event.aiContext.traceId' = any (paths) then row_of.traceparent := null; end if; -- it may name the same trace
  if exists (select from unnest(paths) p where p like 'event.%') then row_of.fingerprint := null; end if;
  return row_of;
end $$;

-- The last approval sealed the event; the earlier ones are one value, `priorApprovals`.
create function cell.redacted_approval(row_of cell.approvals) returns cell.approvals
language plpgsql stable as $$
declare
  paths constant text[] := cell.redacted_paths(row_of.center_id, cell.names_of(row_of.event_id));
begin
  if exists (select from cell.approvals a where a.center_id = row_of.center_id and a.event_id = row_of.event_id
    and a.position > row_of.position)
  then
    if 'priorApprovals' = any (paths) then
      row_of.approver := '{}';
      row_of.reason := null;
      row_of.submitted_by := '';
      row_of.identity_by := '';
      row_of.on_behalf_of := null;
      row_of.passkey_statement := null;
      row_of.reason_salt := null;
    end if;
    return row_of;
  end if;
  row_of.approver := cell.without(row_of.approver, cell.members_in(paths, 'approval.approver.', '{id,name}'));
  if 'approval.reason' = any (paths) then row_of.reason := null; end if;
  if 'approval.submittedBy' = any (paths) then row_of.submitted_by := ''; end if;
  if 'approval.identity.by' = any (paths) then row_of.identity_by := ''; end if;
  if 'approval.onBehalfOf' = any (paths) then row_of.on_behalf_of := null; end if;
  if 'approval.passkey.statement' = any (paths) then row_of.passkey_statement := null; end if;
  if 'approval.reasonSalt' = any (paths) then row_of.reason_salt := null; end if;
  return row_of;
end $$;

-- The metadata of a DPU and the output of an execution are also removed from the changes before the redaction.
create function cell.redacted_history(row_of cell.history) returns cell.history
language plpgsql stable as $$
declare
  name text;
  member text;
begin
  select c.target, case c.type when 'metadata' then 'metadata' else 'output' end into name, member
  from cell.chain_entries c
  where c.center_id = row_of.center_id and c.domain = 'history' and c.idx = row_of.idx
    and c.type in ('metadata', 'execution');
  if exists (select from cell.redactions_of(row_of.center_id, array[name]) r where r.path = member and r.idx > row_of.idx)
  then
    row_of.disclosed := cell.without(row_of.disclosed, array[member]);
    row_of.salts := cell.without(row_of.salts, array[member]);
  end if;
  return row_of;
end $$;

-- Accepts exactly the change that a redaction makes. Rows are compared as text because json has no equality.
create function cell.only_redacted() returns trigger
language plpgsql as $$
declare
  left_over text;
begin
  case tg_table_name
    when 'dpus' then left_over := cell.redacted_unit(old)::text;
    when 'decision_events' then left_over := cell.redacted_event(old)::text;
    when 'approvals' then left_over := cell.redacted_approval(old)::text;
    when 'history' then left_over := cell.redacted_history(old)::text;
    when 'executions' then left_over := cell.redacted_execution(old)::text;
    when 'execution_steps' then left_over := cell.redacted_step(old)::text;
  end case;
  if new::text is distinct from left_over or new::text = old::text then
    raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- An evidence level never falls, and what is AUDIT_READY changes by redaction only.
create trigger sealed before update on cell.dpus for each row
  when (old.evidence_level = 'AUDIT_READY' or cell.evidence_rank(new.evidence_level) < cell.evidence_rank(old.evidence_level))
  execute function cell.only_redacted();
create trigger committed before update of content, reference_id, tags, created_by, origin, salts on cell.dpus for each row
  when (old.evidence_level <> 'AUDIT_READY') execute function cell.only_redacted();

create trigger sealed before update on cell.decision_events for each row
  when (old.status in ('sealed', 'rejected')) execute function cell.only_redacted();
create trigger recorded before update of actor, action, ai_context, tags, reason, risk_score, fingerprint, recorded_by,
    action_salt
  on cell.decision_events for each row
  when (old.status not in ('sealed', 'rejected')) execute function countersign.refuse_change();

create trigger append_only before update on cell.approvals for each row execute function cell.only_redacted();
create trigger append_only before update on cell.history for each row execute function cell.only_redacted();

-- The row of a tag is deleted when its event no longer has the tag, and a count when it is zero.
create function cell.only_untagged() returns trigger
language plpgsql as $$
begin
  if exists (select from cell.decision_events e
    where e.center_id = old.center_id and e.seq = old.seq and old.tag = any (e.tags))
    and (current_user <> 'cs_owner' or old.center_id is distinct from countersign.leaving())
  then
    raise exception 'an event has the tag' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger kept before delete on cell.decision_event_tags for each row execute function cell.only_untagged();
create trigger kept before delete on cell.decision_event_counts for each row
  when (old.events <> 0) execute function countersign.refuse_change();

-- Applies the recorded redactions to these records. It receives ids and reads the paths from the history; the triggers
-- refuse any other change. The batch holds locks on the DPUs, their events and the head of `history`.
create function cell.redact(wanted json) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  untagged json;
begin
  perform cell.hold_event_count(current_setting('app.center_ids')::integer[]);
  select json_agg(json_build_object('center_id', e.center_id, 'seq', e.seq, 'type', e.type, 'status', e.status, 'tag', t.tag))
    into untagged
  from json_to_recordset(wanted) as w (center_id integer, id uuid)
    join cell.decision_events e on e.center_id = w.center_id and e.id = w.id
    cross join lateral (select distinct tag from unnest(e.tags) tag) t
  where 'event.tags' = any (cell.redacted_paths(e.center_id, cell.names_of(e.id)));

  update cell.dpus u set content = r.content, reference_id = r.reference_id, tags = r.tags, created_by = r.created_by,
    origin = r.origin, metadata = r.metadata, salts = r.salts, updated_at = r.updated_at, last_change = r.last_change
  from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.dpus d using (center_id, id) cross join lateral cell.redacted_unit(d) r
  where u.center_id = d.center_id and u.id = d.id and d::text <> r::text;
  update cell.decision_events e set actor = r.actor, action = r.action, ai_context = r.ai_context, tags = r.tags,
    reason = r.reason, risk_score = r.risk_score, fingerprint = r.fingerprint, recorded_by = r.recorded_by,
    action_salt = r.action_salt, traceparent = r.traceparent
  from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.decision_events d using (center_id, id) cross join lateral cell.redacted_event(d) r
  where e.center_id = d.center_id and e.id = d.id and d::text <> r::text;
  update cell.approvals a set approver = r.approver, reason = r.reason, submitted_by = r.submitted_by,
    identity_by = r.identity_by, on_behalf_of = r.on_behalf_of, passkey_statement = r.passkey_statement,
    reason_salt = r.reason_salt
  from (select distinct center_id, id as event_id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.approvals d using (center_id, event_id) cross join lateral cell.redacted_approval(d) r
  where a.center_id = d.center_id and a.event_id = d.event_id and a.position = d.position and d::text <> r::text;
  update cell.history h set disclosed = r.disclosed, salts = r.salts
  from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.chain_entries c on c.center_id = w.center_id and c.domain = 'history'
      and c.target = any (cell.names_of(w.id)) and c.type in ('metadata', 'execution')
    join cell.history d on d.center_id = c.center_id and d.idx = c.idx cross join lateral cell.redacted_history(d) r
  where h.center_id = d.center_id and h.idx = d.idx and d::text <> r::text;

  perform cell.redact_executions(wanted);

  delete from cell.decision_event_tags t using json_to_recordset(untagged) as g (center_id integer, seq bigint, tag text)
  where t.center_id = g.center_id and t.tag = g.tag and t.seq = g.seq;
  update cell.decision_event_counts k set events = k.events - g.events
  from (
    select g.center_id, g.tag, g.type, g.status, count(*) as events
    from json_to_recordset(untagged) as g (center_id integer, seq bigint, type text, status text, tag text)
      join cell.decision_event_marks m on m.center_id = g.center_id and g.seq <= m.counted_through
    group by 1, 2, 3, 4 order by 1, 2, 3, 4) g
  where (k.center_id, k.tag, k.type, k.status) = (g.center_id, g.tag, g.type, g.status);
  delete from cell.decision_event_counts k using json_to_recordset(untagged) as g (center_id integer, tag text)
  where k.center_id = g.center_id and k.tag = g.tag and k.events = 0;

  -- Stored responses contain the redacted values, and a request fingerprint has no salt. Both are cleared: a repeated
  -- request is then refused, and not executed twice. A locked record is being rewritten by its holder.
  update cell.idempotency_records r set fingerprint = '', body = ''
  from (
    select k.center_id, k.principal, k.method, k.path, k.key
    from (select distinct center_id, cell.digits_of(id) as digits
        from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
      join cell.idempotency_records k on k.center_id = w.center_id
    where k.path not like '%/redactions'
      and (position(w.digits in k.path) > 0 or position(convert_to(w.digits, 'UTF8') in k.body) > 0)
    for update of k skip locked) found
  where (r.center_id, r.principal, r.method, r.path, r.key)
    = (found.center_id, found.principal, found.method, found.path, found.key);
end $$;

-- Locks the decision events of the records that a batch redacts.
create function cell.hold_redacted(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  perform from cell.decision_events e join (
    select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w using (center_id, id)
  order by e.center_id, e.id for update of e;
  return null;
end $$;

create function cell.write_redactions(inserted json, updated json) returns void
language sql as $$ select cell.redact(inserted) $$;
