set local role cs_owner;

-- The directory and every cell record audit entries and idempotency records in the transaction of the change that they
-- describe, so each schema has these two tables. The caller adds the grants, which differ.

create function countersign.create_audit_entries(target text) returns void
language plpgsql as $$
begin
  execute format('
    create table %1$I.audit_entries (
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
    )', target);
  execute format('create index audit_entries_time on %I.audit_entries (center_id, occurred_at, id)', target);
  perform countersign.give_tenancy(format('%I.audit_entries', target));
  perform countersign.make_append_only(format('%I.audit_entries', target));
end $$;

create function countersign.create_idempotency_records(target text) returns void
language plpgsql as $$
begin
  -- status and body are null only inside the transaction that computes the response.
  execute format('
    create table %1$I.idempotency_records (
      center_id integer,
      principal text not null,
      method text not null,
      path text not null,
      key text not null check (length(key) between 1 and 255),
      fingerprint bytea not null,
      status integer,
      body bytea,
      expires_at timestamptz(3) not null,
      primary key (center_id, principal, method, path, key)
    )', target);
  execute format('create index idempotency_records_expiry on %I.idempotency_records (expires_at)', target);
  perform countersign.give_tenancy(format('%I.idempotency_records', target));
  -- Housekeeping sees, and so deletes, expired records only.
  execute format('create policy expired on %I.idempotency_records to cs_jobs using (expires_at < now())', target);
end $$;
