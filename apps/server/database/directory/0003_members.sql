set local role cs_owner;

create table directory.memberships (
  center_id integer references directory.centers,
  id uuid not null,
  actor_id uuid not null references directory.actors,
  role text not null check (role in ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD')),
  status text not null check (status in ('INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED')),
  invited_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (center_id, id),
  unique (center_id, actor_id)
);
create index memberships_actor on directory.memberships (actor_id);
select countersign.give_tenancy('directory.memberships');
create policy sign_in on directory.memberships for select to cs_auth using (true);
-- Accepting an invitation by its token, before sign-in.
create policy entry on directory.memberships for update to cs_auth
  using (true) with check (status in ('PENDING', 'ACTIVE'));
create policy operator on directory.memberships to cs_operator using (true) with check (true);
-- A person sees the own memberships in every center, and accepts an invitation there.
create policy own on directory.memberships for select to cs_api
  using (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid);
create policy accept_own on directory.memberships for update to cs_api
  using (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and status = 'INVITED')
  with check (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and status = 'PENDING');
grant select, insert, update (status, ended_at) on directory.memberships to cs_api;
grant select, update (status) on directory.memberships to cs_auth;
grant select, insert, update on directory.memberships to cs_operator;

create policy member on directory.centers for select to cs_api using (
  exists (select from directory.memberships m where m.center_id = centers.id
    and m.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid));
-- The names of the people in the current center.
create policy same_center on directory.actors for select to cs_api using (
  exists (select from directory.memberships m where m.actor_id = actors.id
    and m.center_id = nullif(current_setting('app.center_id', true), '')::integer));

create table directory.instructor_profiles (
  center_id integer,
  actor_id uuid not null,
  specialties text[] not null default '{}',
  -- Null means the opening hours of the center.
  hours jsonb,
  primary key (center_id, actor_id),
  foreign key (center_id, actor_id) references directory.memberships (center_id, actor_id)
);
select countersign.give_tenancy('directory.instructor_profiles');
create policy operator on directory.instructor_profiles to cs_operator using (true) with check (true);
grant select, insert, update on directory.instructor_profiles to cs_api, cs_operator;

create table directory.invitations (
  hash bytea primary key check (length(hash) = 32),
  center_id integer not null,
  membership_id uuid not null,
  -- If true, acceptance makes the membership ACTIVE.
  approved boolean not null,
  expires_at timestamptz(3) not null,
  foreign key (center_id, membership_id) references directory.memberships (center_id, id)
);
create index invitations_expiry on directory.invitations (expires_at);
alter table directory.invitations enable row level security, force row level security;
create policy entry on directory.invitations to cs_auth using (true) with check (true);
create policy expired on directory.invitations to cs_jobs using (expires_at < now());
create policy invite on directory.invitations for insert to cs_api
  with check (center_id = nullif(current_setting('app.center_id', true), '')::integer);
create policy operator on directory.invitations for insert to cs_operator with check (true);
grant insert on directory.invitations to cs_api, cs_operator;
grant select, delete on directory.invitations to cs_auth, cs_jobs;

create table directory.subscriptions (
  center_id integer primary key references directory.centers,
  plan_id text not null references directory.plans,
  status text not null check (status in ('ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED')),
  billing_cycle text not null check (billing_cycle in ('MONTHLY', 'YEARLY')),
  current_period_end timestamptz(3) not null,
  seat_limit integer not null,
  seat_used integer not null default 0 check (seat_used >= 0),
  -- Of two transactions that take the last seat, the second one violates this constraint.
  constraint seats_within_limit check (seat_used <= seat_limit)
);
select countersign.give_tenancy('directory.subscriptions');
create policy operator on directory.subscriptions to cs_operator using (true) with check (true);
-- Accepting an invitation takes a seat.
create policy seats_seen on directory.subscriptions for select to cs_auth using (true);
create policy seats on directory.subscriptions for update to cs_auth using (true) with check (true);
grant select, insert, update (plan_id, status, current_period_end, seat_limit, seat_used) on directory.subscriptions
  to cs_api;
grant select, update (seat_used) on directory.subscriptions to cs_auth;
grant select, insert, update on directory.subscriptions to cs_operator;

-- Maintains seat_used and member_count.
create function directory.count_members() returns trigger
language plpgsql as $$
declare
  center constant integer := coalesce(new.center_id, old.center_id);
  change constant integer :=
    (case when tg_op <> 'DELETE' and new.status = 'ACTIVE' then 1 else 0 end)
    - (case when tg_op <> 'INSERT' and old.status = 'ACTIVE' then 1 else 0 end);
  standing text;
begin
  if change <> 0 then
    -- Every transaction locks the subscription first; its row lock orders the competition for the last seat.
    update directory.subscriptions set seat_used = seat_used + change where center_id = center returning status into standing;
    if change > 0 and standing in ('SUSPENDED', 'CANCELED') then
      raise exception 'the subscription is %', standing using errcode = 'check_violation', constraint = 'subscription_in_order';
    end if;
    update directory.centers set member_count = member_count + change where id = center;
  end if;
  return null;
end $$;
create trigger count_members after insert or delete or update of status on directory.memberships
  for each row execute function directory.count_members();

-- An actor and the actors with the same verified email or phone: one hop, not transitive.
create function directory.family_of(signed_in uuid) returns setof uuid
language sql stable as $$
  select signed_in
  union
  select other.id from directory.actors self
    join directory.actors other on other.email = self.email
    where self.id = signed_in and self.email_verified_at is not null and other.email_verified_at is not null
  union
  select other.id from directory.actors self
    join directory.actors other on other.phone = self.phone
    where self.id = signed_in and self.phone_verified_at is not null and other.phone_verified_at is not null
$$;

-- The memberships of this family. This is the only place that decides which centers an actor may enter. Of several
-- memberships in one center it returns the one with the better status.
create function directory.family_memberships(signed_in uuid)
returns table (
  membership_id uuid, center_id integer, center_name text, center_domain text, center_status text, center_cell text,
  custom_domain text, role text, status text, invited_at timestamptz, ended_at timestamptz
)
language sql stable as $$
  select distinct on (m.center_id)
    m.id, m.center_id, c.name, c.domain, c.status, c.cell,
    c.settings #>> '{branding,customDomain}', m.role, m.status, m.invited_at, m.ended_at
  from directory.family_of(signed_in) as family (id)
  join directory.memberships m on m.actor_id = family.id
  join directory.centers c on c.id = m.center_id
  order by m.center_id,
    array_position(array['ACTIVE', 'SUSPENDED', 'PENDING', 'INVITED', 'ENDED', 'REJECTED'], m.status),
    (m.actor_id = signed_in) desc,
    array_position(array['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'], m.role)
$$;
