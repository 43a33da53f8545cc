set local role cs_owner;

-- Decision proof units. Where the domain is `proof`, the values are those of the decision event and its approvals.
create table cell.dpus (
  center_id integer,
  id uuid not null,
  domain text not null check (domain in ('dpu', 'proof')),
  chain_index bigint not null,
  vertical text not null,
  country text,
  region text,
  content text check ((domain = 'dpu') = (content is not null)),
  reference_type text check ((domain = 'dpu') = (reference_type is not null)),
  reference_id text,
  tags text[],
  created_by json,
  -- The workflow or model that produced it, if any.
  origin json,
  evidence_level text not null check (evidence_level in ('DRAFT', 'DOCUMENTED', 'AUDIT_READY')),
  metadata json not null default '{}',
  -- The policies that applied at sealing, each with version and digest.
  policies json,
  -- One salt per committed path. Without its salt a commitment reveals nothing about the value.
  salts json not null,
  -- The time at which it became AUDIT_READY.
  sealed_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- The hash of the newest entry of the chain `history` about it; the next such entry names it.
  last_change text,
  -- The commitment to its present metadata; null where it never had any.
  metadata_commitment text,
  primary key (center_id, id),
  unique (center_id, domain, chain_index),
  check ((evidence_level = 'AUDIT_READY') = (sealed_at is not null))
);
select countersign.give_tenancy('cell.dpus');
-- The triggers that refuse other changes than redaction: 0012_redaction.sql.
create trigger kept before delete on cell.dpus for each row execute function countersign.refuse_change();
grant select on cell.dpus to cs_api, cs_jobs;
grant select, insert, update (content, reference_id, tags, created_by, origin, evidence_level, metadata, salts,
  sealed_at, updated_at, last_change, metadata_commitment) on cell.dpus to cs_sequencer;
grant select (center_id, id, domain) on cell.dpus to cs_public;

create index dpus_level on cell.dpus (center_id, evidence_level, id);

-- By what else the list of units is filtered: `tag:`, `reference:` and `workflow:` with the value. The tags of a decision are
-- those of its event; `write_dpus` writes its labels, once for a batch.
create table cell.dpu_labels (
  center_id integer,
  label text not null,
  id uuid not null,
  primary key (center_id, label, id)
);
create index dpu_labels_unit on cell.dpu_labels (center_id, id);
select countersign.give_tenancy('cell.dpu_labels');
grant select on cell.dpu_labels to cs_api;
grant select, insert, delete on cell.dpu_labels to cs_sequencer;

create function cell.label_dpu() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from cell.dpu_labels where center_id = new.center_id and id = new.id;
  end if;
  insert into cell.dpu_labels (center_id, label, id)
  select new.center_id, label, new.id from (
    select 'tag:' || tag from unnest(new.tags) tag
    union select 'reference:' || new.reference_id
    union select 'workflow:' || (new.origin ->> 'workflowId')) labels (label)
  where label is not null;
  return null;
end $$;
create trigger label_new after insert on cell.dpus for each row when (new.domain = 'dpu')
  execute function cell.label_dpu();
-- A redaction removes the labels of what it removes.
create trigger label_redacted after update of tags, reference_id, origin on cell.dpus for each row when (new.domain = 'dpu')
  execute function cell.label_dpu();

create function cell.unlabel_decision() returns trigger
language plpgsql as $$
begin
  delete from cell.dpu_labels where center_id = new.center_id and id = new.id and label like 'tag:%';
  return null;
end $$;
create trigger unlabel after update of tags on cell.decision_events for each row when (old.tags <> new.tags)
  execute function cell.unlabel_decision();

create function cell.evidence_rank(level text) returns integer
language sql immutable as $$ select array_position(array['DRAFT', 'DOCUMENTED', 'AUDIT_READY'], level) $$;

-- Approvals in the order in which they were given. The last one seals the event; the hash covers the earlier ones too.
create table cell.approvals (
  center_id integer,
  id uuid not null,
  event_id uuid not null,
  position integer not null,
  approver json not null,
  result text not null check (result in ('approved', 'rejected')),
  reason text,
  -- The API key or the member that submitted it.
  submitted_by text not null,
  -- How sure the server is of the approver, and the API key or the member that vouches for it.
  identity_level text not null check (identity_level in ('claim', 'session', 'passkey', 'system')),
  identity_by text not null,
  channel text check (channel in ('api', 'page', 'console')),
  opened_at timestamptz(3),
  decided_at timestamptz(3),
  -- The member whose deputy approved.
  on_behalf_of text,
  -- What the passkey signed, beside the statement: the binding of the key, and the assertion as received.
  passkey json,
  -- The key, by which its binding is found; not sealed.
  passkey_id uuid,
  -- The statement names the approver, so a redaction removes it. The salt of the reason goes with the reason.
  passkey_statement json,
  reason_salt text,
  created_at timestamptz(3) not null,
  primary key (center_id, event_id, position),
  check ((identity_level = 'passkey') = (passkey is not null))
);
select countersign.give_tenancy('cell.approvals');
create trigger kept before delete on cell.approvals for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.approvals for each statement execute function countersign.refuse_change();
grant select on cell.approvals to cs_api, cs_jobs;
grant select, insert, update (approver, reason, submitted_by, identity_by, on_behalf_of, passkey_statement, reason_salt)
  on cell.approvals to cs_sequencer;

-- The number of DPUs per center. cs_public sums them for the public statistics, without sandboxes, and cannot read center_id.
create table cell.dpu_counts (
  center_id integer,
  vertical text not null,
  evidence_level text not null,
  dpus bigint not null,
  primary key (center_id, vertical, evidence_level)
);
select countersign.give_tenancy('cell.dpu_counts');
create policy totals on cell.dpu_counts for select to cs_public using (center_id < 1000000000);
grant select on cell.dpu_counts to cs_api, cs_jobs;
grant select, insert, update on cell.dpu_counts to cs_sequencer;
grant select (vertical, evidence_level, dpus) on cell.dpu_counts to cs_public;

-- Locks the DPUs that a batch names, with the person who raised the level last, because the second review must come from
-- another person, and with the hash of its own entry.
create function cell.hold_dpus(wanted json, most_bytes integer) returns json
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
      select octet_length(coalesce(u.content, '')) + octet_length(u.metadata::text) + octet_length(u.salts::text) as bytes) size);
end $$;

-- Both lists change the counts in one statement, whose order prevents deadlocks.
create function cell.write_dpus(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.dpus (center_id, id, domain, chain_index, vertical, country, region, content, reference_type,
      reference_id, tags, created_by, origin, evidence_level, metadata, policies, salts, sealed_at, updated_at,
      metadata_commitment)
    select center_id, id, domain, chain_index, vertical, country, region, content, reference_type, reference_id, tags,
      created_by, origin, evidence_level, coalesce(metadata, '{}'), policies, salts, sealed_at, updated_at,
      metadata_commitment
    from json_to_recordset(inserted) as u (
      center_id integer, id uuid, domain text, chain_index bigint, vertical text, country text, region text, content text,
      reference_type text, reference_id text, tags text[], created_by json, origin json, evidence_level text,
      metadata json, policies json, salts json, sealed_at timestamptz, updated_at timestamptz, metadata_commitment text);
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

-- The first approvals of events that wait for the second. Other events of a batch have no approvals to read.
create function cell.load_approvals(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(a) order by a.position)
    from (select distinct center_id, event_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)) w
      join cell.decision_events e on e.center_id = w.center_id and e.id = w.event_id and e.status = 'approved'
      join cell.approvals a on a.center_id = w.center_id and a.event_id = w.event_id);
end $$;

create function cell.write_approvals(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.approvals (center_id, id, event_id, position, approver, result, reason, submitted_by, identity_level,
    identity_by, channel, opened_at, decided_at, on_behalf_of, passkey, passkey_id, passkey_statement,
    reason_salt, created_at)
  select center_id, id, event_id, position, approver, result, reason, submitted_by, identity_level, identity_by, channel,
    opened_at, decided_at, on_behalf_of, passkey, passkey_id, passkey_statement, reason_salt, created_at
  from json_to_recordset(inserted) as a (
    center_id integer, id uuid, event_id uuid, position integer, approver json, result text, reason text,
    submitted_by text, identity_level text, identity_by text, channel text, opened_at timestamptz,
    decided_at timestamptz, on_behalf_of text, passkey json, passkey_id uuid, passkey_statement json, reason_salt text,
    created_at timestamptz);
end $$;
