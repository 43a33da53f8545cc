set local role cs_owner;

-- The operator who has said that they look after an alarm. The alarm itself stays until it is cleared, and takes these rows along.
create table cell.alarm_acknowledgements (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  acknowledged_by uuid not null,
  name text not null,
  note text not null check (length(note) between 1 and 500),
  acknowledged_at timestamptz(3) not null,
  primary key (center_id, domain)
);
select countersign.give_tenancy('cell.alarm_acknowledgements');
create policy survey on cell.alarm_acknowledgements for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert on cell.alarm_acknowledgements to cs_api;
grant select, delete on cell.alarm_acknowledgements to cs_jobs;
-- The batch that continues a chain under the next generation clears its alarm.
grant select, delete on cell.alarm_acknowledgements to cs_sequencer;
create function cell.end_acknowledgement() returns trigger
language plpgsql as $$
begin
  delete from cell.alarm_acknowledgements where center_id = old.center_id and domain = old.domain;
  return null;
end $$;
create trigger end_acknowledgement after update of broken_at on cell.chain_heads for each row
  when (old.broken_at is not null and new.broken_at is null) execute function cell.end_acknowledgement();
