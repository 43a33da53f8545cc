set local role cs_owner;

-- Plans and subscriptions --------------------------------------------------------------------------------------------

create table directory.plans (
  id text primary key,
  kind text not null check (kind in ('center', 'lms')),
  name text not null,
  -- In whole units of the currency; the won has no smaller one.
  price integer not null check (price >= 0),
  currency text not null default 'KRW',
  billing_cycle text not null check (billing_cycle in ('MONTHLY', 'YEARLY')),
  seat_limit integer not null check (seat_limit > 0),
  trial_days integer not null default 0 check (trial_days >= 0),
  features jsonb not null default '[]',
  position integer not null
);
insert into directory.plans (id, kind, name, price, billing_cycle, seat_limit, trial_days, features, position) values
  ('center-starter', 'center', 'Starter', 49000, 'MONTHLY', 20, 14, '["Booking", "Decision proof", "One administrator"]', 1),
  ('center-growth', 'center', 'Growth', 149000, 'MONTHLY', 100, 14, '["Everything in Starter", "Workflows", "Webhooks"]', 2),
  ('center-scale', 'center', 'Scale', 1490000, 'YEARLY', 1000, 0, '["Everything in Growth", "White label", "Custom domain"]', 3),
  ('lms-basic', 'lms', 'Learning Basic', 29000, 'MONTHLY', 50, 14, '["Courses", "Attendance"]', 1),
  ('lms-plus', 'lms', 'Learning Plus', 89000, 'MONTHLY', 300, 14, '["Everything in Basic", "Certificates with proof"]', 2);

create table directory.subscriptions (
  center_id integer primary key references directory.centers,
  plan_id text not null references directory.plans,
  status text not null check (status in ('ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED')),
  billing_cycle text not null check (billing_cycle in ('MONTHLY', 'YEARLY')),
  current_period_end timestamptz(3) not null,
  seat_limit integer not null,
  seat_used integer not null default 0 check (seat_used >= 0),
  -- The last seat has one winner: whoever comes second breaks this.
  constraint seats_within_limit check (seat_used <= seat_limit)
);
select countersign.give_tenancy('directory.subscriptions');

create or replace function directory.count_members() returns trigger
language plpgsql as $$
declare
  center constant integer := coalesce(new.center_id, old.center_id);
  change constant integer :=
    (case when tg_op <> 'DELETE' and new.status = 'ACTIVE' then 1 else 0 end)
    - (case when tg_op <> 'INSERT' and old.status = 'ACTIVE' then 1 else 0 end);
  standing text;
begin
  if change <> 0 then
    -- The subscription first, everywhere: it is the lock that the last seat is fought over.
    update directory.subscriptions set seat_used = seat_used + change where center_id = center returning status into standing;
    if change > 0 and standing in ('SUSPENDED', 'CANCELED') then
      raise exception 'the subscription is %', standing using errcode = 'check_violation', constraint = 'subscription_in_order';
    end if;
    update directory.centers set member_count = member_count + change where id = center;
  end if;
  return null;
end $$;

grant select, insert on directory.subscriptions to cs_api;
grant update (status, plan_id, seat_limit, seat_used, current_period_end) on directory.subscriptions to cs_api;
create policy operator on directory.subscriptions to cs_operator using (true) with check (true);
grant select, insert, update on directory.subscriptions to cs_operator;

-- Entry: invitations, forgotten passwords, families, mail ------------------------------------------------------------

create table directory.invitations (
  hash bytea primary key check (length(hash) = 32),
  center_id integer not null,
  membership_id uuid not null,
  -- The inviter has approved already: acceptance makes the membership ACTIVE.
  approved boolean not null,
  expires_at timestamptz(3) not null,
  foreign key (center_id, membership_id) references directory.memberships (center_id, id)
);
create index invitations_expiry on directory.invitations (expires_at);

create table directory.password_resets (
  hash bytea primary key check (length(hash) = 32),
  actor_id uuid not null references directory.actors,
  expires_at timestamptz(3) not null
);
create index password_resets_expiry on directory.password_resets (expires_at);

create table directory.guardianships (
  parent_id uuid not null references directory.actors,
  child_id uuid not null references directory.actors,
  created_at timestamptz(3) not null default now(),
  primary key (parent_id, child_id),
  check (parent_id <> child_id)
);
create index guardianships_child on directory.guardianships (child_id);

-- Mail waits here with the change that caused it and is sent after the commit; a crash in between loses nothing.
-- The text holds single-use tokens, so it is encrypted, and deleted once it is sent.
create table directory.mails (
  id uuid primary key,
  sealed bytea not null,
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index mails_due on directory.mails (next_at);

do $$
declare
  name text;
begin
  foreach name in array array['invitations', 'password_resets', 'guardianships', 'mails', 'plans'] loop
    execute format('alter table directory.%I enable row level security', name);
    execute format('alter table directory.%I force row level security', name);
  end loop;
  foreach name in array array['invitations', 'password_resets', 'mails'] loop
    execute format('create policy expired on directory.%I to cs_jobs using (expires_at < now())', name);
    execute format('grant select, delete on directory.%I to cs_jobs', name);
    execute format('create policy entry on directory.%I to cs_auth using (true) with check (true)', name);
    execute format('grant select, delete on directory.%I to cs_auth', name);
  end loop;
end $$;

create policy invite on directory.invitations for insert to cs_api
  with check (center_id = nullif(current_setting('app.center_id', true), '')::integer);
grant insert on directory.invitations to cs_api;
create policy send on directory.mails for insert to cs_api with check (true);
grant insert on directory.mails to cs_api;
grant insert on directory.mails, directory.password_resets to cs_auth;
grant update (attempts, next_at) on directory.mails to cs_auth;

create policy family on directory.guardianships for select to cs_auth using (true);
grant select on directory.guardianships to cs_auth;
create policy operator on directory.guardianships to cs_operator using (true) with check (true);
grant select, insert, delete on directory.guardianships to cs_operator;

create policy catalog on directory.plans for select to cs_auth, cs_api, cs_operator using (true);
grant select on directory.plans to cs_auth, cs_api, cs_operator;

-- Accepting an invitation proves the address and may set the first password.
grant update (email_verified_at) on directory.actors to cs_auth;
grant insert, update on directory.credentials to cs_auth;
grant insert on directory.login_identifiers to cs_auth;
create policy entry on directory.memberships for update to cs_auth
  using (true) with check (status in ('PENDING', 'ACTIVE'));
grant update (status) on directory.memberships to cs_auth;
create policy seats_seen on directory.subscriptions for select to cs_auth using (true);
create policy seats on directory.subscriptions for update to cs_auth using (true) with check (true);
grant select, update (seat_used) on directory.subscriptions to cs_auth;
grant update (member_count) on directory.centers to cs_auth;

-- An administrator invites and moves members; a member sees and accepts what is theirs, wherever it is.
create policy newcomer on directory.actors for insert to cs_api
  with check (not is_operator and email_verified_at is null and phone_verified_at is null);
grant insert (id, email, name) on directory.actors to cs_api;
grant insert on directory.memberships to cs_api;
grant update (status, ended_at) on directory.memberships to cs_api;
create policy own on directory.memberships for select to cs_api
  using (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid);
create policy accept_own on directory.memberships for update to cs_api
  using (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and status = 'INVITED')
  with check (actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and status = 'PENDING');
create policy accept_own on directory.audit_entries for insert to cs_api with check (
  type = 'membership.transitioned' and details ->> 'action' = 'accept'
  and actor_id = nullif(current_setting('app.actor_id', true), '')
  and exists (select from directory.memberships m where m.center_id = audit_entries.center_id
    and m.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid));
create policy member on directory.centers for select to cs_api using (
  exists (select from directory.memberships m where m.center_id = centers.id
    and m.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid));
create policy self on directory.actors for select to cs_api using (id = nullif(current_setting('app.actor_id', true), '')::uuid);
