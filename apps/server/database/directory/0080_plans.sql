set local role cs_owner;

-- What a plan is from one moment on. A version never changes: a subscription keeps the one that it was made under.
create table directory.plan_versions (
  plan_id text not null references directory.plans,
  version integer not null check (version > 0),
  name text not null check (length(name) between 1 and 60),
  -- In whole units of the currency: the won has no smaller unit.
  price integer not null check (price >= 0),
  currency text not null default 'KRW' check (currency ~ '^[A-Z]{3}$'),
  billing_cycle text not null check (billing_cycle in ('MONTHLY', 'YEARLY')),
  seat_limit integer not null check (seat_limit > 0),
  -- ADMINs and INSTRUCTORs. Where a plan has this limit, it alone refuses an activation.
  staff_limit integer check (staff_limit > 0),
  trial_days integer not null default 0 check (trial_days between 0 and 365),
  webhooks integer not null default 20 check (webhooks >= 20),
  -- Names in packages/contract/promises.ts.
  features text[] not null default '{}',
  -- A plan whose latest version is not offered is in no list; subscriptions to it go on.
  offered boolean not null default true,
  made_at timestamptz(3) not null default now(),
  primary key (plan_id, version)
);
-- Forced row-level security hides the rows from the owner too, who copies them here.
alter table directory.plans no force row level security;
insert into directory.plan_versions
  (plan_id, version, name, price, currency, billing_cycle, seat_limit, trial_days, webhooks, features)
select id, 1, name, price, currency, billing_cycle, seat_limit, trial_days,
  case id when 'center-growth' then 50 when 'center-scale' then 100 else 20 end,
  case when kind = 'lms' then '{}'::text[]
    when id = 'center-starter' then '{booking,attendance,families,customDomain}'
    else '{booking,attendance,families,customDomain,workflowSettings}' end
from directory.plans;
alter table directory.plans force row level security;
create trigger kept before update or delete on directory.plan_versions for each row
  execute function countersign.refuse_change();
alter table directory.plan_versions enable row level security, force row level security;
create policy catalog on directory.plan_versions for select to cs_auth, cs_api, cs_operator using (true);
grant select on directory.plan_versions to cs_auth, cs_api, cs_operator;

-- The other columns are those of the latest version, which servers of the version before read.
alter table directory.plans add column version integer not null default 1;
create function directory.keep_latest_plan() returns trigger
language plpgsql as $$
begin
  update directory.plans set version = new.version, name = new.name, price = new.price, currency = new.currency,
    billing_cycle = new.billing_cycle, seat_limit = new.seat_limit, trial_days = new.trial_days where id = new.plan_id;
  return null;
end $$;
create trigger keep_latest after insert on directory.plan_versions for each row execute function directory.keep_latest_plan();

-- The operator on a page, whose transaction names them; the flag is read in the database.
create policy acting on directory.actors for select to cs_api
  using (id = nullif(current_setting('app.operator_id', true), '')::uuid);
grant select (is_operator) on directory.actors to cs_api;
create function directory.acts_as_operator() returns boolean
language sql stable as $$
  select exists (select from directory.actors
    where id = nullif(current_setting('app.operator_id', true), '')::uuid and is_operator)
$$;
create policy made on directory.plan_versions for insert to cs_api with check (directory.acts_as_operator());
create policy operator on directory.plan_versions for insert to cs_operator with check (true);
create policy made on directory.plans for insert to cs_api with check (kind = 'center' and directory.acts_as_operator());
create policy raised on directory.plans for update to cs_api using (directory.acts_as_operator());
create policy operator on directory.plans to cs_operator using (true) with check (kind = 'center');
grant insert on directory.plan_versions, directory.plans to cs_api, cs_operator;
grant update (version, name, price, currency, billing_cycle, seat_limit, trial_days) on directory.plans to cs_api, cs_operator;

alter table directory.subscriptions
  add column plan_version integer not null default 1,
  add constraint subscriptions_plan_version foreign key (plan_id, plan_version) references directory.plan_versions,
  add column staff_limit integer,
  add column staff_used integer not null default 0 check (staff_used >= 0),
  drop constraint seats_within_limit,
  -- Of two transactions that take the last place, the second one violates one of these.
  add constraint seats_within_limit check (staff_limit is not null or seat_used <= seat_limit),
  add constraint staff_within_limit check (staff_limit is null or staff_used <= staff_limit);
grant update (plan_version, staff_limit, staff_used) on directory.subscriptions to cs_api;
grant update (staff_used) on directory.subscriptions to cs_auth;
-- The owner reads the memberships of all centers here only.
alter table directory.memberships no force row level security;
alter table directory.subscriptions no force row level security;
update directory.subscriptions s set staff_used = m.staff from (
  select center_id, count(*)::int as staff from directory.memberships
  where status = 'ACTIVE' and role in ('ADMIN', 'INSTRUCTOR') group by center_id) m
where m.center_id = s.center_id;
alter table directory.memberships force row level security;
alter table directory.subscriptions force row level security;

create function directory.count_staff() returns trigger
language plpgsql as $$
declare
  change constant integer :=
    (tg_op <> 'DELETE' and new.status = 'ACTIVE' and new.role in ('ADMIN', 'INSTRUCTOR'))::integer
    - (tg_op <> 'INSERT' and old.status = 'ACTIVE' and old.role in ('ADMIN', 'INSTRUCTOR'))::integer;
begin
  if change <> 0 then
    update directory.subscriptions set staff_used = staff_used + change
    where center_id = coalesce(new.center_id, old.center_id);
  end if;
  return null;
end $$;
-- Triggers fire in the order of their names: `count_members` first, so that a subscription that is not in order refuses an
-- activation for that reason.
create trigger count_staff after insert or delete or update of role, status on directory.memberships
  for each row execute function directory.count_staff();

-- Revenue is that of the version.
alter table directory.partner_plan_figures add column plan_version integer not null default 1,
  drop constraint partner_plan_figures_pkey, add primary key (partner_id, plan_id, plan_version, slot);

create function directory.add_plan_figures(partner uuid, plan text, made_under integer, center integer, more integer)
returns void
language plpgsql as $$
begin
  if partner is null or more = 0 then return; end if;
  insert into directory.partner_plan_figures (partner_id, plan_id, plan_version, slot)
    values (partner, plan, made_under, directory.slot_of(center)) on conflict do nothing;
  update directory.partner_plan_figures set subscriptions = subscriptions + more
    where partner_id = partner and plan_id = plan and plan_version = made_under and slot = directory.slot_of(center);
end $$;
create or replace function directory.move_figures(partner uuid, center integer, member_count integer, direction integer) returns void
language plpgsql as $$
declare
  all_memberships constant integer := (select count(*) from directory.memberships where center_id = center);
  paid record;
begin
  perform directory.add_figures(partner, center, direction, direction * member_count, direction * all_memberships);
  for paid in select plan_id, plan_version from directory.subscriptions
    where center_id = center and directory.pays(status) loop
    perform directory.add_plan_figures(partner, paid.plan_id, paid.plan_version, center, direction);
  end loop;
end $$;
create or replace function directory.keep_subscription_figures() returns trigger
language plpgsql as $$
declare
  partner constant uuid := directory.partner_of(coalesce(new.center_id, old.center_id));
begin
  if tg_op <> 'INSERT' and directory.pays(old.status) then
    perform directory.add_plan_figures(partner, old.plan_id, old.plan_version, old.center_id, -1);
  end if;
  if tg_op <> 'DELETE' and directory.pays(new.status) then
    perform directory.add_plan_figures(partner, new.plan_id, new.plan_version, new.center_id, 1);
  end if;
  return null;
end $$;
drop function directory.add_plan_figures(uuid, text, integer, integer);
drop trigger keep_figures on directory.subscriptions;
create trigger keep_figures after insert or delete or update of plan_id, plan_version, status on directory.subscriptions
  for each row execute function directory.keep_subscription_figures();
drop trigger send_change on directory.subscriptions;
create trigger send_change after update of plan_id, plan_version, status, current_period_end on directory.subscriptions
  for each row execute function directory.send_change('center', 'center_id');
