set local role cs_owner;

-- A person who has deleted the account stays as an id, for the records that name it: without an address, and nobody again.
alter table directory.actors add column erased_at timestamptz(3),
  add constraint actors_erased_check check (erased_at is null or (email is null and phone is null and not is_operator));
grant update (erased_at) on directory.actors to cs_auth;
grant select (erased_at) on directory.actors to cs_api;
create function directory.refuse_return() returns trigger
language plpgsql as $$
begin
  raise exception 'person % has deleted the account', old.id using errcode = 'check_violation', constraint = 'person_erased';
end $$;
create trigger erased_for_good before update on directory.actors for each row
  when (old.erased_at is not null and (new.erased_at is distinct from old.erased_at
    or new.email is not null or new.phone is not null))
  execute function directory.refuse_return();

create function directory.is_erased(person uuid) returns boolean
language sql stable as $$ select exists (select from directory.actors a where a.id = person and a.erased_at is not null) $$;

-- What ends with the account. Whoever signs in can end no membership of somebody who goes on, and no membership of somebody who
-- is gone begins. After the row, and so after the lock that its foreign key takes: an erasure that was under way is seen.
create function directory.guard_erasure() returns trigger
language plpgsql as $$
begin
  if new.status in ('ENDED', 'REJECTED') then
    if tg_op = 'UPDATE' and current_user = 'cs_auth' and not directory.is_erased(new.actor_id) then
      raise exception 'membership % belongs to a person who goes on', new.id;
    end if;
  elsif directory.is_erased(new.actor_id) then
    raise exception 'person % has deleted the account', new.actor_id
      using errcode = 'check_violation', constraint = 'person_erased';
  end if;
  return null;
end $$;
create trigger guard_erasure after insert or update of status on directory.memberships
  for each row execute function directory.guard_erasure();
create policy erased on directory.memberships for update to cs_auth
  using (true) with check (status in ('ENDED', 'REJECTED') and address is null);
grant update (ended_at) on directory.memberships to cs_auth;
grant update (name) on directory.passkeys to cs_auth;

-- A center keeps an administrator, whoever takes the last one away but the operator. One that is closed, and a sandbox, need none.
create or replace function directory.count_members() returns trigger
language plpgsql as $$
declare
  center constant integer := coalesce(new.center_id, old.center_id);
  was_active constant boolean := tg_op <> 'INSERT' and old.status = 'ACTIVE';
  is_active constant boolean := tg_op <> 'DELETE' and new.status = 'ACTIVE';
  change constant integer := is_active::integer - was_active::integer;
  admins constant integer := (is_active and new.role = 'ADMIN')::integer - (was_active and old.role = 'ADMIN')::integer;
  remaining integer;
  is_kept boolean;
  standing text;
begin
  -- The server locks the center before a membership of it. That lock orders the competition for the last seat, and that of
  -- two administrators who remove each other.
  if change <> 0 then
    update directory.subscriptions set seat_used = seat_used + change where center_id = center returning status into standing;
    if change > 0 and standing in ('SUSPENDED', 'CANCELED') then
      raise exception 'the subscription is %', standing using errcode = 'check_violation', constraint = 'subscription_in_order';
    end if;
  end if;
  if change <> 0 or admins <> 0 then
    update directory.centers set member_count = member_count + change, admin_count = admin_count + admins
      where id = center returning admin_count, not sandbox and status <> 'INACTIVE' into remaining, is_kept;
    if admins < 0 and remaining = 0 and (current_user = 'cs_api' or current_user = 'cs_auth' and is_kept) then
      raise exception 'the last administrator of center %', center using errcode = 'check_violation', constraint = 'last_admin';
    end if;
  end if;
  insert into directory.member_counts as k (center_id, role, status, members)
  select center, role, status, sum(step) from (
    select old.role, old.status, -1 where tg_op <> 'INSERT'
    union all select new.role, new.status, 1 where tg_op <> 'DELETE') steps (role, status, step)
  group by role, status having sum(step) <> 0 order by role, status
  on conflict (center_id, role, status) do update set members = k.members + excluded.members;
  return null;
end $$;

-- A partner keeps an administrator, whoever takes the last one away. The lock orders two who leave or are lowered at once.
create function directory.keep_partner_admin() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('directory.partner_accounts ' || old.partner_id));
  if not exists (select from directory.partner_accounts
    where partner_id = old.partner_id and role = 'PARTNER_ADMIN' and actor_id <> old.actor_id) then
    raise exception 'the last administrator of partner %', old.partner_id
      using errcode = 'check_violation', constraint = 'last_partner_admin';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger keep_partner_admin before delete on directory.partner_accounts for each row
  when (old.role = 'PARTNER_ADMIN' and current_user in ('cs_api', 'cs_auth'))
  execute function directory.keep_partner_admin();
grant delete on directory.partner_accounts to cs_auth;
grant delete on directory.credentials to cs_auth;

alter table directory.sessions drop constraint sessions_revoke_reason_check, add constraint sessions_revoke_reason_check
  check (revoke_reason in ('logout', 'switch', 'reuse', 'password', 'operator', 'unlinked', 'erased'));
