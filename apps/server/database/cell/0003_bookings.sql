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
  status text not null default 'booked' check (status in ('booked', 'attended', 'no_show', 'canceled')),
  -- Why it was canceled, if somebody said so.
  reason text check (reason is null or status = 'canceled'),
  -- When it was made or moved last; null for one that was imported.
  placed_at timestamptz(3),
  changed_at timestamptz(3),
  primary key (center_id, id),
  constraint bookings_not_in_the_past check (starts_at > placed_at),
  -- Neither an instructor nor a client has two appointments at once, also when two callers book at the same time.
  constraint bookings_of_instructor
    exclude using gist (center_id with =, instructor_id with =, tstzrange(starts_at, ends_at) with &&)
    where (status <> 'canceled'),
  constraint bookings_of_client
    exclude using gist (center_id with =, booked_for with =, tstzrange(starts_at, ends_at) with &&)
    where (status <> 'canceled')
);
-- The list by each of its filters, and what workflows read.
create index bookings_by_time on cell.bookings (center_id, starts_at, id);
create index bookings_by_status on cell.bookings (center_id, status, starts_at, id);
create index bookings_by_instructor on cell.bookings (center_id, instructor_id, starts_at, id);
create index bookings_by_client on cell.bookings (center_id, booked_for, starts_at, id);
select countersign.give_tenancy('cell.bookings');
grant select, insert, update (instructor_id, starts_at, ends_at, status, reason, placed_at, changed_at) on cell.bookings
  to cs_api;

-- The number of bookings by status, so that no list counts all of them.
create table cell.booking_counts (
  center_id integer,
  status text not null,
  bookings integer not null,
  primary key (center_id, status)
);
select countersign.give_tenancy('cell.booking_counts');
grant select, insert, update on cell.booking_counts to cs_api;

create function cell.count_new_bookings() returns trigger
language plpgsql as $$
begin
  insert into cell.booking_counts as k (center_id, status, bookings)
  select center_id, status, count(*) from added group by 1, 2 order by 1, 2
  on conflict (center_id, status) do update set bookings = k.bookings + excluded.bookings;
  return null;
end $$;
create trigger count_new after insert on cell.bookings referencing new table as added
  for each statement execute function cell.count_new_bookings();

create function cell.count_changed_bookings() returns trigger
language plpgsql as $$
begin
  insert into cell.booking_counts as k (center_id, status, bookings)
  select center_id, status, sum(step) from (
    select center_id, status, -1 from former union all select center_id, status, 1 from changed) s (center_id, status, step)
  group by 1, 2 having sum(step) <> 0 order by 1, 2
  on conflict (center_id, status) do update set bookings = k.bookings + excluded.bookings;
  return null;
end $$;
create trigger count_changed after update on cell.bookings referencing old table as former new table as changed
  for each statement execute function cell.count_changed_bookings();

-- Who came and who did not: for an appointment, or as a companion application verified it. Workflows count these rows.
create table cell.attendance (
  center_id integer,
  id uuid not null,
  kind text not null check (kind in ('attended', 'no_show')),
  -- Who said so last: staff about an appointment, or an event of a companion application.
  source text not null check (source in ('booking', 'event')),
  booking_id uuid,
  -- Null where a companion application knows the person by a reference of its own.
  client_id uuid,
  reference text check (length(reference) <= 255),
  instructor_id uuid,
  at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  primary key (center_id, id),
  -- An appointment is counted once, whoever says so and how often.
  constraint attendance_of_booking unique (center_id, booking_id),
  foreign key (center_id, booking_id) references cell.bookings (center_id, id)
);
create index attendance_by_time on cell.attendance (center_id, at, id);
create index attendance_by_client on cell.attendance (center_id, client_id, at, id);
create index attendance_by_kind on cell.attendance (center_id, kind, at, id);
create index attendance_by_instructor on cell.attendance (center_id, instructor_id, at, id);
select countersign.give_tenancy('cell.attendance');
grant select, insert, update (kind, source, client_id, reference, instructor_id, at, recorded_at) on cell.attendance to cs_api;

-- The number of rows by kind, so that no list counts all of them.
create table cell.attendance_counts (
  center_id integer,
  kind text not null,
  entries integer not null,
  primary key (center_id, kind)
);
select countersign.give_tenancy('cell.attendance_counts');
grant select, insert, update on cell.attendance_counts to cs_api;

create function cell.count_new_attendance() returns trigger
language plpgsql as $$
begin
  insert into cell.attendance_counts as k (center_id, kind, entries)
  select center_id, kind, count(*) from added group by 1, 2 order by 1, 2
  on conflict (center_id, kind) do update set entries = k.entries + excluded.entries;
  return null;
end $$;
create trigger count_new after insert on cell.attendance referencing new table as added
  for each statement execute function cell.count_new_attendance();

create function cell.count_changed_attendance() returns trigger
language plpgsql as $$
begin
  insert into cell.attendance_counts as k (center_id, kind, entries)
  select center_id, kind, sum(step) from (
    select center_id, kind, -1 from former union all select center_id, kind, 1 from changed) s (center_id, kind, step)
  group by 1, 2 having sum(step) <> 0 order by 1, 2
  on conflict (center_id, kind) do update set entries = k.entries + excluded.entries;
  return null;
end $$;
create trigger count_changed after update on cell.attendance referencing old table as former new table as changed
  for each statement execute function cell.count_changed_attendance();
