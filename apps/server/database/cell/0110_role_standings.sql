set local role cs_owner;

-- From when each role of a membership counts, and by which entry. Null where it has one role at most and the columns say all of it:
-- `since_index`, `counts_from`, `makers` and `confirmed_by`. With several roles these columns are of the newest entry, and
-- `counts_from` is of `role`, the highest one.
alter table cell.eligibilities add standings jsonb;
grant insert (standings), update (standings) on cell.eligibilities to cs_sequencer;

create or replace function cell.write_eligibilities(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.eligibilities (center_id, id, actor_id, role, active, makers, since_index, since_at, counts_from,
      confirmed_by, standings, change_id, last_entry)
    select center_id, id, actor_id, role, active, makers, since_index, since_at, counts_from, confirmed_by, standings, change_id,
      last_entry
    from json_to_recordset(inserted) as i (
      center_id integer, id uuid, actor_id uuid, role text, active boolean, makers uuid[], since_index bigint,
      since_at timestamptz, counts_from timestamptz, confirmed_by text, standings jsonb, change_id bigint, last_entry text);
  end if;
  if updated is not null then
    update cell.eligibilities e set actor_id = u.actor_id, role = u.role, active = u.active, makers = u.makers,
      since_index = u.since_index, since_at = u.since_at, counts_from = u.counts_from, confirmed_by = u.confirmed_by,
      standings = u.standings, change_id = u.change_id, last_entry = u.last_entry
    from json_to_recordset(updated) as u (
      center_id integer, id uuid, actor_id uuid, role text, active boolean, makers uuid[], since_index bigint,
      since_at timestamptz, counts_from timestamptz, confirmed_by text, standings jsonb, change_id bigint, last_entry text)
    where e.center_id = u.center_id and e.id = u.id;
  end if;
end $$;
