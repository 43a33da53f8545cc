create extension if not exists btree_gist;

set local role cs_owner;

create table cell.bookings (
  center_id integer,
  id uuid not null,
  instructor_id uuid not null,
  booked_for uuid not null,
  booked_by uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  created_at timestamptz(3) not null,
  primary key (center_id, id),
  -- The bookings of an instructor do not overlap, also when two callers book at the same time.
  exclude using gist (center_id with =, instructor_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index bookings_by_instructor on cell.bookings (center_id, instructor_id, starts_at);
select countersign.give_tenancy('cell.bookings');
grant select, insert, delete on cell.bookings to cs_api;
