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

-- A closed log accepts no entry, for good. Its head, its roots and its signatures stay, so that ids and names are not used
-- again and every receipt can be compared with the end of its log.
alter table cell.chain_heads add column closed boolean not null default false;
create trigger closed before update on cell.chain_heads for each row when (old.closed) execute function countersign.refuse_change();
grant update (closed) on cell.chain_heads to cs_jobs;

-- Centers that have left. Only the operator adds one, and none is removed: from then on their rows can be deleted.
create table cell.left_centers (center_id integer primary key);
alter table cell.left_centers enable row level security, force row level security;
create policy adding on cell.left_centers for insert to cs_operator with check (true);
create policy known on cell.left_centers for select to cs_owner, cs_operator using (true);
grant select, insert on cell.left_centers to cs_operator;
grant usage on schema cell to cs_operator;

create table cell.closed_logs (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  log text not null,
  size bigint not null check (size >= 0),
  -- Base64.
  root text not null,
  -- The signed checkpoint with its cosignatures; null for an empty log.
  note text,
  closed_at timestamptz(3) not null,
  primary key (center_id, domain),
  check ((size = 0) = (note is null))
);
select countersign.give_tenancy('cell.closed_logs');
select countersign.make_append_only('cell.closed_logs');
grant select on cell.closed_logs to cs_api;
grant select, insert on cell.closed_logs to cs_jobs;

-- The ids of sealed records of centers that have left, and nothing else of them: who asks for one learns that its log is closed.
create table cell.left_records (
  center_id integer,
  id uuid not null,
  domain text not null check (domain in ('dpu', 'proof')),
  primary key (center_id, id)
);
create index left_records_id on cell.left_records (id);
select countersign.give_tenancy('cell.left_records');
select countersign.make_append_only('cell.left_records');
create policy named on cell.left_records for select to cs_public
  using (id = nullif(current_setting('app.record_id', true), '')::uuid);
grant select on cell.left_records to cs_public;
grant insert on cell.left_records to cs_jobs;

-- What stays of a center that has left.
drop policy leaving on cell.closed_logs;
drop policy leaving on cell.left_records;
drop policy leaving on cell.chain_heads;
drop policy leaving on cell.log_generations;
drop policy leaving on cell.checkpoints;
drop policy leaving on cell.signatures;
drop policy leaving on cell.cosignatures;
drop policy leaving on cell.timestamps;
-- The statement that begins a generation is referred to, and has no data of anybody.
alter policy leaving on cell.chain_entries
  using (center_id = (select countersign.leaving()) and strpos(content, '"succession":{') = 0);
