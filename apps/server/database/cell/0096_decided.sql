set local role cs_owner;

-- Whom the policies that ask name to be told when the decision is closed: `{roles, actorIds, groupIds}`; null for nobody.
alter table cell.waiting_decisions add informing jsonb;
-- Until when the requester takes an answer; null where it named no time. It ends the waiting like an expiry by policy.
alter table cell.waiting_decisions add deadline timestamptz(3);

create or replace function cell.begin_waiting(rows json) returns void
language plpgsql as $$
begin
  insert into cell.waiting_decisions (center_id, event_id, seq, since, reasons, policies, expires_at, escalates_at, versions, pinned,
    informing, deadline)
  select d.center_id, d.id, d.seq, w.since, w.reasons, w.policies, w.expires_at, w.escalates_at,
    coalesce(w.versions, cell.policy_version_count(w.center_id)), w.pinned, w.informing, w.deadline
  from json_to_recordset(rows) as w (
      center_id integer, event_id uuid, since timestamptz, reasons text[], policies json, expires_at timestamptz,
      escalates_at timestamptz, versions bigint, pinned json, informing jsonb, deadline timestamptz)
    join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id and d.status in ('recorded', 'approved')
  order by 1, 2
  on conflict do nothing;
  with asked as (
    select d.center_id, d.id, d.created_at, w.message
    from json_to_recordset(rows) as w (center_id integer, event_id uuid, message text)
      join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.message is not null
  ), listening as (
    select a.*, h.id as webhook_id, h.active
    from asked a join cell.webhooks h on h.center_id = a.center_id and h.deleted_at is null
      and h.events && array['*', 'agent.*', 'agent.approval.*', 'agent.approval.requested']
  ), published as (
    insert into cell.webhook_events (center_id, id, type, created_at, data)
    select distinct on (center_id, id) center_id, id, 'agent.approval.requested', created_at, message from listening
    on conflict do nothing
  )
  insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
  select center_id, webhook_id, id, 'agent.approval.requested', created_at, case when active then created_at end, not active
  from listening
  on conflict do nothing;
end $$;

-- Decisions that waited and are closed, in the order of the events: what people asked for, and what they are told of. It names
-- nobody but those whom policies name.
create table cell.decided_decisions (
  center_id integer,
  event_id uuid not null,
  seq bigint not null,
  informing jsonb,
  -- Whether those who are informed have been told.
  told boolean not null,
  primary key (center_id, event_id)
);
create index decided_decisions_newest on cell.decided_decisions (center_id, seq);
create index decided_decisions_informing on cell.decided_decisions (center_id, seq) where informing is not null;
create index decided_decisions_untold on cell.decided_decisions (center_id) where not told;
select countersign.give_tenancy('cell.decided_decisions');
create policy survey on cell.decided_decisions for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select on cell.decided_decisions to cs_api;
grant select, insert on cell.decided_decisions to cs_sequencer;
grant select, insert, update (told) on cell.decided_decisions to cs_jobs;

-- In the commit that closes the decision. The rows of a center that has left are deleted by their owner, and decide nothing.
create function cell.note_decided() returns trigger
language plpgsql as $$
begin
  if current_user = 'cs_owner' then return null; end if;
  insert into cell.decided_decisions (center_id, event_id, seq, informing, told)
  values (old.center_id, old.event_id, old.seq, old.informing, old.informing is null)
  on conflict do nothing;
  return null;
end $$;
create trigger note_decided after delete on cell.waiting_decisions for each row execute function cell.note_decided();
