-- incompatible
set local role cs_owner;

-- The rules of a center as its last change of them left them: where in `history` that change is, and the digest of all policies in
-- force. A batch that changes rules writes it and holds the chains `history` and `proof`; a batch that seals reads it and
-- holds `proof` only. `shared`: the versions of shared policies that are entered in the history of the center.
create table cell.center_rules (
  center_id integer,
  history_index bigint not null,
  digest text not null,
  shared json not null default '[]',
  primary key (center_id)
);
select countersign.give_tenancy('cell.center_rules');
create trigger kept before delete on cell.center_rules for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.center_rules for each statement execute function countersign.refuse_change();
grant select on cell.center_rules to cs_api, cs_jobs;
grant select, insert, update on cell.center_rules to cs_sequencer;

-- `control` is what is sealed beside the decision; `prior_controls` the same of each earlier approval. Null in records of 0.1.0.
alter table cell.dpus add control json, add prior_controls json;

-- `control`: how the session began, and what the page showed. `salt` is that of the hash which later approvals sign.
alter table cell.approvals add control json, add salt text;
grant update (salt) on cell.approvals to cs_sequencer;
alter table cell.approvals disable trigger append_only;
alter table cell.approvals no force row level security;
alter table cell.decision_events no force row level security;
update cell.approvals a
set salt = translate(rtrim(encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64'), '='), '+/', '-_')
from cell.decision_events e where e.center_id = a.center_id and e.id = a.event_id and e.status = 'approved';
alter table cell.approvals force row level security;
alter table cell.decision_events force row level security;
alter table cell.approvals enable trigger append_only;

-- Approvals that their person has taken back while the decision waits.
create table cell.approval_take_backs (
  center_id integer,
  event_id uuid not null,
  position integer not null,
  taken_back_at timestamptz(3) not null,
  primary key (center_id, event_id, position)
);
select countersign.give_tenancy('cell.approval_take_backs');
select countersign.make_append_only('cell.approval_take_backs');
grant select on cell.approval_take_backs to cs_api, cs_jobs;
grant select, insert on cell.approval_take_backs to cs_sequencer;

-- The digest of the action that the member was shown; the first time of an opening stays.
alter table cell.decision_openings add action_digest text;
drop trigger append_only on cell.decision_openings;
create trigger kept before delete on cell.decision_openings for each row execute function countersign.refuse_change();
grant update (action_digest) on cell.decision_openings to cs_api;

-- Approvals of events that wait for a further one, and of those whose approvals were taken back. Other events of a batch have none
-- to read: the two cases are apart, so that each begins at the few rows that it is about.
create or replace function cell.load_approvals(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (
    with w as (
      select distinct center_id, event_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)
    ), open as (
      select w.center_id, w.event_id
      from w join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id and e.status = 'approved'
      union
      select w.center_id, w.event_id
      from w join cell.approval_take_backs b on b.center_id = w.center_id and b.event_id = w.event_id
        join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id and e.status = 'recorded'
    )
    select json_agg(row_to_json(l) order by l.position)
    from (
      select a.*, t.taken_back_at
      from open join cell.approvals a on a.center_id = open.center_id and a.event_id = open.event_id
        left join cell.approval_take_backs t
          on t.center_id = a.center_id and t.event_id = a.event_id and t.position = a.position) l);
end $$;

-- An approval that is written again is taken back.
create or replace function cell.write_approvals(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.approvals (center_id, id, event_id, position, approver, result, reason, submitted_by, identity_level,
    identity_by, channel, opened_at, decided_at, on_behalf_of, passkey, passkey_id, passkey_statement,
    reason_salt, control, salt, created_at)
  select center_id, id, event_id, position, approver, result, reason, submitted_by, identity_level, identity_by, channel,
    opened_at, decided_at, on_behalf_of, passkey, passkey_id, passkey_statement, reason_salt, control, salt, created_at
  from json_to_recordset(inserted) as a (
    center_id integer, id uuid, event_id uuid, position integer, approver json, result text, reason text,
    submitted_by text, identity_level text, identity_by text, channel text, opened_at timestamptz,
    decided_at timestamptz, on_behalf_of text, passkey json, passkey_id uuid, passkey_statement json, reason_salt text,
    control json, salt text, created_at timestamptz);
  insert into cell.approval_take_backs (center_id, event_id, position, taken_back_at)
  select center_id, event_id, position, taken_back_at
  from json_to_recordset(updated) as t (center_id integer, event_id uuid, position integer, taken_back_at timestamptz);
end $$;

create or replace function cell.write_dpus(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.dpus (center_id, id, domain, chain_index, vertical, country, region, content, reference_type,
      reference_id, tags, created_by, origin, evidence_level, metadata, policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls)
    select center_id, id, domain, chain_index, vertical, country, region, content, reference_type, reference_id, tags,
      created_by, origin, evidence_level, coalesce(metadata, '{}'), policies, salts, sealed_at, updated_at,
      metadata_commitment, control, prior_controls
    from json_to_recordset(inserted) as u (
      center_id integer, id uuid, domain text, chain_index bigint, vertical text, country text, region text, content text,
      reference_type text, reference_id text, tags text[], created_by json, origin json, evidence_level text,
      metadata json, policies json, salts json, sealed_at timestamptz, updated_at timestamptz, metadata_commitment text,
      control json, prior_controls json);
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

-- The last approval sealed the event; each earlier one is a value of its own, named by its position. In records of 0.1.0 they
-- are one value, `priorApprovals`.
create or replace function cell.redacted_approval(row_of cell.approvals) returns cell.approvals
language plpgsql stable as $$
declare
  paths constant text[] := cell.redacted_paths(row_of.center_id, cell.names_of(row_of.event_id));
begin
  if exists (select from cell.approvals a where a.center_id = row_of.center_id and a.event_id = row_of.event_id
    and a.position > row_of.position)
  then
    if array['priorApprovals', 'prior' || row_of.position] && paths then
      row_of.approver := '{}';
      row_of.reason := null;
      row_of.submitted_by := '';
      row_of.identity_by := '';
      row_of.on_behalf_of := null;
      row_of.passkey_statement := null;
      row_of.reason_salt := null;
      row_of.salt := null;
    end if;
    return row_of;
  end if;
  row_of.approver := cell.without(row_of.approver, cell.members_in(paths, 'approval.approver.', '{id,name}'));
  if 'approval.reason' = any (paths) then row_of.reason := null; end if;
  if 'approval.submittedBy' = any (paths) then row_of.submitted_by := ''; end if;
  if 'approval.identity.by' = any (paths) then row_of.identity_by := ''; end if;
  if 'approval.onBehalfOf' = any (paths) then row_of.on_behalf_of := null; end if;
  if array['approval.passkey.statement', 'statement'] && paths then row_of.passkey_statement := null; end if;
  if 'approval.reasonSalt' = any (paths) then row_of.reason_salt := null; end if;
  return row_of;
end $$;

-- Applies the recorded redactions to these records, as before, with the salts of earlier approvals.
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

-- Everything that a decision is judged by, in one call: the newest policies of the centers of a batch, the policies that all
-- centers share, and what their last change left. The batch holds the heads that every change of a rule needs, so nothing of
-- it changes before the commit. `sort` tells the rows apart.
create function cell.load_rules(wanted json, most_bytes integer) returns json
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
      select json_build_object('sort', 'head', 'center_id', center_id, 'history_index', history_index, 'digest', digest,
        'shared', shared)
      from cell.center_rules where center_id = any (centers)) rules);
end $$;

create function cell.write_rules(inserted json, updated json) returns void
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
end $$;

-- With the entry that bound the key, where the item names its target: a signature counts only by that key.
create or replace function cell.load_passkeys(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(p)) from (
    select p.*, (
      select row_to_json(b) from (
        select c.content, c.hash, c.previous_hash, c.sealed_at, x.disclosed, x.salts
        from cell.chain_entries c left join cell.history x on x.center_id = c.center_id and x.idx = c.idx
        where c.center_id = p.center_id and c.domain = 'history' and c.target = w.target and c.type = 'passkey'
        -- + 0: the planner must not read the chain by its primary key in search of the target.
        order by c.idx + 0 limit 1) b) as bound
    from cell.passkeys p join (
      select center_id, id, max(target) as target
      from json_to_recordset(wanted) as w (center_id integer, id uuid, target text) group by 1, 2) w using (center_id, id)
    order by p.center_id, p.id for update of p) p);
end $$;
