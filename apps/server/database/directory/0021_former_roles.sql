set local role cs_owner;

-- The role that a member of staff lost last, and when. Whoever could approve a month ago still counts as somebody who could,
-- so that nobody is alone by suspending a colleague.
alter table directory.memberships add was_role text, add was_until timestamptz(3);

create function directory.remember_role() returns trigger
language plpgsql as $$
begin
  new.was_role := old.role;
  new.was_until := now();
  return new;
end $$;
create trigger remember_role before update of role, status on directory.memberships for each row
  when (old.status = 'ACTIVE' and old.role in ('ADMIN', 'INSTRUCTOR') and (new.status, new.role) is distinct from (old.status, old.role))
  execute function directory.remember_role();
