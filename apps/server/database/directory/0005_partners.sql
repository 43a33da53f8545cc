set local role cs_owner;

alter table directory.partners
  add column settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- What a center of this partner subscribes to.
  add column default_plan_id text not null default 'center-starter' references directory.plans;

-- A person acts for one partner: whose centers a request may see never depends on chance.
drop index directory.partner_accounts_actor;
alter table directory.partner_accounts add constraint partner_accounts_actor_key unique (actor_id);

create index centers_of_partner on directory.centers (partner_id, id desc) where partner_id is not null;

-- Whose a center is, for policies to ask: one that asked the centers themselves would go in a ring, because theirs ask
-- the memberships. A trigger keeps it.
create table directory.partner_centers (
  partner_id uuid not null references directory.partners,
  center_id integer not null unique references directory.centers on delete cascade,
  primary key (partner_id, center_id)
);

-- Figures ------------------------------------------------------------------------------------------------------------
-- Kept where they change, never counted. A center has one slot of sixteen, so that changes in a partner's many centers
-- seldom wait for each other, and reading is a sum of at most sixteen rows.

create table directory.partner_figures (
  partner_id uuid not null references directory.partners,
  slot smallint not null,
  centers integer not null default 0 check (centers >= 0),
  -- ACTIVE ones.
  members integer not null default 0 check (members >= 0),
  -- In whatever state.
  memberships integer not null default 0 check (memberships >= 0),
  primary key (partner_id, slot)
);

-- Subscriptions that pay: ACTIVE or PAST_DUE.
create table directory.partner_plan_figures (
  partner_id uuid not null references directory.partners,
  plan_id text not null references directory.plans,
  slot smallint not null,
  subscriptions integer not null default 0 check (subscriptions >= 0),
  primary key (partner_id, plan_id, slot)
);

create function directory.slot_of(center integer) returns smallint
language sql immutable as 'select (center % 16)::smallint';

create function directory.partner_of(center integer) returns uuid
language sql stable as 'select partner_id from directory.partner_centers where center_id = center';

create function directory.pays(status text) returns boolean
language sql immutable as $$ select status in ('ACTIVE', 'PAST_DUE') $$;

create function directory.add_figures(partner uuid, center integer, more_centers integer, more_members integer, more_memberships integer)
returns void
language plpgsql as $$
begin
  if partner is null then return; end if;
  insert into directory.partner_figures (partner_id, slot) values (partner, directory.slot_of(center)) on conflict do nothing;
  update directory.partner_figures
    set centers = centers + more_centers, members = members + more_members, memberships = memberships + more_memberships
    where partner_id = partner and slot = directory.slot_of(center);
end $$;

create function directory.add_plan_figures(partner uuid, plan text, center integer, more integer) returns void
language plpgsql as $$
begin
  if partner is null or more = 0 then return; end if;
  insert into directory.partner_plan_figures (partner_id, plan_id, slot) values (partner, plan, directory.slot_of(center))
    on conflict do nothing;
  update directory.partner_plan_figures set subscriptions = subscriptions + more
    where partner_id = partner and plan_id = plan and slot = directory.slot_of(center);
end $$;

-- All that hangs on a center comes and goes with it.
create function directory.move_figures(partner uuid, center integer, member_count integer, direction integer) returns void
language plpgsql as $$
declare
  all_memberships constant integer := (select count(*) from directory.memberships where center_id = center);
  plan text;
begin
  perform directory.add_figures(partner, center, direction, direction * member_count, direction * all_memberships);
  for plan in select plan_id from directory.subscriptions where center_id = center and directory.pays(status) loop
    perform directory.add_plan_figures(partner, plan, center, direction);
  end loop;
end $$;

create function directory.keep_center_figures() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.partner_id is not distinct from old.partner_id then
    if new.member_count <> old.member_count then
      perform directory.add_figures(new.partner_id, new.id, 0, new.member_count - old.member_count, 0);
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' and old.partner_id is not null then
    perform directory.move_figures(old.partner_id, old.id, old.member_count, -1);
    delete from directory.partner_centers where center_id = old.id;
  end if;
  if tg_op <> 'DELETE' and new.partner_id is not null then
    insert into directory.partner_centers (partner_id, center_id) values (new.partner_id, new.id);
    perform directory.move_figures(new.partner_id, new.id, new.member_count, 1);
  end if;
  return null;
end $$;
create trigger keep_figures after insert or delete or update of partner_id, member_count on directory.centers
  for each row execute function directory.keep_center_figures();

create function directory.keep_membership_figures() returns trigger
language plpgsql as $$
declare
  center constant integer := coalesce(new.center_id, old.center_id);
begin
  perform directory.add_figures(directory.partner_of(center), center, 0, 0, case tg_op when 'INSERT' then 1 else -1 end);
  return null;
end $$;
create trigger keep_figures after insert or delete on directory.memberships
  for each row execute function directory.keep_membership_figures();

create function directory.keep_subscription_figures() returns trigger
language plpgsql as $$
declare
  partner constant uuid := directory.partner_of(coalesce(new.center_id, old.center_id));
begin
  if tg_op <> 'INSERT' and directory.pays(old.status) then
    perform directory.add_plan_figures(partner, old.plan_id, old.center_id, -1);
  end if;
  if tg_op <> 'DELETE' and directory.pays(new.status) then
    perform directory.add_plan_figures(partner, new.plan_id, new.center_id, 1);
  end if;
  return null;
end $$;
create trigger keep_figures after insert or delete or update of plan_id, status on directory.subscriptions
  for each row execute function directory.keep_subscription_figures();

-- Who was there today: a row per partner, day (UTC) and person, written when a session begins or is refreshed; and how
-- many those are.
create table directory.partner_visitors (
  partner_id uuid not null references directory.partners,
  day date not null,
  actor_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, day, actor_id)
);
create index partner_visitors_expiry on directory.partner_visitors (expires_at);

create table directory.partner_visitor_counts (
  partner_id uuid not null references directory.partners,
  day date not null,
  slot smallint not null,
  visitors integer not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, day, slot)
);
create index partner_visitor_counts_expiry on directory.partner_visitor_counts (expires_at);

create function directory.count_visitor() returns trigger
language plpgsql as $$
begin
  insert into directory.partner_visitor_counts (partner_id, day, slot, visitors, expires_at)
    -- The last byte of an actor's id is random.
    values (new.partner_id, new.day, directory.slot_of(get_byte(uuid_send(new.actor_id), 15)), 1, new.expires_at)
    on conflict (partner_id, day, slot) do update set visitors = partner_visitor_counts.visitors + 1;
  return null;
end $$;
create trigger count_visitor after insert on directory.partner_visitors
  for each row execute function directory.count_visitor();

-- What there is already. Row-level security binds the owner too, and is lifted for as long as this takes.
do $$
declare
  name text;
  center record;
begin
  foreach name in array array['centers', 'memberships', 'subscriptions'] loop
    execute format('alter table directory.%I no force row level security', name);
  end loop;
  for center in select id, partner_id, member_count from directory.centers where partner_id is not null loop
    insert into directory.partner_centers (partner_id, center_id) values (center.partner_id, center.id);
    perform directory.move_figures(center.partner_id, center.id, center.member_count, 1);
  end loop;
  foreach name in array array['centers', 'memberships', 'subscriptions'] loop
    execute format('alter table directory.%I force row level security', name);
  end loop;
end $$;

-- Rights -------------------------------------------------------------------------------------------------------------

do $$
declare
  name text;
begin
  foreach name in array array[
    'partner_centers', 'partner_figures', 'partner_plan_figures', 'partner_visitors', 'partner_visitor_counts'
  ] loop
    execute format('alter table directory.%I enable row level security', name);
    execute format('alter table directory.%I force row level security', name);
  end loop;
  foreach name in array array['partner_centers', 'partner_figures', 'partner_plan_figures'] loop
    execute format('create policy operator on directory.%I to cs_operator using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on directory.%I to cs_operator', name);
  end loop;
  foreach name in array array['partner_visitors', 'partner_visitor_counts'] loop
    execute format('create policy expired on directory.%I to cs_jobs using (expires_at < now())', name);
    execute format('grant select, delete on directory.%I to cs_jobs', name);
  end loop;
  -- A center keeps the figures of the partner whose it is; the partner reads them.
  foreach name in array array['partner_figures', 'partner_plan_figures'] loop
    execute format($policy$
      create policy kept on directory.%I to cs_api using (
        partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
        or partner_id = directory.partner_of(nullif(current_setting('app.center_id', true), '')::integer))
    $policy$, name);
    execute format('grant select, insert, update on directory.%I to cs_api', name);
  end loop;
end $$;

create policy own on directory.partner_centers for select to cs_api using (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  or center_id = nullif(current_setting('app.center_id', true), '')::integer);
create policy found on directory.partner_centers for insert to cs_api with check (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  and center_id = nullif(current_setting('app.center_id', true), '')::integer);
grant select, insert on directory.partner_centers to cs_api;

-- Whoever accepts an invitation becomes a member, and whoever signs in was there today.
create policy sign_in on directory.partner_centers for select to cs_auth using (true);
grant select on directory.partner_centers to cs_auth;
create policy sign_in on directory.partner_figures to cs_auth using (true) with check (true);
grant select, insert, update on directory.partner_figures to cs_auth;
create policy sign_in on directory.partner_visitors to cs_auth using (true) with check (true);
grant select, insert on directory.partner_visitors to cs_auth;
create policy sign_in on directory.partner_visitor_counts to cs_auth using (true) with check (true);
grant select, insert, update on directory.partner_visitor_counts to cs_auth;
create policy own on directory.partner_visitor_counts for select to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
grant select on directory.partner_visitor_counts to cs_api;

-- A partner sees and changes itself. Whoever founds one has become it first, and gives it its first account.
create policy own on directory.partners for select to cs_api
  using (id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy change_own on directory.partners for update to cs_api
  using (id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy found on directory.partners for insert to cs_api
  with check (id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy found on directory.partner_accounts for insert to cs_api
  with check (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
grant select, insert (id, name, kind, created_at), update (settings) on directory.partners to cs_api;
grant insert on directory.partner_accounts to cs_api;

-- And its centers, with their people and their traces. Policies are asked in the order of their names until one says
-- yes: these come first, so that a partner's rows do not pass through the others. In a sub-select the setting is read
-- once per statement.
create policy by_partner on directory.centers for select to cs_api
  using (partner_id = (select nullif(current_setting('app.partner_id', true), '')::uuid));
create policy by_partner_change on directory.centers for update to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy by_partner on directory.memberships for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));
create policy by_partner on directory.actors for select to cs_api using (
  exists (select from directory.memberships m
    join directory.partner_centers p on p.center_id = m.center_id
    where m.actor_id = actors.id and p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));
create policy by_partner on directory.audit_entries for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  or center_id = 0 and target_type = 'partner' and target_id = nullif(current_setting('app.partner_id', true), ''));
-- Whoever is in no center writes such entries, and reads only those about the partner they act for.
create policy in_no_center on directory.audit_entries as restrictive for select to cs_api using (
  center_id <> 0 or target_type = 'partner' and target_id = nullif(current_setting('app.partner_id', true), ''));
create index audit_entries_partner on directory.audit_entries (target_id, occurred_at, id)
  where center_id = 0 and target_type = 'partner';

-- What a partner founds is the partner's, and may be any kind of tenant but a PROGRAM; others found centers of no partner.
alter policy found on directory.centers with check (
  id = nullif(current_setting('app.center_id', true), '')::integer
  and (partner_id is null and tenant_type = 'CENTER'
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid and tenant_type <> 'PROGRAM'));
grant insert (tenant_type) on directory.centers to cs_api;

-- Rights to columns cannot tell a center from its partner: the center has no say in its name and standing. An ended
-- center stays as it is, and only the operator ends one.
grant update (name, status) on directory.centers to cs_api;
create function directory.guard_standing() returns trigger
language plpgsql as $$
begin
  if current_user = 'cs_api' and (
    old.partner_id is null
    or old.partner_id is distinct from nullif(current_setting('app.partner_id', true), '')::uuid
    or 'INACTIVE' in (old.status, new.status)
  ) then
    raise exception 'the name and the status of a center are changed by its partner or the operator'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_standing before update of name, status on directory.centers
  for each row execute function directory.guard_standing();
