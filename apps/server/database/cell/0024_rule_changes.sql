set local role cs_owner;

-- The versions that asked when a decision began to wait. Their lines stay, whatever becomes of the policies. Null in rows of 0.1.0.
alter table cell.waiting_decisions add pinned json;

-- The texts of pinned versions. One that is missing has no text.
create function cell.pinned_policies(center integer, pinned json) returns json
language sql stable as $$
  select coalesce(json_agg(json_build_object('center_id', v.center_id, 'id', p.id, 'version', p.version, 'policy', v.policy,
    'digest', v.digest) order by p.id, p.version), '[]')
  from json_to_recordset(coalesce(pinned, '[]')) as p (id uuid, version integer) left join lateral (
    select o.center_id, o.policy, o.digest from cell.policy_versions o
    where o.center_id = center and o.id = p.id and o.version = p.version
    union all
    select null, s.policy, s.digest from cell.shared_policies s where s.id = p.id and s.version = p.version) v on true
$$;

create or replace function cell.begin_waiting(rows json) returns void
language plpgsql as $$
begin
  insert into cell.waiting_decisions (center_id, event_id, seq, since, reasons, policies, expires_at, escalates_at, versions, pinned)
  select d.center_id, d.id, d.seq, w.since, w.reasons, w.policies, w.expires_at, w.escalates_at,
    coalesce(w.versions, cell.policy_version_count(w.center_id)), w.pinned
  from json_to_recordset(rows) as w (
      center_id integer, event_id uuid, since timestamptz, reasons text[], policies json, expires_at timestamptz,
      escalates_at timestamptz, versions bigint, pinned json)
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

create or replace function cell.load_waiting(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(l)) from (
    select w.*, cell.pinned_policies(w.center_id, w.pinned) as lines
    from (select distinct center_id, event_id from json_to_recordset(wanted) as k (center_id integer, event_id uuid)) k
      join cell.waiting_decisions w using (center_id, event_id)) l);
end $$;

-- Policies for which a decision has waited.
create table cell.asked_policies (
  center_id integer,
  id uuid not null,
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.asked_policies');
select countersign.make_append_only('cell.asked_policies');
grant select, insert on cell.asked_policies to cs_api, cs_recorder, cs_sequencer;

create function cell.note_asked() returns trigger
language plpgsql as $$
begin
  insert into cell.asked_policies (center_id, id)
  select new.center_id, p.id from json_to_recordset(coalesce(new.pinned, '[]')) as p (id uuid)
  on conflict do nothing;
  return null;
end $$;
create trigger note_asked after insert on cell.waiting_decisions for each row execute function cell.note_asked();

-- Changes of policies that wait for people: at most one for each policy. One whose decision is closed makes room for the next.
create table cell.rule_changes (
  center_id integer,
  policy_id uuid not null,
  event_id uuid not null,
  -- The version that it changes; 0 for a new policy.
  base integer not null,
  -- The canonical text of the next version; null where the policy ends.
  policy text,
  primary key (center_id, policy_id)
);
select countersign.give_tenancy('cell.rule_changes');
create trigger kept before delete on cell.rule_changes for each row execute function countersign.refuse_change();
grant select on cell.rule_changes to cs_api, cs_jobs;
grant select, insert, update on cell.rule_changes to cs_sequencer;

-- Of a policy: since when it exists, whether a decision has waited for it, and the change of it that waits. Of a decision: the
-- changes that take effect with it.
create function cell.load_rule_changes(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(json_build_object('center_id', k.center_id, 'policy_id', k.policy_id,
      'since', (select min(v.created_at) from cell.policy_versions v where v.center_id = k.center_id and v.id = k.policy_id),
      'asked', exists (select from cell.asked_policies a where a.center_id = k.center_id and a.id = k.policy_id),
      'open', exists (select from cell.decision_events e where e.center_id = k.center_id and e.id = c.event_id
        and e.status in ('recorded', 'approved')),
      'event_id', c.event_id, 'base', c.base, 'policy', c.policy))
    from (
      select center_id, policy_id from json_to_recordset(wanted) as w (center_id integer, policy_id uuid) where policy_id is not null
      union
      select c.center_id, c.policy_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)
        join cell.rule_changes c on c.center_id = w.center_id and c.event_id = w.event_id) k
      left join cell.rule_changes c on c.center_id = k.center_id and c.policy_id = k.policy_id);
end $$;

create function cell.write_rule_changes(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.rule_changes (center_id, policy_id, event_id, base, policy)
  select center_id, policy_id, event_id, base, policy
  from json_to_recordset(updated) as c (center_id integer, policy_id uuid, event_id uuid, base integer, policy text)
  on conflict (center_id, policy_id) do update
    set event_id = excluded.event_id, base = excluded.base, policy = excluded.policy;
end $$;
