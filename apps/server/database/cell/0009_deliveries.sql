set local role cs_owner;

-- The webhooks that a batch may publish to.
create function cell.load_webhooks(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(json_build_object('center_id', s.center_id, 'id', s.id, 'events', s.events, 'active', s.active))
    from (select distinct center_id from json_to_recordset(wanted) as w (center_id integer)) w
      join cell.webhooks s on s.center_id = w.center_id and s.deleted_at is null);
end $$;

-- Events and their deliveries are inserted in the transaction that causes them. Those that exist already are skipped.
create function cell.write_webhook_events(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.webhook_events (center_id, id, public_id, type, created_at, data)
  select center_id, id, public_id, type, created_at, data from json_to_recordset(inserted) as e (
    center_id integer, id uuid, public_id text, type text, created_at timestamptz, data text)
  on conflict do nothing;
end $$;

create function cell.write_deliveries(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
  select center_id, webhook_id, event_id, event_type, created_at, next_at, held from json_to_recordset(inserted) as d (
    center_id integer, webhook_id uuid, event_id uuid, event_type text, created_at timestamptz, next_at timestamptz,
    held boolean)
  on conflict do nothing;
end $$;

-- Makes endpoints due at the time of a delivery that this transaction schedules. The shared lock on the center prevents
-- that a worker misses a delivery that is not committed yet: see the end of pump_step.
-- Publications do not wait for each other on the row: an endpoint that is due already, as under load, is only read. Of
-- several that find it not due one updates it; the others wait for the commit of that one, all at once, and find it due.
-- Locks are taken in one order, and before those on deliveries that exist, as in pump_step; another order could deadlock.
create function cell.wake_endpoints(centers integer[], webhooks uuid[], at timestamptz[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  -- Transactions of the same moment differ by milliseconds, and would otherwise lower the time one after the other.
  few constant interval := '50 milliseconds';
  wanted record;
begin
  perform pg_advisory_xact_lock_shared(hashtext('cell.webhook_endpoints'), c.id)
  from (select distinct id from unnest(centers) c (id) order by id) c;
  -- Statements of their own: the snapshot of each is later than the locks before it.
  for wanted in
    select e.center_id, e.webhook_id, n.at, hashtext(e.webhook_id::text) as key
    from unnest(centers, webhooks, at) as n (center_id, webhook_id, at)
      join cell.webhook_endpoints e on e.center_id = n.center_id and e.webhook_id = n.webhook_id
    where e.due_at is null or e.due_at > greatest(n.at, e.not_before) + few
    order by key
  loop
    if not pg_try_advisory_xact_lock(hashtext('cell.wake_endpoints'), wanted.key) then
      perform pg_advisory_xact_lock_shared(hashtext('cell.wake_endpoints'), wanted.key);
    end if;
    update cell.webhook_endpoints e set due_at = greatest(wanted.at, e.not_before)
    where e.center_id = wanted.center_id and e.webhook_id = wanted.webhook_id
      and (e.due_at is null or e.due_at > greatest(wanted.at, e.not_before) + few);
  end loop;
end $$;

create function cell.wake_endpoints_of_inserted() returns trigger
language plpgsql as $$
begin
  perform cell.wake_endpoints(array_agg(center_id), array_agg(webhook_id), array_agg(at))
  from (
    select center_id, webhook_id, min(next_at) as at from inserted where next_at is not null group by center_id, webhook_id) i
  having count(*) > 0;
  return null;
end $$;
create trigger wake_endpoints after insert on cell.webhook_deliveries referencing new table as inserted
  for each statement execute function cell.wake_endpoints_of_inserted();

-- Leases endpoints that are due and have no valid lease, the longest-waiting first. An endpoint that is released with a
-- backlog is due again from then on, so that endpoints that fail slowly do not delay the others. `taken_over`: the previous
-- holder did not release its lease.
create function cell.lease_endpoints(at timestamptz, until timestamptz, most integer)
returns table (center_id integer, webhook_id uuid, epoch bigint, taken_over boolean)
language sql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with free as (
    select e.center_id, e.webhook_id, e.lease_until is not null as taken_over
    from cell.webhook_endpoints e
    where e.due_at <= at and (e.lease_until is null or e.lease_until <= at) and (e.not_before is null or e.not_before <= at)
    order by e.due_at limit most for update of e skip locked
  )
  update cell.webhook_endpoints e set lease_epoch = e.lease_epoch + 1, lease_until = until
  from free f where e.center_id = f.center_id and e.webhook_id = f.webhook_id
  returning e.center_id, e.webhook_id, e.lease_epoch, f.taken_over
$$;

-- One step of a delivery worker: stores the results of finished attempts and the state of the endpoint, renews the lease
-- and returns the deliveries that are due, plus the endpoint if its version changed. Returns null, and writes nothing,
-- when the lease has another epoch. Deliveries in flight are still due, so the worker reads on from (after_at,
-- after_event), and from the start once nothing is in flight. With `idle` (nothing in flight) and nothing due, it
-- releases the lease. It is one transaction, so app.center_id ends with it. Every row is found by its key; the planner
-- is told so because a sudden backlog has no statistics.
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
  -- One statement, one snapshot: a webhook and its secrets are deleted in one transaction.
  select w.version, w.active and w.deleted_at is null, case when w.version <> known_version then
      json_build_object('type', w.type, 'url', w.url, 'credentials', encode(w.credentials, 'base64'), 'subject', w.subject,
        'exchange', w.exchange, 'routing_key', w.routing_key, 'health', row_to_json(e), 'secrets', (
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
      -- The worker repeats a step whose response was lost.
      on conflict do nothing
    )
    update cell.webhook_deliveries d set status = o.status, attempts = o.number, attempted_at = o.at,
      response_status = o.response_status, sign_with = o.sign_with,
      -- A schedule that was restarted during the attempt is kept.
      failed_in_cycle = case when o.status = 'failed' and d.failed_in_cycle <> o.failed_in_cycle - 1
        then d.failed_in_cycle else o.failed_in_cycle end,
      next_at = case when o.status = 'failed' and d.failed_in_cycle <> o.failed_in_cycle - 1
        then d.next_at else o.next_at end,
      -- The delivery may have been held during the attempt.
      held = false
    from o where d.center_id = center and d.webhook_id = webhook and d.event_id = o.event_id;
  end if;
  -- A change of the webhook may have reset this state; the state of the worker is older.
  if health is not null and found_version = known_version then
    update cell.webhook_endpoints e set not_before = h.not_before, failures = h.failures, failing_since = h.failing_since,
      learned_secret = h.learned_secret, last_delivery_at = h.last_delivery_at, last_delivery_status = h.last_delivery_status
    from json_to_record(health) as h (
      not_before timestamptz, failures integer, failing_since timestamptz, learned_secret uuid,
      last_delivery_at timestamptz, last_delivery_status text)
    where e.center_id = center and e.webhook_id = webhook;
  end if;

  if not sending then
    -- By ctid: without statistics of a sudden backlog a join would compare every pair of rows.
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
    -- With the exclusive lock no transaction that schedules a delivery of this center is in progress, and the next statement
    -- sees all that ended. Without it one may have found the endpoint due and left it so: it stays due.
    if pg_try_advisory_xact_lock(hashtext('cell.webhook_endpoints'), center) then
      update cell.webhook_endpoints e set lease_until = null, due_at = (
        select greatest(d.next_at, e.not_before, pump_step.at) from cell.webhook_deliveries d
        where d.center_id = center and d.webhook_id = webhook and d.next_at is not null order by d.next_at limit 1)
      where e.center_id = center and e.webhook_id = webhook;
    else
      update cell.webhook_endpoints e set lease_until = null, due_at = greatest(pump_step.at, e.not_before)
      where e.center_id = center and e.webhook_id = webhook;
    end if;
  end if;
  return json_build_object(
    'version', found_version, 'sending', sending, 'endpoint', endpoint, 'due', due, 'held', put_aside, 'released', idle,
    'identity', case when due is not null then cell.database_identity() end);
end $$;
