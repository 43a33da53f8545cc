set local role cs_owner;

-- Days on which the center is closed: a row is a whole day in the center's time zone. No appointment can be made then; those that
-- were made before stay until somebody moves them.
create table cell.closures (
  center_id integer,
  day date not null,
  name text not null check (length(name) between 1 and 100),
  -- A public holiday that the center adopted.
  holiday boolean not null,
  created_by uuid not null,
  created_at timestamptz(3) not null,
  primary key (center_id, day)
);
select countersign.give_tenancy('cell.closures');
grant select, insert, delete on cell.closures to cs_api;
