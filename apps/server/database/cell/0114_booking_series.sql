set local role cs_owner;

-- Appointments of one client every week. The local time of the first one is kept across clock changes.
create table cell.booking_series (
  center_id integer,
  id uuid not null,
  booked_for uuid not null,
  booked_by uuid not null,
  weeks smallint not null check (weeks between 2 and 52),
  created_at timestamptz(3) not null,
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.booking_series');
grant select, insert on cell.booking_series to cs_api;

alter table cell.bookings
  add series_id uuid,
  -- Counted from 1, also through weeks without an appointment.
  add series_week smallint check (series_week between 1 and 52),
  add constraint bookings_in_series check ((series_id is null) = (series_week is null)),
  add foreign key (center_id, series_id) references cell.booking_series (center_id, id);
-- A week of a series has one appointment at most, canceled or not.
create unique index bookings_week_of_series on cell.bookings (center_id, series_id, series_week) where series_id is not null;

-- The weeks of a series that differ from the others, and why. They are never deleted, so no later change of the series undoes them.
create table cell.booking_series_exceptions (
  center_id integer,
  series_id uuid not null,
  week smallint not null check (week between 1 and 52),
  -- Of a week without an appointment. That of a moved or canceled one is in its row.
  day date,
  kind text not null check (kind in ('closed', 'outsideHours', 'instructorBusy', 'clientBusy', 'skipped', 'moved', 'canceled')
    and (kind in ('moved', 'canceled')) = (day is null)),
  noted_at timestamptz(3) not null,
  primary key (center_id, series_id, week),
  foreign key (center_id, series_id) references cell.booking_series (center_id, id)
);
select countersign.give_tenancy('cell.booking_series_exceptions');
grant select, insert, update (kind, noted_at) on cell.booking_series_exceptions to cs_api;

-- Whoever cancels an appointment of a series, in whatever way: the exception is in the same commit.
create function cell.note_canceled_of_series() returns trigger
language plpgsql as $$
begin
  insert into cell.booking_series_exceptions (center_id, series_id, week, kind, noted_at)
  values (new.center_id, new.series_id, new.series_week, 'canceled', coalesce(new.changed_at, now()))
  on conflict (center_id, series_id, week) do update set kind = excluded.kind, noted_at = excluded.noted_at;
  return null;
end $$;
create trigger note_canceled_of_series after update of status on cell.bookings for each row
  when (new.series_id is not null and new.status = 'canceled' and old.status <> 'canceled')
  execute function cell.note_canceled_of_series();
