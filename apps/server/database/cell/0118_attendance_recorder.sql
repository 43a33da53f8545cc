set local role cs_owner;

-- Who among the staff recorded or last corrected it. Null for an event, and for what was recorded before this column was added.
alter table cell.attendance
  add recorded_by uuid,
  add constraint attendance_recorded_by_staff check (recorded_by is null or source = 'booking');
grant update (recorded_by) on cell.attendance to cs_api;
