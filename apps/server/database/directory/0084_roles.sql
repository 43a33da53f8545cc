set local role cs_owner;

-- A membership has a set of roles. `role` stays its highest one; the database keeps the two together, whichever a statement sets.
create function directory.in_order(given text[]) returns text[]
language sql immutable as $$
  select array_agg(each order by array_position(array['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'], each), each)
  from (select distinct unnest(given) as each) roles
$$;

-- The roles of a membership by which its person may approve.
create function directory.approving(roles text[], status text) returns text[]
language sql immutable as $$
  select case when status = 'ACTIVE' then array_remove(array_remove(roles, 'PARENT'), 'CHILD') else '{}' end
$$;

alter table directory.memberships add roles text[];
alter table directory.memberships no force row level security;
update directory.memberships set roles = array[role];
alter table directory.memberships force row level security;
alter table directory.memberships
  alter roles set default '{}',
  alter roles set not null,
  add constraint memberships_roles check (
    cardinality(roles) > 0 and roles <@ array['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD']
    and roles = directory.in_order(roles) and role = roles[1]);
grant update (roles) on directory.memberships to cs_api;

-- A statement that sets `role` alone sets the set to that one. An empty set is that default, and no change makes one.
create function directory.align_roles() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if cardinality(new.roles) = 0 then new.roles := array[new.role]; end if;
  elsif new.roles = old.roles and new.role <> old.role then
    new.roles := array[new.role];
  end if;
  new.roles := directory.in_order(new.roles);
  new.role := new.roles[1];
  return new;
end $$;
-- Triggers run in the order of their names: those below see both columns.
create trigger align_roles before insert or update of role, roles on directory.memberships
  for each row execute function directory.align_roles();

-- A page of the list by a role: a membership is in the index of each role that it has.
drop index directory.memberships_by_role, directory.memberships_by_both;
create index memberships_of_admins on directory.memberships (center_id, name, id) where 'ADMIN' = any (roles);
create index memberships_of_instructors on directory.memberships (center_id, name, id) where 'INSTRUCTOR' = any (roles);
create index memberships_of_parents on directory.memberships (center_id, name, id) where 'PARENT' = any (roles);
create index memberships_of_children on directory.memberships (center_id, name, id) where 'CHILD' = any (roles);
create index memberships_of_admins_by_status on directory.memberships (center_id, status, name, id)
  where 'ADMIN' = any (roles);
create index memberships_of_instructors_by_status on directory.memberships (center_id, status, name, id)
  where 'INSTRUCTOR' = any (roles);
create index memberships_of_parents_by_status on directory.memberships (center_id, status, name, id)
  where 'PARENT' = any (roles);
create index memberships_of_children_by_status on directory.memberships (center_id, status, name, id)
  where 'CHILD' = any (roles);

-- `also`: memberships that have this role beside a higher one, by which they are counted once more.
alter table directory.member_counts
  add also boolean not null default false,
  drop constraint member_counts_pkey,
  add primary key (center_id, role, status, also);

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
  insert into directory.member_counts as k (center_id, role, status, also, members)
  select center, role, status, also, sum(step) from (
    select each, old.status, each <> old.role, -1 from unnest(old.roles) each where tg_op <> 'INSERT'
    union all select each, new.status, each <> new.role, 1 from unnest(new.roles) each where tg_op <> 'DELETE'
  ) steps (role, status, also, step)
  group by role, status, also having sum(step) <> 0 order by role, status, also
  on conflict (center_id, role, status, also) do update set members = k.members + excluded.members;
  return null;
end $$;
drop trigger count_members on directory.memberships;
create trigger count_members after insert or delete or update of role, roles, status on directory.memberships
  for each row execute function directory.count_members();
-- Whoever is an ADMIN or an INSTRUCTOR among other roles has one of them as the highest.
drop trigger count_staff on directory.memberships;
create trigger count_staff after insert or delete or update of role, roles, status on directory.memberships
  for each row execute function directory.count_staff();

-- Who accepts an invitation does not make the membership; who changes the own roles does.
create or replace function directory.note_maker() returns trigger
language plpgsql as $$
declare
  setting constant text := coalesce(current_setting('app.actor_id', true), '');
begin
  if current_user = 'cs_operator' then
    new.made_by := null;
  elsif setting ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and (setting <> new.actor_id::text or (tg_op = 'UPDATE' and new.roles is distinct from old.roles)) then
    new.made_by := setting::uuid;
  end if;
  return new;
end $$;
drop trigger note_maker on directory.memberships;
create trigger note_maker before insert or update of role, roles, status on directory.memberships
  for each row execute function directory.note_maker();

-- All roles by which a member could approve in the last month and that they lost since: otherwise two changes, of which the second
-- takes the lesser role, would make the other ADMIN the only one who ever was.
alter table directory.memberships add was_roles text[];
alter table directory.memberships no force row level security;
update directory.memberships set was_roles = array[was_role] where was_role is not null;
alter table directory.memberships force row level security;
create or replace function directory.remember_role() returns trigger
language plpgsql as $$
begin
  new.was_roles := directory.in_order(directory.approving(old.roles, old.status)
    || case when old.was_until > now() - interval '30 days' then old.was_roles else '{}' end);
  new.was_until := now();
  return new;
end $$;
drop trigger remember_role on directory.memberships;
create trigger remember_role before update of role, roles, status on directory.memberships for each row
  when (not directory.approving(old.roles, old.status) <@ directory.approving(new.roles, new.status))
  execute function directory.remember_role();
alter table directory.memberships drop was_role;

-- Which roles the change leaves. Null: as `role` says, in a row from before this file.
alter table directory.member_changes add roles text[];
create or replace function directory.note_member() returns trigger
language plpgsql as $$
declare
  are constant text[] := directory.approving(new.roles, new.status);
  were constant text[] := case when tg_op = 'UPDATE' then directory.approving(old.roles, old.status) else '{}' end;
begin
  if are = were then return null; end if;
  insert into directory.member_changes (center_id, membership_id, actor_id, action, role, roles, status, made_by)
  values (new.center_id, new.id, new.actor_id,
    case when are = '{}' then 'removed' when were = '{}' then 'admitted' else 'role' end, new.role, are, new.status, new.made_by);
  return null;
end $$;
drop trigger note_member on directory.memberships;
create trigger note_member after update of role, roles, status on directory.memberships
  for each row execute function directory.note_member();

-- As before, with the roles. Of two active memberships the one with the lesser role is the stricter one, and of two with the same
-- highest role the one with fewer roles.
drop function directory.family_memberships(uuid);
create function directory.family_memberships(signed_in uuid)
returns table (
  membership_id uuid, center_id integer, center_name text, center_domain text, center_status text, center_cell text,
  custom_domain text, partner_id uuid, role text, status text, invited_at timestamptz, ended_at timestamptz, roles text[]
)
language sql stable as $$
  select distinct on (m.center_id)
    m.id, m.center_id, c.name, c.domain, c.status, c.cell,
    (select d.domain from directory.domains d where d.center_id = c.id and d.purpose = 'site' and d.proven_at is not null
      and d.domain = c.custom_domain), c.partner_id, m.role, m.status, m.invited_at, m.ended_at, m.roles
  from directory.family_of(signed_in) as family (id)
  join directory.memberships m on m.actor_id = family.id
  join directory.centers c on c.id = m.center_id
  order by m.center_id,
    array_position(array['ENDED', 'SUSPENDED', 'ACTIVE', 'PENDING', 'INVITED', 'REJECTED'], m.status),
    array_position(array['CHILD', 'PARENT', 'INSTRUCTOR', 'ADMIN'], m.role), cardinality(m.roles),
    (m.actor_id = signed_in) desc
$$;
