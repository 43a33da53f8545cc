set local role cs_owner;

-- The passkeys that this center knows, each as its newest entry of the chain `history` leaves it. A row changes only in
-- the batch that seals the entry.
create table cell.passkeys (
  center_id integer,
  id uuid not null,
  actor_id uuid not null,
  key json not null,
  thumbprint text not null,
  backup_eligible boolean not null,
  -- How it was confirmed in this center. `mail` does not count, and `passkey` only if the older key counted here.
  confirmed text not null check (confirmed in ('mail', 'passkey', 'admin', 'partner', 'operator')),
  counts boolean not null,
  removed boolean not null,
  bound_at timestamptz(3) not null,
  -- The hash of the newest entry about it; the next one names it.
  last_entry text not null,
  primary key (center_id, id),
  unique (center_id, thumbprint),
  check (case confirmed when 'mail' then not counts when 'passkey' then true else counts end)
);
create index passkeys_actor on cell.passkeys (center_id, actor_id);
select countersign.give_tenancy('cell.passkeys');
create trigger kept before delete on cell.passkeys for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.passkeys for each statement execute function countersign.refuse_change();
grant select on cell.passkeys to cs_api, cs_jobs;
grant select, insert, update (confirmed, counts, removed, last_entry) on cell.passkeys to cs_sequencer;

-- A row has at most some kilobytes, so no row is too large for a batch.
create function cell.load_passkeys(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(p)) from (
    select p.* from cell.passkeys p join (
      select distinct center_id, id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w using (center_id, id)
    order by p.center_id, p.id for update of p) p);
end $$;

create function cell.write_passkeys(inserted json, updated json) returns void
language plpgsql as $$
begin
  if inserted is not null then
    insert into cell.passkeys (center_id, id, actor_id, key, thumbprint, backup_eligible, confirmed, counts, removed,
      bound_at, last_entry)
    select center_id, id, actor_id, key, thumbprint, backup_eligible, confirmed, counts, removed, bound_at, last_entry
    from json_to_recordset(inserted) as p (
      center_id integer, id uuid, actor_id uuid, key json, thumbprint text, backup_eligible boolean, confirmed text,
      counts boolean, removed boolean, bound_at timestamptz, last_entry text);
  end if;
  if updated is not null then
    update cell.passkeys p set confirmed = u.confirmed, counts = u.counts, removed = u.removed, last_entry = u.last_entry
    from json_to_recordset(updated) as u (
      center_id integer, id uuid, confirmed text, counts boolean, removed boolean, last_entry text)
    where p.center_id = u.center_id and p.id = u.id;
  end if;
end $$;
