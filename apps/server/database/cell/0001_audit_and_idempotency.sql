create schema cell authorization cs_owner;
grant usage on schema cell to cs_api, cs_recorder, cs_sequencer, cs_public, cs_jobs;

set local role cs_owner;

create table cell.audit_entries (
  center_id integer,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  request_id text not null,
  actor_id text,
  target_type text not null,
  target_id text not null,
  details jsonb not null,
  primary key (center_id, id)
);
create index audit_entries_time on cell.audit_entries (center_id, occurred_at, id);
select countersign.give_tenancy('cell.audit_entries');
select countersign.make_append_only('cell.audit_entries');
grant select, insert on cell.audit_entries to cs_api;
grant insert on cell.audit_entries to cs_sequencer, cs_jobs;

create table cell.idempotency_records (
  center_id integer,
  principal text not null,
  method text not null,
  path text not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  -- Null only inside the transaction that is still working on the answer.
  status integer,
  body bytea,
  expires_at timestamptz(3) not null,
  primary key (center_id, principal, method, path, key)
);
create index idempotency_records_expiry on cell.idempotency_records (expires_at);
select countersign.give_tenancy('cell.idempotency_records');
grant select, insert, update on cell.idempotency_records to cs_api, cs_sequencer;

create policy expired on cell.idempotency_records to cs_jobs using (expires_at < now());
grant select, delete on cell.idempotency_records to cs_jobs;
