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
  -- The list of a center by each of its filters.
  execute format('create index audit_entries_type on %I.audit_entries (center_id, type, occurred_at, id)', target);
  execute format('create index audit_entries_actor on %I.audit_entries (center_id, actor_id, occurred_at, id)', target);
  execute format('create index audit_entries_target on %I.audit_entries (center_id, target_id, occurred_at, id)', target);
  perform countersign.give_tenancy(format('%I.audit_entries', target));
  perform countersign.make_append_only(format('%I.audit_entries', target));
end $$;

-- The number of entries of a center by day (UTC) and type, so that no list counts them. Every connection has a slot, so that
-- transactions which write entries of the same kind rarely wait for each other. Entries in no center are not counted.
create function countersign.create_audit_counts(target text) returns void
language plpgsql as $$
begin
  execute format('
    create table %1$I.audit_counts (
      center_id integer,
      day date not null,
      type text not null,
      slot smallint not null,
      entries integer not null,
      primary key (center_id, day, type, slot)
    ) with (fillfactor = 50)', target);
  perform countersign.give_tenancy(format('%I.audit_counts', target));
  execute format('
    create function %1$I.count_audit_entries() returns trigger
    language plpgsql as $f$
    begin
      insert into %1$I.audit_counts as k (center_id, day, type, slot, entries)
      select center_id, (occurred_at at time zone ''UTC'')::date, type, pg_backend_pid() %% 64, count(*)
      from added where center_id <> 0 group by 1, 2, 3 order by 1, 2, 3
      on conflict (center_id, day, type, slot) do update set entries = k.entries + excluded.entries;
      return null;
    end $f$', target);
  execute format('
    create trigger count_entries after insert on %1$I.audit_entries referencing new table as added
    for each statement execute function %1$I.count_audit_entries()', target);
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
