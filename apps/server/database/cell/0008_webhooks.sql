set local role cs_owner;

-- Endpoints that a center registered, and the event types that each one subscribes to.
create table cell.webhooks (
  center_id integer,
  id uuid not null,
  type text not null default 'http' check (type in ('http', 'nats', 'rabbitmq')),
  -- Without credentials.
  url text not null,
  -- Of a broker: user and password, encrypted with a key that is not in the database.
  credentials bytea check (credentials is null or type <> 'http'),
  subject text check ((subject is not null) = (type = 'nats')),
  exchange text check ((exchange is not null) = (type = 'rabbitmq')),
  routing_key text check ((routing_key is not null) = (type = 'rabbitmq')),
  events text[] not null,
  description text not null,
  active boolean not null,
  -- Set when the server disabled the webhook, not its owner.
  disabled_reason text check (disabled_reason is null or not active),
  -- Incremented by every change, so that a worker with a lease reads the webhook again.
  version integer not null default 1,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.webhooks');
create policy survey on cell.webhooks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update on cell.webhooks to cs_api;
grant select (center_id, id, events, active, deleted_at) on cell.webhooks to cs_recorder, cs_sequencer;
grant select, update on cell.webhooks to cs_jobs;

create table cell.webhook_secrets (
  center_id integer,
  webhook_id uuid not null,
  id uuid not null,
  -- Encrypted with a key that is not in the database.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  -- Null for the newest secret. Older secrets are valid until this time.
  expires_at timestamptz(3),
  primary key (center_id, webhook_id, id)
);
create unique index webhook_secrets_newest on cell.webhook_secrets (center_id, webhook_id) where expires_at is null;
select countersign.give_tenancy('cell.webhook_secrets');
-- Housekeeping encrypts secrets again after a key rotation, and deletes expired ones.
create policy survey on cell.webhook_secrets for select to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy seal_again on cell.webhook_secrets for update to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.webhook_secrets for delete to cs_jobs using (expires_at < now());
grant select, insert, update, delete on cell.webhook_secrets to cs_api;
grant select, update (sealed), delete on cell.webhook_secrets to cs_jobs;

-- The state of an endpoint. The holder of its lease writes it; lease_epoch is the fencing token.
create table cell.webhook_endpoints (
  center_id integer,
  webhook_id uuid not null,
  lease_epoch bigint not null default 0,
  lease_until timestamptz(3),
  -- At most 50 ms after the first scheduled delivery, unless a pause ends later; null without one. An endpoint stays due
  -- while it is leased. Workers look for endpoints by this time alone, whatever is scheduled for later.
  due_at timestamptz(3),
  -- Set by Retry-After.
  not_before timestamptz(3),
  -- Consecutive failures, and the time of the first one.
  failures integer not null default 0,
  failing_since timestamptz(3),
  -- The secret that the consumer last accepted, while more than one is valid.
  learned_secret uuid,
  last_delivery_at timestamptz(3),
  last_delivery_status text,
  primary key (center_id, webhook_id)
) with (fillfactor = 50);
-- Steps of a delivery worker change no column of it, so that they stay in the page of the row.
create index webhook_endpoints_due on cell.webhook_endpoints (due_at) where due_at is not null;
select countersign.give_tenancy('cell.webhook_endpoints');
-- Workers look for endpoints while app.center_id is not set. UPDATE is granted by column, without center_id.
create policy survey on cell.webhook_endpoints to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update (due_at, not_before, failures, failing_since, learned_secret) on cell.webhook_endpoints to cs_api;
grant select (center_id, webhook_id, due_at, not_before), update (due_at) on cell.webhook_endpoints to cs_recorder, cs_sequencer;
grant select, update (lease_epoch, lease_until, due_at, not_before, failures, failing_since, learned_secret,
  last_delivery_at, last_delivery_status) on cell.webhook_endpoints to cs_jobs;

-- `data` is text: every attempt sends and signs the same characters.
create table cell.webhook_events (
  center_id integer,
  created_at timestamptz(3) not null,
  id uuid not null,
  -- The id that a companion app gave; other events derive their id from the UUID.
  public_id text,
  type text not null,
  data text not null,
  primary key (center_id, created_at, id)
) partition by range (created_at);
select countersign.give_tenancy('cell.webhook_events');
grant select, insert on cell.webhook_events to cs_api, cs_jobs;
grant insert on cell.webhook_events to cs_recorder, cs_sequencer;

-- Ids that companion apps gave to their events. An id is used once.
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
create policy expired on cell.webhook_event_ids to cs_jobs using (created_at < now() - interval '30 days');
grant select, insert on cell.webhook_event_ids to cs_api;
grant select, delete on cell.webhook_event_ids to cs_jobs;

-- One row per event and endpoint; the row is the queue entry. Event ids are UUIDv7, so the primary key is also the order
-- of lists. next_at is null when no attempt is scheduled: the delivery succeeded, failed for good or is held.
create table cell.webhook_deliveries (
  center_id integer,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  created_at timestamptz(3) not null,
  next_at timestamptz(3),
  held boolean not null default false,
  attempts integer not null default 0,
  -- Failed attempts in the current schedule. A manual retry starts a new schedule.
  failed_in_cycle integer not null default 0,
  -- The result of the last attempt.
  status text check (status in ('success', 'failed')),
  attempted_at timestamptz(3),
  response_status integer,
  -- The secret for the next attempt, after a response that suggests a wrong signature.
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
create policy survey on cell.webhook_deliveries for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.webhook_deliveries for delete to cs_jobs using (created_at < now() - interval '30 days');
grant select, insert, update (next_at, held, failed_in_cycle) on cell.webhook_deliveries to cs_api;
grant insert on cell.webhook_deliveries to cs_recorder, cs_sequencer;
grant select, insert, update, delete on cell.webhook_deliveries to cs_jobs;

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
grant select on cell.webhook_attempts to cs_api;
grant select, insert on cell.webhook_attempts to cs_jobs;

create table cell.webhook_recoveries (
  center_id integer,
  id uuid not null,
  webhook_id uuid not null,
  since timestamptz(3) not null,
  -- The last event that was processed.
  seen uuid,
  total integer not null,
  recovered integer not null default 0,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (center_id, id)
);
-- At most one running recovery per webhook.
create unique index webhook_recoveries_running on cell.webhook_recoveries (center_id, webhook_id) where completed_at is null;
select countersign.give_tenancy('cell.webhook_recoveries');
create policy survey on cell.webhook_recoveries for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
create policy expired on cell.webhook_recoveries for delete to cs_jobs using (completed_at < now() - interval '30 days');
grant select, insert, update on cell.webhook_recoveries to cs_api;
grant select, update, delete on cell.webhook_recoveries to cs_jobs;

-- Rows are in weekly partitions: dropping a partition costs less than deleting its rows. A row whose time has no
-- partition, as after a wrong clock, goes to the default partition instead of being refused.
create table cell.webhook_events_other partition of cell.webhook_events default;
create table cell.webhook_attempts_other partition of cell.webhook_attempts default;
alter table cell.webhook_events_other enable row level security;
alter table cell.webhook_attempts_other enable row level security;

create function cell.keep_webhook_weeks(at timestamptz, kept interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  parent text;
  week timestamp;
  name text;
  bound timestamp;
begin
  perform pg_advisory_xact_lock(hashtext('cell.keep_webhook_weeks'));
  -- DROP locks the parent. pump_step uses the tables in the same order; another order could deadlock.
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
        -- A query of the parent applies the policies of the parent; a query of the partition returns no row.
        execute format('alter table cell.%I enable row level security, force row level security', name);
      -- The default partition has rows of this week; they stay there.
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
select cell.keep_webhook_weeks(now(), interval '30 days');
