set local role cs_owner;

-- Who waits for a place with an instructor on a day that is full. A row ends with the appointment, the day, or the person's word.
create table cell.booking_waits (
  center_id integer,
  id uuid not null,
  booked_for uuid not null,
  asked_by uuid not null,
  instructor_id uuid not null,
  day date not null,
  -- The day as instants, in the time zone that the center had when somebody asked.
  from_at timestamptz(3) not null,
  until_at timestamptz(3) not null check (until_at > from_at),
  created_at timestamptz(3) not null,
  -- A place that came free and is kept for this client until then.
  offer_starts_at timestamptz(3),
  offer_ends_at timestamptz(3),
  offer_until timestamptz(3),
  check (num_nonnulls(offer_starts_at, offer_ends_at, offer_until) in (0, 3)),
  check (offer_ends_at > offer_starts_at and offer_until <= offer_starts_at
    and offer_starts_at >= from_at and offer_ends_at <= until_at),
  primary key (center_id, id),
  constraint booking_waits_once unique (center_id, booked_for, instructor_id, day),
  -- A place is kept for one client.
  constraint booking_waits_one_offer
    exclude using gist (center_id with =, instructor_id with =, tstzrange(offer_starts_at, offer_ends_at) with &&)
    where (offer_until is not null)
);
create index booking_waits_in_turn on cell.booking_waits (center_id, instructor_id, day, created_at, id);
create index booking_waits_due on cell.booking_waits (coalesce(offer_until, until_at));
select countersign.give_tenancy('cell.booking_waits');
create policy survey on cell.booking_waits for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update (offer_starts_at, offer_ends_at, offer_until), delete on cell.booking_waits to cs_api, cs_jobs;
grant select on cell.closures to cs_jobs;

-- Whoever places an appointment, in whatever way: a kept place goes to the client it is kept for, and who has a place waits no
-- longer. A row after the insert: of two who meet at a place, the second sees what the first has committed.
create function cell.honor_waits() returns trigger
language plpgsql as $$
begin
  if new.status <> 'booked' then return null; end if;
  if exists (select from cell.booking_waits w
    where w.center_id = new.center_id and w.instructor_id = new.instructor_id and w.booked_for <> new.booked_for
      and w.offer_until > new.placed_at
      and tstzrange(w.offer_starts_at, w.offer_ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'the place is kept for another client' using errcode = 'check_violation', constraint = 'booking_kept';
  end if;
  delete from cell.booking_waits w
  where w.center_id = new.center_id and w.instructor_id = new.instructor_id and w.booked_for = new.booked_for
    and new.starts_at >= w.from_at and new.starts_at < w.until_at
    and (w.offer_until is null or tstzrange(w.offer_starts_at, w.offer_ends_at) && tstzrange(new.starts_at, new.ends_at));
  -- Kept for somebody who took another place that day: the job offers it to the next.
  update cell.booking_waits w set offer_until = least(w.offer_until, new.placed_at)
  where w.center_id = new.center_id and w.instructor_id = new.instructor_id and w.booked_for = new.booked_for
    and new.starts_at >= w.from_at and new.starts_at < w.until_at;
  return null;
end $$;
create trigger honor_waits after insert or update of instructor_id, starts_at, ends_at on cell.bookings for each row
  when (new.placed_at is not null)
  execute function cell.honor_waits();
