set local role cs_owner;

-- Sealed decisions that somebody approved in an emergency: until when the lines can confirm it, and what became of it. A batch that
-- changes one holds the chain `history`, as whoever consumes the decision does.
create table cell.emergencies (
  center_id integer,
  event_id uuid not null,
  -- Everybody who counts as having used it: the accounts, and the member on whose behalf a deputy did.
  used_by text[] not null,
  -- The places of the lines that they filled, in their order, those of others in the same lines too, with the ids of each person.
  places json not null,
  confirm_by timestamptz(3) not null,
  state text not null check (state in ('open', 'confirmed', 'objected', 'unconfirmed')),
  state_at timestamptz(3),
  state_index bigint,
  closed_by text,
  closed_at timestamptz(3),
  closed_index bigint,
  close_reason text check (length(close_reason) between 1 and 500),
  -- After how many confirmations those whose turn it is were noted as to be told; null before.
  told integer,
  -- Whether the administrators were mailed about its state.
  mailed boolean not null default true,
  primary key (center_id, event_id),
  check ((state = 'open') = (num_nonnulls(state_at, state_index) = 0) and num_nonnulls(state_at, state_index) in (0, 2)),
  check (num_nonnulls(closed_by, closed_at, closed_index, close_reason) in (0, 4)),
  check (closed_at is null or state in ('objected', 'unconfirmed'))
);
-- What is still to be confirmed, and what keeps somebody from giving another one.
create index emergencies_open on cell.emergencies (center_id, confirm_by) where state = 'open';
create index emergencies_pending on cell.emergencies (center_id) where state <> 'confirmed' and closed_at is null;
create index emergencies_unmailed on cell.emergencies (center_id) where not mailed;
select countersign.give_tenancy('cell.emergencies');
create policy survey on cell.emergencies for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create trigger kept before delete on cell.emergencies for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.emergencies for each statement execute function countersign.refuse_change();
-- What was written stays: an update adds a state, then a closing.
create trigger written_once before update on cell.emergencies for each row
  when ((old.center_id, old.event_id, old.used_by, old.places::text, old.confirm_by)
      is distinct from (new.center_id, new.event_id, new.used_by, new.places::text, new.confirm_by)
    or (old.state <> 'open' and (old.state, old.state_at, old.state_index)
      is distinct from (new.state, new.state_at, new.state_index))
    or (old.closed_at is not null and (old.closed_by, old.closed_at, old.closed_index, old.close_reason)
      is distinct from (new.closed_by, new.closed_at, new.closed_index, new.close_reason)))
  execute function countersign.refuse_change();
grant select on cell.emergencies to cs_api, cs_jobs;
grant update (told, mailed) on cell.emergencies to cs_jobs;
grant select, insert, update (state, state_at, state_index, closed_by, closed_at, closed_index, close_reason, mailed)
  on cell.emergencies to cs_sequencer;

-- Each confirmation, and the objection. What was said is in the entry of the chain `history` alone.
create table cell.confirmations (
  center_id integer,
  event_id uuid not null,
  position smallint not null,
  result text not null check (result in ('confirmed', 'objected')),
  -- The member, and the one on whose behalf they confirmed as a deputy.
  by_actor text not null,
  on_behalf_of text,
  level text not null check (level in ('session', 'passkey')),
  -- Those that it fills, as in cell.approvals; empty for an objection.
  places json not null,
  at timestamptz(3) not null,
  history_index bigint not null,
  primary key (center_id, event_id, position)
);
select countersign.give_tenancy('cell.confirmations');
select countersign.make_append_only('cell.confirmations');
grant select on cell.confirmations to cs_api, cs_jobs;
grant select, insert on cell.confirmations to cs_sequencer;

-- By decision, or those of a person that are not settled.
create function cell.load_emergencies(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(x)) from (
    select e.center_id, e.event_id, e.used_by, e.places, e.confirm_by, e.state, e.state_at, e.state_index, e.closed_by,
      e.closed_at, e.closed_index, e.close_reason,
      (select coalesce(json_agg(row_to_json(c) order by c.position), '[]') from cell.confirmations c
        where c.center_id = e.center_id and c.event_id = e.event_id) as confirmations
    from cell.emergencies e
    where (e.center_id, e.event_id) in (
      select w.center_id, w.event_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)
      where w.event_id is not null
      union
      select p.center_id, p.event_id
      from json_to_recordset(wanted) as w (center_id integer, person text)
        join cell.emergencies p on p.center_id = w.center_id and w.person = any (p.used_by)
      where p.state <> 'confirmed' and p.closed_at is null)) x);
end $$;

-- The unit of each decision names its newest change.
create function cell.write_emergencies(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.emergencies (center_id, event_id, used_by, places, confirm_by, state)
  select center_id, event_id, used_by, places, confirm_by, state
  from json_to_recordset(inserted) as e (
    center_id integer, event_id uuid, used_by text[], places json, confirm_by timestamptz, state text);
  if updated is null then return; end if;
  insert into cell.confirmations (center_id, event_id, position, result, by_actor, on_behalf_of, level, places, at, history_index)
  select c.center_id, c.event_id, c.position, c.result, c.by_actor, c.on_behalf_of, c.level, c.places, c.at, c.history_index
  from json_to_recordset(updated) as u (confirmations json)
    cross join lateral json_to_recordset(u.confirmations) as c (
      center_id integer, event_id uuid, position smallint, result text, by_actor text, on_behalf_of text, level text,
      places json, at timestamptz, history_index bigint)
  on conflict do nothing;
  update cell.emergencies e set state = u.state, state_at = u.state_at, state_index = u.state_index, closed_by = u.closed_by,
    closed_at = u.closed_at, closed_index = u.closed_index, close_reason = u.close_reason,
    mailed = e.mailed and (e.state = u.state or u.state = 'confirmed')
  from json_to_recordset(updated) as u (
    center_id integer, event_id uuid, state text, state_at timestamptz, state_index bigint, closed_by text,
    closed_at timestamptz, closed_index bigint, close_reason text)
  where e.center_id = u.center_id and e.event_id = u.event_id;
  update cell.dpus d set updated_at = n.sealed_at::timestamptz, last_change = n.hash
  from (select center_id, event_id from json_to_recordset(updated) as u (center_id integer, event_id uuid)) w
    cross join lateral cell.newest_change(w.center_id, w.event_id) n
  where d.center_id = w.center_id and d.id = w.event_id and d.last_change is distinct from n.hash;
end $$;
