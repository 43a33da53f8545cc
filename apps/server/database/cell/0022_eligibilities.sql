set local role cs_owner;

-- Memberships that may approve, or could once, each as its newest entry of the chain `history` leaves it. A row changes only in
-- the batch that seals the entry; an approval reads it in its own.
create table cell.eligibilities (
  center_id integer,
  -- The membership.
  id uuid not null,
  actor_id uuid not null,
  role text not null,
  active boolean not null,
  -- Everybody who cannot confirm it: whoever made the change, under all of their accounts, and, while they did not count
  -- themselves, whoever made them.
  makers uuid[] not null,
  -- The newest entry about it, and from when it counts for approvals; null while it is not active.
  since_index bigint not null,
  since_at timestamptz(3) not null,
  counts_from timestamptz(3),
  confirmed_by text,
  -- The change of the directory that it is from; an older one is not sealed again.
  change_id bigint not null,
  last_entry text not null,
  primary key (center_id, id),
  check (active = (counts_from is not null))
);
create index eligibilities_actor on cell.eligibilities (center_id, actor_id);
create index eligibilities_counting on cell.eligibilities (center_id, counts_from);
select countersign.give_tenancy('cell.eligibilities');
create trigger kept before delete on cell.eligibilities for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.eligibilities for each statement execute function countersign.refuse_change();
grant select on cell.eligibilities to cs_api, cs_jobs;
grant select, insert, update (actor_id, role, active, makers, since_index, since_at, counts_from, confirmed_by, change_id,
  last_entry) on cell.eligibilities to cs_sequencer;

-- By membership or by person. Both chains are held by whoever changes one, so the rows need no lock of their own.
create function cell.load_eligibilities(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(e)) from (
    select e.* from json_to_recordset(wanted) as w (center_id integer, id uuid)
      join cell.eligibilities e on e.center_id = w.center_id and e.id = w.id
    union
    select e.* from json_to_recordset(wanted) as w (center_id integer, actor_id uuid)
      join cell.eligibilities e on e.center_id = w.center_id and e.actor_id = w.actor_id) e);
end $$;

-- A row that one batch makes and changes is in both lists.
create function cell.write_eligibilities(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.eligibilities (center_id, id, actor_id, role, active, makers, since_index, since_at, counts_from,
      confirmed_by, change_id, last_entry)
    select center_id, id, actor_id, role, active, makers, since_index, since_at, counts_from, confirmed_by, change_id, last_entry
    from json_to_recordset(inserted) as i (
      center_id integer, id uuid, actor_id uuid, role text, active boolean, makers uuid[], since_index bigint,
      since_at timestamptz, counts_from timestamptz, confirmed_by text, change_id bigint, last_entry text);
  end if;
  if updated is not null then
    update cell.eligibilities e set actor_id = u.actor_id, role = u.role, active = u.active, makers = u.makers,
      since_index = u.since_index, since_at = u.since_at, counts_from = u.counts_from, confirmed_by = u.confirmed_by,
      change_id = u.change_id, last_entry = u.last_entry
    from json_to_recordset(updated) as u (
      center_id integer, id uuid, actor_id uuid, role text, active boolean, makers uuid[], since_index bigint,
      since_at timestamptz, counts_from timestamptz, confirmed_by text, change_id bigint, last_entry text)
    where e.center_id = u.center_id and e.id = u.id;
  end if;
end $$;
