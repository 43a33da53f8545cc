set local role cs_owner;

-- What happened in a center that people are told of, as in the directory: a job brings it there. It stays for a while after.
create table cell.message_causes (
  center_id integer,
  id text not null check (length(id) between 1 and 200),
  event text not null check (length(event) <= 40),
  facts json not null,
  noted_at timestamptz(3) not null,
  told_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (center_id, id)
);
create index message_causes_untold on cell.message_causes (center_id, noted_at) where told_at is null;
create index message_causes_expiry on cell.message_causes (expires_at);
select countersign.give_tenancy('cell.message_causes');
create policy survey on cell.message_causes for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.message_causes to cs_jobs using (expires_at < now());
grant insert on cell.message_causes to cs_api;
grant select, insert, update (told_at), delete on cell.message_causes to cs_jobs;

-- Appointments of the next days are looked for in all centers.
create index bookings_to_remind on cell.bookings (starts_at) where status = 'booked';
create policy survey on cell.bookings for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.bookings to cs_jobs;


-- The person who asked for a decision is told in the commit that closes it. Agents hear of it by webhook.
grant insert on cell.message_causes to cs_sequencer;
create or replace function cell.note_decided() returns trigger
language plpgsql as $$
begin
  if current_user = 'cs_owner' then return null; end if;
  insert into cell.decided_decisions (center_id, event_id, seq, informing, told)
  values (old.center_id, old.event_id, old.seq, old.informing, old.informing is null)
  on conflict do nothing;
  insert into cell.message_causes (center_id, id, event, facts, noted_at, expires_at)
  select d.center_id, 'decided ' || d.id, 'decided',
    json_build_object('requester', json_build_array(lower(d.actor ->> 'id')), 'of', json_build_object('event', d.id)),
    now(), now() + interval '40 days'
  from cell.decision_events d
  where d.center_id = old.center_id and d.id = old.event_id
    and d.actor ->> 'id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  on conflict do nothing;
  return null;
end $$;
