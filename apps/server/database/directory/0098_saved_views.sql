set local role cs_owner;

-- Searches of decisions under a name: of one member, or without an owner, of everybody on the center's staff.
create table directory.saved_views (
  center_id integer,
  id uuid not null,
  owner_id uuid references directory.actors,
  name text not null check (length(name) between 1 and 80),
  -- What makes two names one: letters in their plain form, no invisible characters, one space for many.
  name_key text not null generated always as (
    lower(btrim(regexp_replace(regexp_replace(normalize(name, NFKC), '[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]', '', 'g'), '\s+', ' ', 'g')))
  ) stored check (name_key <> ''),
  filters json not null check (json_typeof(filters) = 'object' and octet_length(filters::text) <= 2048),
  updated_at timestamptz(3) not null,
  primary key (center_id, id),
  constraint saved_views_name unique nulls not distinct (center_id, owner_id, name_key)
);
select countersign.give_tenancy('directory.saved_views');
create policy entry on directory.saved_views to cs_auth using (true) with check (true);
create policy operator on directory.saved_views to cs_operator using (true) with check (true);
grant select, insert, delete, update (name, filters, updated_at) on directory.saved_views to cs_api;
grant select, delete on directory.saved_views to cs_auth, cs_operator;

-- Each owner has at most 50, and so does the center. The lock orders those who save at once; after the row, and so after the lock of
-- its foreign key: an erasure that was under way is seen.
create function directory.limit_views() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('directory.saved_views ' || coalesce(new.owner_id::text, '')), new.center_id);
  if (select count(*) from directory.saved_views v
    where v.center_id = new.center_id and v.owner_id is not distinct from new.owner_id) > 50 then
    raise exception 'too many views in center %', new.center_id
      using errcode = 'check_violation', constraint = 'saved_views_limit';
  end if;
  if new.owner_id is not null and directory.is_erased(new.owner_id) then
    raise exception 'person % has deleted the account', new.owner_id
      using errcode = 'check_violation', constraint = 'person_erased';
  end if;
  return null;
end $$;
create trigger limit_views after insert on directory.saved_views for each row execute function directory.limit_views();

-- A member's own views end with the membership, however it ends. The center's stay.
create function directory.forget_views() returns trigger
language plpgsql as $$
begin
  delete from directory.saved_views where center_id = new.center_id and owner_id = new.actor_id;
  return null;
end $$;
create trigger forget_views after update of status on directory.memberships for each row
  when (new.status in ('ENDED', 'REJECTED') and new.actor_id is not null)
  execute function directory.forget_views();
