set local role cs_owner;

-- Decision proof units. Where the domain is `proof`, the values are those of the decision event and its approvals.
create table cell.dpus (
  center_id integer,
  id uuid not null,
  domain text not null check (domain in ('dpu', 'proof')),
  chain_index bigint not null,
  vertical text not null,
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
  primary key (center_id, id),
  unique (center_id, domain, chain_index),
  check ((evidence_level = 'AUDIT_READY') = (sealed_at is not null)),
  check (domain = 'dpu' or evidence_level = 'AUDIT_READY')
);
select countersign.give_tenancy('cell.dpus');
-- The triggers that refuse other changes than redaction: 0012_redaction.sql.
create trigger kept before delete on cell.dpus for each row execute function countersign.refuse_change();
grant select on cell.dpus to cs_api, cs_jobs;
grant select, insert, update (content, reference_id, tags, created_by, origin, evidence_level, metadata, salts,
  sealed_at, updated_at) on cell.dpus to cs_sequencer;
grant select (center_id, id, domain) on cell.dpus to cs_public;

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
  -- The API key that submitted it.
  submitted_by text not null,
  created_at timestamptz(3) not null,
  primary key (center_id, event_id, position)
);
select countersign.give_tenancy('cell.approvals');
create trigger kept before delete on cell.approvals for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.approvals for each statement execute function countersign.refuse_change();
grant select on cell.approvals to cs_api, cs_jobs;
grant select, insert, update (approver, reason, submitted_by) on cell.approvals to cs_sequencer;

-- The number of DPUs per center. cs_public sums them for the public statistics and cannot read center_id.
create table cell.dpu_counts (
  center_id integer,
  vertical text not null,
  evidence_level text not null,
  dpus bigint not null,
  primary key (center_id, vertical, evidence_level)
);
select countersign.give_tenancy('cell.dpu_counts');
create policy totals on cell.dpu_counts for select to cs_public using (true);
grant select on cell.dpu_counts to cs_api, cs_jobs;
grant select, insert, update on cell.dpu_counts to cs_sequencer;
grant select (vertical, evidence_level, dpus) on cell.dpu_counts to cs_public;
