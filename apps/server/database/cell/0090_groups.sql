set local role cs_owner;

-- Groups of people, each as its newest entry of the chain `history` leaves it. A row changes only in the batch that seals the
-- entry; an approval reads it in its own.
create table cell.groups (
  center_id integer,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- `{actorId, countsFrom, since}` of each, by actor ID. `since` is the index of the entry by which the person counts.
  -- None once the group has ended.
  people json not null check (json_typeof(people) = 'array' and json_array_length(people) <= 200),
  -- Everybody who cannot confirm the people who do not count yet: whoever added them, under all of their accounts, and, while
  -- they did not count themselves, whoever made them.
  makers uuid[] not null,
  ended boolean not null,
  -- The newest entry about it.
  changed_index bigint not null,
  changed_at timestamptz(3) not null,
  last_entry text not null,
  primary key (center_id, id),
  check (not ended or json_array_length(people) = 0)
);
create index groups_standing on cell.groups (center_id) where not ended;
select countersign.give_tenancy('cell.groups');
create trigger kept before delete on cell.groups for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.groups for each statement execute function countersign.refuse_change();
grant select on cell.groups to cs_api, cs_jobs;
grant select, insert, update (name, people, makers, ended, changed_index, changed_at, last_entry) on cell.groups to cs_sequencer;

-- All of a center that have not ended; no row is too large for a batch. Both chains are held by whoever changes one, so the
-- rows need no lock of their own.
create function cell.load_groups(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(g))
    from (select distinct center_id from json_to_recordset(wanted) as w (center_id integer)) w
      join cell.groups g using (center_id)
    where not g.ended);
end $$;

-- A row that one batch makes and changes is in both lists.
create function cell.write_groups(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.groups (center_id, id, name, people, makers, ended, changed_index, changed_at, last_entry)
    select center_id, id, name, people, makers, ended, changed_index, changed_at, last_entry
    from json_to_recordset(inserted) as i (
      center_id integer, id uuid, name text, people json, makers uuid[], ended boolean, changed_index bigint,
      changed_at timestamptz, last_entry text);
  end if;
  if updated is not null then
    update cell.groups g set name = u.name, people = u.people, makers = u.makers, ended = u.ended,
      changed_index = u.changed_index, changed_at = u.changed_at, last_entry = u.last_entry
    from json_to_recordset(updated) as u (
      center_id integer, id uuid, name text, people json, makers uuid[], ended boolean, changed_index bigint,
      changed_at timestamptz, last_entry text)
    where g.center_id = u.center_id and g.id = u.id;
  end if;
end $$;
