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
