set local role cs_owner;

-- Who gave the membership its role or its status last: whoever invited, approved, reinstated or changed it. Accepting an
-- invitation does not make the person concerned the maker. Null: the operator, a partner, or a version before this one.
alter table directory.memberships add made_by uuid;

create function directory.note_maker() returns trigger
language plpgsql as $$
declare
  setting constant text := coalesce(current_setting('app.actor_id', true), '');
begin
  if current_user = 'cs_operator' then
    new.made_by := null;
  elsif setting ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and setting <> new.actor_id::text then
    new.made_by := setting::uuid;
  end if;
  return new;
end $$;
create trigger note_maker before insert or update of role, status on directory.memberships
  for each row execute function directory.note_maker();

create function directory.may_approve(role text, status text) returns boolean
language sql immutable as $$ select status = 'ACTIVE' and role in ('ADMIN', 'INSTRUCTOR') $$;

-- The outbox to the cells: every membership that begins or ceases to give a right to approve, or gives another one. One row for
-- each change: a role that is raised and lowered again leaves two entries. A row is deleted when its center has sealed it.
create table directory.member_changes (
  id bigint generated always as identity primary key,
  center_id integer not null references directory.centers,
  membership_id uuid not null,
  actor_id uuid not null,
  -- `existing`: it was ACTIVE when this file was applied.
  action text not null check (action in ('admitted', 'role', 'removed', 'existing')),
  role text not null,
  status text not null,
  made_by uuid,
  -- Null: at once. A center that could not seal is tried again later.
  next_at timestamptz(3)
);
create index member_changes_center on directory.member_changes (center_id, id);

alter table directory.memberships no force row level security;
alter table directory.centers no force row level security;
insert into directory.member_changes (center_id, membership_id, actor_id, action, role, status)
select m.center_id, m.id, m.actor_id, 'existing', m.role, m.status
from directory.memberships m join directory.centers c on c.id = m.center_id
where directory.may_approve(m.role, m.status) and c.status <> 'INACTIVE'
order by m.center_id, m.id;
alter table directory.centers force row level security;
alter table directory.memberships force row level security;

alter table directory.member_changes enable row level security, force row level security;
create policy sign_in on directory.member_changes to cs_auth using (true) with check (true);
create policy noted on directory.member_changes for insert to cs_api, cs_operator with check (true);
grant insert on directory.member_changes to cs_api, cs_operator;
grant select, insert, update (next_at), delete on directory.member_changes to cs_auth;

create function directory.note_member() returns trigger
language plpgsql as $$
declare
  is_now constant boolean := directory.may_approve(new.role, new.status);
  was constant boolean := tg_op = 'UPDATE' and directory.may_approve(old.role, old.status);
begin
  if is_now = was and (not is_now or new.role = old.role) then return null; end if;
  insert into directory.member_changes (center_id, membership_id, actor_id, action, role, status, made_by)
  values (new.center_id, new.id, new.actor_id,
    case when not is_now then 'removed' when was then 'role' else 'admitted' end, new.role, new.status, new.made_by);
  return null;
end $$;
create trigger note_new_member after insert on directory.memberships
  for each row execute function directory.note_member();
create trigger note_member after update of role, status on directory.memberships
  for each row execute function directory.note_member();
