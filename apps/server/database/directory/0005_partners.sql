set local role cs_owner;

-- The centers of each partner, for policies: a policy that read directory.centers instead would recurse, because the
-- policies of centers read memberships. A trigger maintains it.
create table directory.partner_centers (
  partner_id uuid not null references directory.partners,
  center_id integer not null unique references directory.centers on delete cascade,
  primary key (partner_id, center_id)
);
alter table directory.partner_centers enable row level security, force row level security;
create policy operator on directory.partner_centers to cs_operator using (true) with check (true);
create policy own on directory.partner_centers for select to cs_api using (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  or center_id = nullif(current_setting('app.center_id', true), '')::integer);
create policy found on directory.partner_centers for insert to cs_api with check (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  and center_id = nullif(current_setting('app.center_id', true), '')::integer);
create policy sign_in on directory.partner_centers for select to cs_auth using (true);
grant select, insert on directory.partner_centers to cs_api;
grant select on directory.partner_centers to cs_auth;
grant select, insert, update, delete on directory.partner_centers to cs_operator;

-- A partner reads the subscriptions and the people of its centers.
create policy by_partner on directory.subscriptions for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));
create policy by_partner on directory.memberships for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));
create policy by_partner on directory.actors for select to cs_api using (
  exists (select from directory.memberships m
    join directory.partner_centers p on p.center_id = m.center_id
    where m.actor_id = actors.id and p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));

create function directory.partner_of(center integer) returns uuid
language sql stable as 'select partner_id from directory.partner_centers where center_id = center';

-- Totals per partner, maintained by triggers. A center has one of sixteen slots, so that changes in different centers
-- rarely wait for the same row, and a total is a sum of at most sixteen rows.
create table directory.partner_figures (
  partner_id uuid not null references directory.partners,
  slot smallint not null,
  centers integer not null default 0 check (centers >= 0),
  -- ACTIVE memberships.
  members integer not null default 0 check (members >= 0),
  -- Memberships in any status.
  memberships integer not null default 0 check (memberships >= 0),
  primary key (partner_id, slot)
);
alter table directory.partner_figures enable row level security, force row level security;
create policy operator on directory.partner_figures to cs_operator using (true) with check (true);
-- A center updates the totals of its partner, and the partner reads them.
create policy kept on directory.partner_figures to cs_api using (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  or partner_id = directory.partner_of(nullif(current_setting('app.center_id', true), '')::integer));
create policy sign_in on directory.partner_figures to cs_auth using (true) with check (true);
grant select, insert, update on directory.partner_figures to cs_api, cs_auth;
grant select, insert, update, delete on directory.partner_figures to cs_operator;

-- Paying subscriptions: ACTIVE or PAST_DUE.
create table directory.partner_plan_figures (
  partner_id uuid not null references directory.partners,
  plan_id text not null references directory.plans,
  slot smallint not null,
  subscriptions integer not null default 0 check (subscriptions >= 0),
  primary key (partner_id, plan_id, slot)
);
alter table directory.partner_plan_figures enable row level security, force row level security;
create policy operator on directory.partner_plan_figures to cs_operator using (true) with check (true);
create policy kept on directory.partner_plan_figures to cs_api using (
  partner_id = nullif(current_setting('app.partner_id', true), '')::uuid
  or partner_id = directory.partner_of(nullif(current_setting('app.center_id', true), '')::integer));
grant select, insert, update on directory.partner_plan_figures to cs_api;
grant select, insert, update, delete on directory.partner_plan_figures to cs_operator;

create function directory.slot_of(center integer) returns smallint
language sql immutable as 'select (center % 16)::smallint';

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

-- Adds (direction 1) or subtracts (-1) a center with its members and subscription.
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

-- One row per partner, day (UTC) and person, inserted when a session begins or is refreshed, and their number per day.
create table directory.partner_visitors (
  partner_id uuid not null references directory.partners,
  day date not null,
  actor_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, day, actor_id)
);
create index partner_visitors_expiry on directory.partner_visitors (expires_at);
alter table directory.partner_visitors enable row level security, force row level security;
create policy expired on directory.partner_visitors to cs_jobs using (expires_at < now());
create policy sign_in on directory.partner_visitors to cs_auth using (true) with check (true);
grant select, insert on directory.partner_visitors to cs_auth;
grant select, delete on directory.partner_visitors to cs_jobs;

create table directory.partner_visitor_counts (
  partner_id uuid not null references directory.partners,
  day date not null,
  slot smallint not null,
  visitors integer not null,
  expires_at timestamptz(3) not null,
  primary key (partner_id, day, slot)
);
create index partner_visitor_counts_expiry on directory.partner_visitor_counts (expires_at);
alter table directory.partner_visitor_counts enable row level security, force row level security;
create policy expired on directory.partner_visitor_counts to cs_jobs using (expires_at < now());
create policy sign_in on directory.partner_visitor_counts to cs_auth using (true) with check (true);
create policy own on directory.partner_visitor_counts for select to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
grant select on directory.partner_visitor_counts to cs_api;
grant select, insert, update on directory.partner_visitor_counts to cs_auth;
grant select, delete on directory.partner_visitor_counts to cs_jobs;

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

-- Invitations to act for a partner. The token is in the mail; only its hash is here, and a partner does not see it.
create table directory.partner_invitations (
  id uuid primary key,
  partner_id uuid not null references directory.partners,
  email text not null,
  role text not null check (role in ('PARTNER_ADMIN', 'PARTNER_OPERATOR')),
  hash bytea not null unique check (length(hash) = 32),
  invited_by uuid not null references directory.actors,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  unique (partner_id, email)
);
create index partner_invitations_expiry on directory.partner_invitations (expires_at);
alter table directory.partner_invitations enable row level security, force row level security;
create policy entry on directory.partner_invitations to cs_auth using (true) with check (true);
create policy expired on directory.partner_invitations to cs_jobs using (expires_at < now());
create policy own on directory.partner_invitations to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
grant insert, delete, select (id, partner_id, email, role, invited_by, created_at, expires_at)
  on directory.partner_invitations to cs_api;
grant select, delete on directory.partner_invitations to cs_auth, cs_jobs;
