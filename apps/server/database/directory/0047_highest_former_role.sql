set local role cs_owner;

-- Of the roles that a member lost in the last month, the highest one stays: otherwise two changes, first to INSTRUCTOR and then to
-- SUSPENDED, would make the other ADMIN the only one who ever was.
create or replace function directory.remember_role() returns trigger
language plpgsql as $$
begin
  if old.was_role = 'ADMIN' and old.role <> 'ADMIN' and old.was_until > now() - interval '30 days' then
    return new;
  end if;
  new.was_role := old.role;
  new.was_until := now();
  return new;
end $$;
