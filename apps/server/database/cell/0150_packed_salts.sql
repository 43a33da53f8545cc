-- incompatible
set local role cs_owner;

-- The salts of a decision's unit as bytes: eight that say which paths have one, then 16 for each of these, in the order of the
-- list below. The bit of the n-th path is the one that get_bit(…, n) reads. Salts of other paths stay in `salts`, by name, like
-- those of rows that were written before.
alter table cell.dpus add packed_salts bytea;
grant update (packed_salts) on cell.dpus to cs_sequencer;

-- Stored bytes are read by it: a path keeps its place for good, and new ones go to the end, at most 64 in all.
create function cell.packed_paths() returns text[]
language sql immutable as $$
  select array['actionSalt', 'approval.approver.id', 'approval.approver.name', 'approval.identity.by', 'approval.onBehalfOf',
    'approval.passkey.statement', 'approval.reason', 'approval.reasonSalt', 'approval.submittedBy',
    'event.action.description', 'event.action.input', 'event.action.output', 'event.actor.id', 'event.actor.name',
    'event.aiContext.agentVersion', 'event.aiContext.confidence', 'event.aiContext.model', 'event.aiContext.modelVersion',
    'event.aiContext.promptDigest', 'event.aiContext.provider', 'event.aiContext.reasoning', 'event.aiContext.spanId',
    'event.aiContext.toolCallId', 'event.aiContext.traceId', 'event.reason', 'event.recordedBy', 'event.riskScore',
    'event.tags', 'control', 'country', 'prior0', 'prior1', 'prior2', 'prior3', 'prior4', 'prior5', 'prior6', 'prior7',
    'prior8', 'prior9', 'prior10', 'prior11', 'prior12', 'prior13', 'prior14', 'region', 'statement', 'vertical']
$$;

-- Packed salts without those of some paths. Bytes that are no packed salts stay: verification reports them.
create function cell.packed_without(packed bytea, gone text[]) returns bytea
language plpgsql immutable as $$
declare
  paths constant text[] := cell.packed_paths();
  present bytea := substring(packed from 1 for 8);
  salts bytea := '';
  place integer := 9;
begin
  if packed is null or length(packed) < 8 or not paths && gone then
    return packed;
  end if;
  for bit in 0 .. cardinality(paths) - 1 loop
    continue when get_bit(present, bit) = 0;
    if paths[bit + 1] = any (gone) then
      present := set_bit(present, bit, 0);
    else
      salts := salts || substring(packed from place for 16);
    end if;
    place := place + 16;
  end loop;
  return present || salts || substring(packed from place);
end $$;

-- As before, with packed salts.
create or replace function cell.redacted_unit(row_of cell.dpus) returns cell.dpus
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
  row_of.packed_salts := cell.packed_without(row_of.packed_salts, ever);
  return row_of;
end $$;

create or replace trigger committed
  before update of content, reference_id, tags, created_by, origin, salts, packed_salts on cell.dpus for each row
  when (old.evidence_level <> 'AUDIT_READY') execute function cell.only_redacted();

create or replace function cell.hold_dpus(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(
      case when bytes > most_bytes then json_build_object('center_id', u.center_id, 'oversize', bytes) else row_to_json(u) end)
    from (
      select d.*, (
        select x.disclosed -> 'by' ->> 'id'
        from cell.chain_entries c join cell.history x on x.center_id = c.center_id and x.idx = c.idx
        where c.center_id = d.center_id and c.domain = 'history' and c.target = any (w.targets)
          and c.type = 'level'
        -- + 0: the planner must not read the chain backward by its primary key in search of a target without changes.
        order by c.idx + 0 desc limit 1) as raised_by, (
        select c.hash from cell.chain_entries c
        where c.center_id = d.center_id and c.domain = d.domain and c.idx = d.chain_index) as chain_hash
      from cell.dpus d join (
        select distinct center_id, id, targets from json_to_recordset(wanted) as w (center_id integer, id uuid, targets text[])) w
        using (center_id, id)
      order by d.center_id, d.id for update of d) u
    cross join lateral (
      select octet_length(coalesce(u.content, '')) + octet_length(u.metadata::text) + octet_length(u.salts::text)
        + coalesce(length(u.packed_salts), 0) as bytes) size);
end $$;

create or replace function cell.write_dpus(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.dpus (center_id, id, domain, chain_index, vertical, country, region, content, reference_type,
      reference_id, tags, created_by, origin, evidence_level, metadata, policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls, packed_salts)
    select center_id, id, domain, chain_index, vertical, country, region, content, reference_type, reference_id, tags,
      created_by, origin, evidence_level, coalesce(metadata, '{}'), policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls, packed_salts
    from json_to_recordset(inserted) as u (
      center_id integer, id uuid, domain text, chain_index bigint, vertical text, country text, region text, content text,
      reference_type text, reference_id text, tags text[], created_by json, origin json, evidence_level text,
      metadata json, policies json, salts json, sealed_at timestamptz, updated_at timestamptz, metadata_commitment text,
      control json, prior_controls json, packed_salts bytea);
    insert into cell.dpu_labels (center_id, label, id)
    select distinct e.center_id, 'tag:' || tag, e.id
    from json_to_recordset(inserted) as u (center_id integer, id uuid, domain text)
      join cell.decision_events e on e.center_id = u.center_id and e.id = u.id cross join unnest(e.tags) tag
    where u.domain = 'proof';
  end if;
  if updated is not null then
    update cell.dpus u set evidence_level = c.evidence_level, metadata = c.metadata, sealed_at = c.sealed_at,
      updated_at = c.updated_at, last_change = c.last_change, metadata_commitment = c.metadata_commitment
    from json_to_recordset(updated) as c (
      center_id integer, id uuid, evidence_level text, metadata json, sealed_at timestamptz, updated_at timestamptz,
      last_change text, metadata_commitment text)
    where u.center_id = c.center_id and u.id = c.id;
  end if;
  insert into cell.dpu_counts as k (center_id, vertical, evidence_level, dpus)
  select center_id, vertical, evidence_level, sum(change) from (
    select center_id, vertical, evidence_level, 1 as change
    from json_to_recordset(inserted) as i (center_id integer, vertical text, evidence_level text)
    union all
    select center_id, vertical, level, change
    from json_to_recordset(updated) as c (center_id integer, vertical text, was_level text, evidence_level text)
      cross join lateral (values (was_level, -1), (evidence_level, 1)) l (level, change)) changes
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (center_id, vertical, evidence_level) do update set dpus = k.dpus + excluded.dpus;
end $$;

-- As before, with packed salts.
create or replace function cell.redact(wanted json) returns void
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
    origin = r.origin, metadata = r.metadata, salts = r.salts, packed_salts = r.packed_salts, updated_at = r.updated_at,
    last_change = r.last_change
  from (select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.dpus d using (center_id, id) cross join lateral cell.redacted_unit(d) r
  where u.center_id = d.center_id and u.id = d.id and d::text <> r::text;
  perform cell.redact_events(wanted);
  update cell.approvals a set approver = r.approver, reason = r.reason, submitted_by = r.submitted_by,
    identity_by = r.identity_by, on_behalf_of = r.on_behalf_of, passkey_statement = r.passkey_statement,
    reason_salt = r.reason_salt, salt = r.salt
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
