set local role cs_owner;

-- Where a center wants to hear of what, as its owner says.
create table cell.webhooks (
  center_id integer,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text not null,
  active boolean not null,
  -- Why we stopped sending, where it was not the owner.
  disabled_reason text check (disabled_reason is null or not active),
  -- Rises with every change, so that a pump that is at work notices.
  version integer not null default 1,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.webhooks');

create table cell.webhook_secrets (
  center_id integer,
  webhook_id uuid not null,
  id uuid not null,
  -- Encrypted with a key that is not in the database.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  -- Null for the newest; the others are valid until then.
  expires_at timestamptz(3),
  primary key (center_id, webhook_id, id)
);
create unique index webhook_secrets_newest on cell.webhook_secrets (center_id, webhook_id) where expires_at is null;
select countersign.give_tenancy('cell.webhook_secrets');

-- How it goes with an endpoint. Written by whoever holds its lease, which is one at a time; the epoch tells a late one off.
create table cell.webhook_endpoints (
  center_id integer,
  webhook_id uuid not null,
  lease_epoch bigint not null default 0,
  lease_until timestamptz(3),
  leased_at timestamptz(3),
  -- The consumer asked us to wait.
  not_before timestamptz(3),
  -- In a row, and since when there was nothing else.
  failures integer not null default 0,
  failing_since timestamptz(3),
  -- The secret that the consumer was seen to know, while more than one is valid.
  learned_secret uuid,
  last_delivery_at timestamptz(3),
  last_delivery_status text,
  primary key (center_id, webhook_id)
) with (fillfactor = 50);
select countersign.give_tenancy('cell.webhook_endpoints');

-- What happened. `data` is text: what was signed once must be the same characters at the seventh attempt.
create table cell.webhook_events (
  center_id integer,
  created_at timestamptz(3) not null,
  id uuid not null,
  -- The id that a companion app gave it; ours are made from the UUID.
  public_id text,
  type text not null,
  data text not null,
  primary key (center_id, created_at, id)
) partition by range (created_at);
select countersign.give_tenancy('cell.webhook_events');

-- An id given by a companion app is used once.
create table cell.webhook_event_ids (
  center_id integer,
  public_id text not null check (length(public_id) between 1 and 255),
  id uuid not null,
  fingerprint bytea not null,
  deliveries integer not null,
  created_at timestamptz(3) not null,
  primary key (center_id, public_id)
);
create index webhook_event_ids_age on cell.webhook_event_ids using brin (created_at);
select countersign.give_tenancy('cell.webhook_event_ids');

-- One row per event and endpoint: the schedule is the row. UUIDs of events rise with time, so the key is also the order
-- of the list. `next_at` null: nothing more by itself, because it arrived, failed for good or is held.
create table cell.webhook_deliveries (
  center_id integer,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  created_at timestamptz(3) not null,
  next_at timestamptz(3),
  held boolean not null default false,
  attempts integer not null default 0,
  -- Of the schedule that runs now; a manual retry starts it again.
  failed_in_cycle integer not null default 0,
  -- Of the last attempt.
  status text check (status in ('success', 'failed')),
  attempted_at timestamptz(3),
  response_status integer,
  -- The secret for the next attempt, where the last was refused as a bad signature would be.
  sign_with uuid,
  primary key (center_id, webhook_id, event_id),
  check (not held or next_at is null),
  check ((attempts = 0) = (status is null) and (attempts = 0) = (attempted_at is null))
);
create index webhook_deliveries_due on cell.webhook_deliveries (center_id, webhook_id, next_at, event_id)
  where next_at is not null;
create index webhook_deliveries_held on cell.webhook_deliveries (center_id, webhook_id) where held;
create index webhook_deliveries_age on cell.webhook_deliveries using brin (created_at);
select countersign.give_tenancy('cell.webhook_deliveries');

create table cell.webhook_attempts (
  center_id integer,
  webhook_id uuid not null,
  event_id uuid not null,
  number integer not null check (number > 0),
  at timestamptz(3) not null,
  ms integer not null,
  response_status integer,
  excerpt text not null,
  error text,
  message text,
  primary key (center_id, webhook_id, event_id, number, at)
) partition by range (at);
select countersign.give_tenancy('cell.webhook_attempts');

create table cell.webhook_recoveries (
  center_id integer,
  id uuid not null,
  webhook_id uuid not null,
  since timestamptz(3) not null,
  -- The last event that was looked at.
  seen uuid,
  total integer not null,
  recovered integer not null default 0,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (center_id, id)
);
-- One at a time for each webhook.
create unique index webhook_recoveries_running on cell.webhook_recoveries (center_id, webhook_id) where completed_at is null;
select countersign.give_tenancy('cell.webhook_recoveries');

-- Weeks, so that what has expired is dropped and not deleted. Weeks that nobody foresaw, as by a clock that is wrong, go
-- to the default partition: an event is never refused for its date.
create table cell.webhook_events_other partition of cell.webhook_events default;
create table cell.webhook_attempts_other partition of cell.webhook_attempts default;

create function cell.keep_webhook_weeks(at timestamptz, kept interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  parent text;
  week timestamp;
  name text;
  bound timestamp;
begin
  perform pg_advisory_xact_lock(hashtext('cell.keep_webhook_weeks'));
  -- Dropping locks the parent: in the order in which a step of a pump comes by, or the two would wait for each other.
  foreach parent in array array['webhook_attempts', 'webhook_events'] loop
    for week in select generate_series(
      date_trunc('week', at at time zone 'UTC') - interval '1 week', date_trunc('week', at at time zone 'UTC') + interval '4 weeks',
      interval '1 week')
    loop
      name := parent || to_char(week, '_IYYY_IW');
      continue when to_regclass('cell.' || name) is not null;
      begin
        execute format('create table cell.%I partition of cell.%I for values from (%L) to (%L)',
          name, parent, week || '+00', week + interval '1 week' || '+00');
        -- Through their parent they have its policies; alone they show nothing.
        execute format('alter table cell.%I enable row level security, force row level security', name);
      -- Rows of this week lie in the default partition already, and may stay there.
      exception when check_violation then null;
      end;
    end loop;
    for name, bound in
      select c.relname, to_date(right(c.relname, 7), 'IYYY_IW') + interval '1 week'
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = ('cell.' || parent)::regclass and c.relname ~ '_\d{4}_\d\d$'
    loop
      if bound < (at - kept) at time zone 'UTC' then execute format('drop table cell.%I', name); end if;
    end loop;
  end loop;
  delete from cell.webhook_events_other where created_at < at - kept;
  delete from cell.webhook_attempts_other where cell.webhook_attempts_other.at < keep_webhook_weeks.at - kept;
end $$;
revoke execute on function cell.keep_webhook_weeks from public;
grant execute on function cell.keep_webhook_weeks to cs_jobs;
alter table cell.webhook_events_other enable row level security;
alter table cell.webhook_attempts_other enable row level security;
select cell.keep_webhook_weeks(now(), interval '30 days');

-- Writes events and their deliveries, in the transaction that caused them. What was told already is not told again.
create function cell.publish_events(events json, deliveries json) returns void
language sql as $$
  insert into cell.webhook_events (center_id, id, public_id, type, created_at, data)
  select center_id, id, public_id, type, created_at, data from json_to_recordset(events) as e (
    center_id integer, id uuid, public_id text, type text, created_at timestamptz, data text)
  on conflict do nothing;
  insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
  select center_id, webhook_id, event_id, event_type, created_at, next_at, held from json_to_recordset(deliveries) as d (
    center_id integer, webhook_id uuid, event_id uuid, event_type text, created_at timestamptz, next_at timestamptz,
    held boolean)
  on conflict do nothing;
$$;

-- Leases endpoints that have something due and nobody at work: those that waited longest for their turn first, so that
-- endpoints that fail slowly keep nobody from theirs. It steps along the index from endpoint to endpoint, whatever
-- backlog each may have. A lease that was never given back tells that its holder died.
create function cell.lease_endpoints(at timestamptz, until timestamptz, most integer)
returns table (center_id integer, webhook_id uuid, epoch bigint, taken_over boolean)
language sql as $$
  with recursive waiting as (
    (select d.center_id, d.webhook_id, d.next_at from cell.webhook_deliveries d
      where d.next_at is not null order by d.center_id, d.webhook_id, d.next_at limit 1)
    union all
    select n.center_id, n.webhook_id, n.next_at from waiting w cross join lateral (
      select d.center_id, d.webhook_id, d.next_at from cell.webhook_deliveries d
      where d.next_at is not null and (d.center_id, d.webhook_id) > (w.center_id, w.webhook_id)
      order by d.center_id, d.webhook_id, d.next_at limit 1) n
  ), free as (
    select e.center_id, e.webhook_id, e.lease_until is not null as taken_over
    from cell.webhook_endpoints e join waiting w using (center_id, webhook_id)
    where w.next_at <= at and (e.lease_until is null or e.lease_until <= at) and (e.not_before is null or e.not_before <= at)
    order by e.leased_at nulls first limit most for update of e skip locked
  )
  update cell.webhook_endpoints e set lease_epoch = e.lease_epoch + 1, lease_until = until, leased_at = at
  from free f where e.center_id = f.center_id and e.webhook_id = f.webhook_id
  returning e.center_id, e.webhook_id, e.lease_epoch, f.taken_over
$$;

-- One step of a pump: writes down what came of the last deliveries and how the endpoint is, keeps the lease, and answers
-- with what is due next; with the endpoint too, where the pump does not know its present version. When nothing is due and
-- the pump has nothing in hand (`idle`), the lease is given back. What it has in hand is due still, so it reads on from
-- where it was (`after_at`, `after_event`), and from the beginning once its hands are empty. Null when the lease is somebody else's by now: then
-- nothing is written. It is a transaction of its own, so the center is set here and forgotten at its end. Everything is
-- found by its key, which the planner is told because a sudden backlog has no statistics.
create function cell.pump_step(
  center integer, webhook uuid, epoch bigint, known_version integer, at timestamptz, until timestamptz, outcomes json,
  health json, after_at timestamptz, after_event uuid, most integer, idle boolean)
returns json
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  found_version integer;
  sending boolean;
  endpoint json;
  due json;
  put_aside integer := 0;
begin
  perform set_config('app.center_id', center::text, true);
  update cell.webhook_endpoints e set lease_until = until
  where e.center_id = center and e.webhook_id = webhook and e.lease_epoch = epoch;
  if not found then return null; end if;
  -- In one statement: whoever deletes a webhook takes its secrets in the same transaction.
  select w.version, w.active and w.deleted_at is null, case when w.version <> known_version then
      json_build_object('url', w.url, 'health', row_to_json(e), 'secrets', (
        select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'created_at', s.created_at,
          'expires_at', s.expires_at))
        from cell.webhook_secrets s where s.center_id = center and s.webhook_id = webhook)) end
  into found_version, sending, endpoint
  from cell.webhooks w join cell.webhook_endpoints e on e.center_id = center and e.webhook_id = w.id
  where w.center_id = center and w.id = webhook;

  if outcomes is not null then
    with o as (
      select * from json_to_recordset(outcomes) as o (
        event_id uuid, number integer, at timestamptz, ms integer, response_status integer, excerpt text, error text,
        message text, status text, failed_in_cycle integer, next_at timestamptz, sign_with uuid)
    ), logged as (
      insert into cell.webhook_attempts (
        center_id, webhook_id, event_id, number, at, ms, response_status, excerpt, error, message)
      select center, webhook, event_id, number, o.at, ms, response_status, excerpt, error, message from o
      -- A step whose answer was lost is made again.
      on conflict do nothing
    )
    update cell.webhook_deliveries d set status = o.status, attempts = o.number, attempted_at = o.at,
      response_status = o.response_status, sign_with = o.sign_with,
      -- Where somebody started the schedule again while this was under way, theirs stands.
      failed_in_cycle = case when o.status = 'failed' and d.failed_in_cycle <> o.failed_in_cycle - 1
        then d.failed_in_cycle else o.failed_in_cycle end,
      next_at = case when o.status = 'failed' and d.failed_in_cycle <> o.failed_in_cycle - 1
        then d.next_at else o.next_at end,
      -- Put aside while it was under way.
      held = false
    from o where d.center_id = center and d.webhook_id = webhook and d.event_id = o.event_id;
  end if;
  -- Who changed the webhook meanwhile may have wiped its record clean; what the pump remembers is older.
  if health is not null and found_version = known_version then
    update cell.webhook_endpoints e set not_before = h.not_before, failures = h.failures, failing_since = h.failing_since,
      learned_secret = h.learned_secret, last_delivery_at = h.last_delivery_at, last_delivery_status = h.last_delivery_status
    from json_to_record(health) as h (
      not_before timestamptz, failures integer, failing_since timestamptz, learned_secret uuid,
      last_delivery_at timestamptz, last_delivery_status text)
    where e.center_id = center and e.webhook_id = webhook;
  end if;

  if not sending then
    -- By place: a join would compare each with each as long as the table has no statistics of a sudden backlog.
    update cell.webhook_deliveries d set next_at = null, held = true
    where d.ctid = any (array(
      select f.ctid from cell.webhook_deliveries f
      where f.center_id = center and f.webhook_id = webhook and f.next_at <= pump_step.at
      order by f.next_at limit 1000));
    get diagnostics put_aside = row_count;
  elsif most > 0 then
    select json_agg(row_to_json(r) order by r.next_at, r.event_id) into due from (
      select d.event_id, d.next_at, d.created_at, d.attempts, d.failed_in_cycle, d.sign_with, d.event_type as type,
        e.public_id, e.data
      from (
        select * from cell.webhook_deliveries d
        where d.center_id = center and d.webhook_id = webhook and d.next_at <= pump_step.at
          and (d.next_at, d.event_id) > (coalesce(after_at, '-infinity'), coalesce(after_event, '00000000-0000-0000-0000-000000000000'))
        order by d.next_at, d.event_id limit most) d
      left join cell.webhook_events e on e.center_id = center and e.created_at = d.created_at and e.id = d.event_id) r;
  end if;
  idle := idle and due is null and put_aside = 0;
  if idle then
    update cell.webhook_endpoints e set lease_until = null where e.center_id = center and e.webhook_id = webhook;
  end if;
  return json_build_object(
    'version', found_version, 'sending', sending, 'endpoint', endpoint, 'due', due, 'held', put_aside, 'released', idle);
end $$;

-- Endpoints are looked for before any center is entered.
create policy survey on cell.webhook_endpoints to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy survey on cell.webhook_deliveries for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy survey on cell.webhooks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.webhook_deliveries for delete to cs_jobs using (created_at < now() - interval '30 days');
create policy expired on cell.webhook_event_ids to cs_jobs using (created_at < now() - interval '30 days');
create policy expired on cell.webhook_recoveries for delete to cs_jobs using (completed_at < now() - interval '30 days');
create policy survey on cell.webhook_recoveries for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- Sealed again when the key is rotated, and deleted when they have expired.
create policy survey on cell.webhook_secrets for select to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy seal_again on cell.webhook_secrets for update to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.webhook_secrets for delete to cs_jobs using (expires_at < now());

grant select, insert, update on cell.webhooks, cell.webhook_recoveries to cs_api;
grant select, insert, update, delete on cell.webhook_secrets to cs_api;
grant select, insert on cell.webhook_endpoints, cell.webhook_events, cell.webhook_event_ids to cs_api;
grant update (failures, failing_since, not_before, learned_secret) on cell.webhook_endpoints to cs_api;
grant select, insert, update (next_at, held, failed_in_cycle) on cell.webhook_deliveries to cs_api;
grant select on cell.webhook_attempts to cs_api;

grant select (center_id, id, events, active, deleted_at) on cell.webhooks to cs_sequencer;
grant insert on cell.webhook_events, cell.webhook_deliveries to cs_sequencer;

grant select, update on cell.webhooks to cs_jobs;
grant select, update, delete on cell.webhook_recoveries to cs_jobs;
-- By column: these are changed before any center is entered, and a row must not move to another.
grant select, update (lease_epoch, lease_until, leased_at, not_before, failures, failing_since, learned_secret,
  last_delivery_at, last_delivery_status) on cell.webhook_endpoints to cs_jobs;
grant select, update (sealed), delete on cell.webhook_secrets to cs_jobs;
grant select on cell.webhook_events to cs_jobs;
grant select, update, delete on cell.webhook_deliveries to cs_jobs;
grant select, delete on cell.webhook_event_ids to cs_jobs;
grant select, insert on cell.webhook_attempts to cs_jobs;
