set local role cs_owner;

create table directory.memberships (
  center_id integer references directory.centers,
  id uuid not null,
  actor_id uuid not null references directory.actors,
  role text not null check (role in ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD')),
  status text not null check (status in ('INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED')),
  invited_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- What the center knows of the person. Until they accept, that is what the inviter sent.
  name text not null default '',
  address text check (address = lower(address)),
  accepted boolean not null default true,
  -- How drafts of workflows call the person.
  label text not null generated always as (right(actor_id::text, 8)) stored,
  primary key (center_id, id),
  -- A person has one membership in a center, whatever its status.
  unique (center_id, actor_id),
  constraint memberships_address_key unique (center_id, address)
);
create index memberships_by_label on directory.memberships (center_id, label);
create index memberships_actor on directory.memberships (actor_id);
-- A page of the list, by each filter and by both.
create index memberships_by_name on directory.memberships (center_id, name, id);
create index memberships_by_role on directory.memberships (center_id, role, name, id);
create index memberships_by_status on directory.memberships (center_id, status, name, id);
create index memberships_by_both on directory.memberships (center_id, role, status, name, id);
select countersign.give_tenancy('directory.memberships');
create policy sign_in on directory.memberships for select to cs_auth using (true);
-- Accepting an invitation by its token, before sign-in.
create policy entry on directory.memberships for update to cs_auth
  using (true) with check (status in ('PENDING', 'ACTIVE'));
create policy operator on directory.memberships to cs_operator using (true) with check (true);
-- A person sees the own memberships in every center.
create policy own on directory.memberships for select to cs_api
  using (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid);
grant select, insert, update (role, status, invited_at, ended_at, name, address, accepted) on directory.memberships to cs_api;
grant select, update (status, name, address, accepted) on directory.memberships to cs_auth;
grant select, insert, update on directory.memberships to cs_operator;

create policy member on directory.centers for select to cs_api using (
  exists (select from directory.memberships m where m.center_id = centers.id
    and m.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid));
-- The names of the people in the current center.
create policy same_center on directory.actors for select to cs_api using (
  exists (select from directory.memberships m where m.actor_id = actors.id
    and m.center_id = nullif(current_setting('app.center_id', true), '')::integer));

-- A membership that is added without an invitation has the name and the address of the person.
create function directory.describe_member() returns trigger
language plpgsql as $$
declare
  person record;
begin
  if new.name = '' then
    select a.name, a.email into person from directory.actors a where a.id = new.actor_id;
    new.name := person.name;
    new.address := person.email;
  end if;
  return new;
end $$;
create trigger describe_member before insert on directory.memberships
  for each row execute function directory.describe_member();

-- The number of memberships by role and status, so that no list counts rows.
create table directory.member_counts (
  center_id integer,
  role text not null,
  status text not null,
  members integer not null,
  primary key (center_id, role, status)
);
select countersign.give_tenancy('directory.member_counts');
create policy entry on directory.member_counts to cs_auth using (true) with check (true);
create policy operator on directory.member_counts to cs_operator using (true) with check (true);
grant select, insert, update on directory.member_counts to cs_api, cs_auth, cs_operator;

-- Search: the address, and the name from each of its first 40 characters on, all cut to 40 characters. A search is a range
-- of the primary key. The operators of a trigram index are not leakproof, so row-level security would not use one.
create table directory.member_words (
  center_id integer,
  word text collate "C" not null,
  membership_id uuid not null,
  primary key (center_id, word, membership_id),
  foreign key (center_id, membership_id) references directory.memberships (center_id, id) on delete cascade
);
create index member_words_membership on directory.member_words (center_id, membership_id);
select countersign.give_tenancy('directory.member_words');
create policy entry on directory.member_words to cs_auth using (true) with check (true);
create policy operator on directory.member_words to cs_operator using (true) with check (true);
grant select, insert, delete on directory.member_words to cs_api, cs_auth, cs_operator;

create function directory.words_of_member(name text, address text) returns setof text
language sql immutable as $$
  select left(address, 40) where address is not null
  union
  select substr(lower(name), start, 40) from generate_series(1, least(length(name), 40)) start
$$;

create function directory.index_member() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from directory.member_words where center_id = new.center_id and membership_id = new.id;
  end if;
  insert into directory.member_words (center_id, word, membership_id)
  select new.center_id, word, new.id from directory.words_of_member(new.name, new.address) word on conflict do nothing;
  return null;
end $$;
create trigger index_new_member after insert on directory.memberships
  for each row execute function directory.index_member();
create trigger index_member after update of name, address on directory.memberships
  for each row when ((old.name, old.address) is distinct from (new.name, new.address)) execute function directory.index_member();

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

-- Who acts for a child in a center. A center gives access to what is its own only: a child of two centers has a row in each.
create table directory.guardianships (
  center_id integer,
  id uuid not null,
  parent_id uuid not null,
  child_id uuid not null,
  status text not null check (status in ('INVITED', 'ACTIVE', 'ENDED')),
  -- Null where the parent added the child.
  invited_at timestamptz(3),
  accepted_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (center_id, id),
  constraint guardianships_pair unique (center_id, child_id, parent_id),
  foreign key (center_id, parent_id) references directory.memberships (center_id, actor_id),
  foreign key (center_id, child_id) references directory.memberships (center_id, actor_id),
  check (parent_id <> child_id)
);
create index guardianships_parent on directory.guardianships (parent_id);
select countersign.give_tenancy('directory.guardianships');
-- A parent sees the own guardianships in every center, and answers them.
create policy family on directory.guardianships for select to cs_auth using (true);
create policy answer on directory.guardianships for update to cs_auth using (true) with check (status in ('ACTIVE', 'ENDED'));
create policy operator on directory.guardianships to cs_operator using (true) with check (true);
grant select, insert, update (status, invited_at, accepted_at, ended_at) on directory.guardianships to cs_api;
grant select, update (status, accepted_at, ended_at) on directory.guardianships to cs_auth;
grant select, insert on directory.guardianships to cs_operator;

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
-- Another invitation to the same person replaces the one before. A center does not see the tokens.
create policy withdraw on directory.invitations for delete to cs_api
  using (center_id = nullif(current_setting('app.center_id', true), '')::integer);
create policy withdrawn on directory.invitations for select to cs_api
  using (center_id = nullif(current_setting('app.center_id', true), '')::integer);
create index invitations_membership on directory.invitations (center_id, membership_id);
grant insert on directory.invitations to cs_api, cs_operator;
grant select (center_id, membership_id, approved, expires_at), delete on directory.invitations to cs_api;
grant select, delete on directory.invitations to cs_auth, cs_jobs;

create table directory.subscriptions (
  center_id integer primary key references directory.centers,
  plan_id text not null references directory.plans,
  status text not null check (status in ('ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED')),
  billing_cycle text not null check (billing_cycle in ('MONTHLY', 'YEARLY')),
  current_period_end timestamptz(3) not null,
  seat_limit integer not null,
  seat_used integer not null default 0 check (seat_used >= 0),
  -- The time of the last statement of the billing system that was followed.
  billed_at timestamptz(3),
  -- Of two transactions that take the last seat, the second one violates this constraint.
  constraint seats_within_limit check (seat_used <= seat_limit)
);
select countersign.give_tenancy('directory.subscriptions');
create policy operator on directory.subscriptions to cs_operator using (true) with check (true);
-- Accepting an invitation takes a seat.
create policy seats_seen on directory.subscriptions for select to cs_auth using (true);
create policy seats on directory.subscriptions for update to cs_auth using (true) with check (true);
grant select, insert, update (plan_id, status, billing_cycle, current_period_end, seat_limit, seat_used, billed_at)
  on directory.subscriptions to cs_api;
grant select, update (seat_used) on directory.subscriptions to cs_auth;
grant select, insert, update on directory.subscriptions to cs_operator;
-- The job that ends trials finds them; it ends each as its center.
create policy trials on directory.subscriptions for select to cs_jobs
  using (status = 'TRIAL' and nullif(current_setting('app.center_id', true), '') is null);
grant select (center_id, status, current_period_end) on directory.subscriptions to cs_jobs;
create index subscriptions_trials on directory.subscriptions (current_period_end) where status = 'TRIAL';

-- Maintains seat_used, member_count, admin_count and member_counts. A center cannot lose its last administrator; only the
-- operator's command line removes it.
create function directory.count_members() returns trigger
language plpgsql as $$
declare
  center constant integer := coalesce(new.center_id, old.center_id);
  was_active constant boolean := tg_op <> 'INSERT' and old.status = 'ACTIVE';
  is_active constant boolean := tg_op <> 'DELETE' and new.status = 'ACTIVE';
  change constant integer := is_active::integer - was_active::integer;
  admins constant integer := (is_active and new.role = 'ADMIN')::integer - (was_active and old.role = 'ADMIN')::integer;
  remaining integer;
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
      where id = center returning admin_count into remaining;
    if admins < 0 and remaining = 0 and current_user = 'cs_api' then
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
create trigger count_members after insert or delete or update of role, status on directory.memberships
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
-- memberships in one center it returns the strictest: one that has ended or is suspended before an active one, and of two
-- active ones that with the lesser role.
create function directory.family_memberships(signed_in uuid)
returns table (
  membership_id uuid, center_id integer, center_name text, center_domain text, center_status text, center_cell text,
  custom_domain text, partner_id uuid, role text, status text, invited_at timestamptz, ended_at timestamptz
)
language sql stable as $$
  select distinct on (m.center_id)
    m.id, m.center_id, c.name, c.domain, c.status, c.cell,
    (select d.domain from directory.domains d where d.center_id = c.id and d.purpose = 'site' and d.proven_at is not null
      and d.domain = c.custom_domain), c.partner_id, m.role, m.status, m.invited_at, m.ended_at
  from directory.family_of(signed_in) as family (id)
  join directory.memberships m on m.actor_id = family.id
  join directory.centers c on c.id = m.center_id
  order by m.center_id,
    array_position(array['ENDED', 'SUSPENDED', 'ACTIVE', 'PENDING', 'INVITED', 'REJECTED'], m.status),
    array_position(array['CHILD', 'PARENT', 'INSTRUCTOR', 'ADMIN'], m.role),
    (m.actor_id = signed_in) desc
$$;
