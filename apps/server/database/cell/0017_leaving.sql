set local role cs_owner;

-- Exports of whole centers. A worker leases one, writes one file per transaction, and moves `part` and `place` in the same
-- transaction: a worker that dies leaves complete files, and the next one goes on after them.
create table cell.center_exports (
  center_id integer,
  id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  requested_by uuid not null,
  requested_at timestamptz(3) not null,
  ended_at timestamptz(3),
  expires_at timestamptz(3) not null,
  -- The position of the part that is written, and where in it the next file begins.
  part integer not null default 0,
  place json,
  -- By domain: the size of each log that is completely read.
  sizes json not null default '{}',
  files integer not null default 0,
  lines bigint not null default 0,
  bytes bigint not null default 0,
  -- SHA-256 of the manifest, in hex.
  manifest text,
  reason text,
  next_at timestamptz(3) not null,
  leased boolean not null default false,
  lease_epoch bigint not null default 0,
  -- Leases since the last file.
  attempts integer not null default 0,
  primary key (center_id, id),
  check ((status = 'running') = (ended_at is null)),
  check ((status = 'completed') = (manifest is not null)),
  check ((status = 'failed') = (reason is not null))
);
create unique index center_exports_running on cell.center_exports (center_id) where status = 'running';
create index center_exports_due on cell.center_exports (next_at) where status = 'running';
select countersign.give_tenancy('cell.center_exports');
-- Workers look for due exports while app.center_id is not set.
create policy lease on cell.center_exports for update to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy survey on cell.center_exports for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert (center_id, id, requested_by, requested_at, expires_at, next_at) on cell.center_exports to cs_api;
grant select, update (status, ended_at, part, place, sizes, files, lines, bytes, manifest, reason, next_at, leased, lease_epoch,
  attempts) on cell.center_exports to cs_jobs;

create table cell.center_export_files (
  center_id integer,
  export_id uuid not null,
  name text not null check (name ~ '^[a-z][a-z0-9.-]{0,99}$'),
  lines integer not null,
  sha256 text not null,
  content bytea not null,
  expires_at timestamptz(3) not null,
  primary key (center_id, export_id, name)
);
-- Compressed before.
alter table cell.center_export_files alter column content set storage external;
create index center_export_files_expiry on cell.center_export_files (expires_at);
select countersign.give_tenancy('cell.center_export_files');
create policy expired on cell.center_export_files to cs_jobs using (expires_at < now());
grant select on cell.center_export_files to cs_api;
grant select, insert, delete on cell.center_export_files to cs_jobs;

-- Takes the exports that have waited longest. The transaction of a worker that dies is rolled back, and its lease ends.
create function cell.lease_exports(at timestamptz, until timestamptz, most integer)
returns table (center_id integer, id uuid, epoch bigint, taken_over boolean, attempts integer, requested_by uuid,
  requested_at timestamptz, expires_at timestamptz, part integer, place json, sizes json, bytes bigint)
language plpgsql as $$
begin
  return query
    with due as (
      select e.center_id, e.id, e.leased from cell.center_exports e
      where e.status = 'running' and e.next_at <= at order by e.next_at limit most for update skip locked)
    update cell.center_exports e set next_at = until, leased = true, lease_epoch = e.lease_epoch + 1,
      attempts = e.attempts + 1
    from due d where e.center_id = d.center_id and e.id = d.id
    returning e.center_id, e.id, e.lease_epoch, d.leased, e.attempts, e.requested_by, e.requested_at, e.expires_at,
      e.part, e.place, e.sizes, e.bytes;
end $$;
