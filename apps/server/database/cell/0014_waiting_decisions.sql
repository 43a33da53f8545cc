set local role cs_owner;

-- Open decisions for which a policy asks for an approval: what people find in their inbox, and what expires. It is an index
-- over the decisions and no source of rights: the seal judges anew. `seq` is that of the event and orders lists.
create table cell.waiting_decisions (
  center_id integer,
  event_id uuid not null,
  seq bigint not null,
  since timestamptz(3) not null,
  reasons text[] not null check (cardinality(reasons) > 0),
  policies json not null,
  expires_at timestamptz(3),
  -- When further members are asked; null when they were, or when no policy names any.
  escalates_at timestamptz(3),
  -- The number of versions of policies that it was judged under. Versions are only added, so another number is a change.
  versions bigint not null,
  -- Whether the members who may approve it are noted as to be told.
  told boolean not null default false,
  -- Whether chat channels are noted as to be told. Unlike `told` it is never reset: no channel hears twice of a decision.
  announced boolean not null default false,
  primary key (center_id, event_id)
);
create index waiting_decisions_newest on cell.waiting_decisions (center_id, seq);
create index waiting_decisions_expiry on cell.waiting_decisions (expires_at) where expires_at is not null;
create index waiting_decisions_untold on cell.waiting_decisions (center_id) where not told;
select countersign.give_tenancy('cell.waiting_decisions');
create policy survey on cell.waiting_decisions for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert on cell.waiting_decisions to cs_api, cs_recorder;
grant select, insert, delete on cell.waiting_decisions to cs_sequencer;
grant select, update, delete on cell.waiting_decisions to cs_jobs;

-- When a member opened a decision for the first time.
create table cell.decision_openings (
  center_id integer,
  event_id uuid not null,
  actor_id uuid not null,
  opened_at timestamptz(3) not null,
  primary key (center_id, event_id, actor_id)
);
select countersign.give_tenancy('cell.decision_openings');
select countersign.make_append_only('cell.decision_openings');
grant select, insert on cell.decision_openings to cs_api;

create table cell.decision_comments (
  center_id integer,
  event_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  author_name text not null,
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz(3) not null,
  primary key (center_id, event_id, id)
);
select countersign.give_tenancy('cell.decision_comments');
grant select, insert on cell.decision_comments to cs_api;

-- At most one deputy per member. An absence that has ended remains until the member names another one.
create table cell.deputies (
  center_id integer,
  actor_id uuid not null,
  deputy_id uuid not null check (deputy_id <> actor_id),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  primary key (center_id, actor_id)
);
create index deputies_of on cell.deputies (center_id, deputy_id);
select countersign.give_tenancy('cell.deputies');
grant select, insert, update on cell.deputies to cs_api;
grant select on cell.deputies to cs_sequencer, cs_jobs;

-- Members who are to be told that decisions wait for them: as many times as `owed` exceeds `told`, in one mail.
create table cell.approval_notices (
  center_id integer,
  actor_id uuid not null,
  owed bigint not null,
  told bigint not null default 0 check (told <= owed),
  primary key (center_id, actor_id)
);
create index approval_notices_owed on cell.approval_notices (center_id) where told < owed;
select countersign.give_tenancy('cell.approval_notices');
create policy survey on cell.approval_notices for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update (owed, told) on cell.approval_notices to cs_jobs;

-- Chat channels that are told that decisions wait: of as many as `owed` exceeds `told`, in one message.
create table cell.notification_channels (
  center_id integer,
  id uuid not null,
  kind text not null check (kind in ('slack', 'teams', 'mattermost')),
  name text not null check (length(name) between 1 and 100),
  host text not null,
  -- The URL, which is a secret, encrypted with a key that is not in the database.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  active boolean not null default true,
  -- Set when the server disabled the channel.
  disabled_reason text check (disabled_reason is null or not active),
  owed bigint not null default 0,
  told bigint not null default 0 check (told <= owed),
  -- A test message is to be sent, also to a disabled channel.
  testing boolean not null default false,
  -- No message before: ten minutes after the last one, or a pause after a failure.
  not_before timestamptz(3),
  -- Consecutive failures, and the time of the first one.
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_sent_at timestamptz(3),
  last_status text check (last_status in ('success', 'failed')),
  last_message text,
  -- The lease of the worker that sends; lease_epoch is the fencing token.
  lease_epoch bigint not null default 0,
  lease_until timestamptz(3),
  primary key (center_id, id)
);
create index notification_channels_due on cell.notification_channels (not_before) where testing or active and told < owed;
select countersign.give_tenancy('cell.notification_channels');
-- Workers look for channels while app.center_id is not set. UPDATE is granted by column, without center_id.
create policy survey on cell.notification_channels to cs_jobs using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, delete, update (testing) on cell.notification_channels to cs_api;
grant select, update (sealed, active, disabled_reason, owed, told, testing, not_before, failures, failing_since, last_sent_at,
  last_status, last_message, lease_epoch, lease_until) on cell.notification_channels to cs_jobs;

-- Statements that passkeys may sign, by their challenge: for one member and one decision or one record whose level is raised,
-- once, for five minutes.
create table cell.approval_challenges (
  center_id integer,
  challenge text not null,
  event_id uuid,
  dpu_id uuid,
  actor_id uuid not null,
  statement json not null,
  reason_salt text,
  expires_at timestamptz(3) not null,
  primary key (center_id, challenge),
  check (num_nonnulls(event_id, dpu_id) = 1)
);
create index approval_challenges_expiry on cell.approval_challenges (expires_at);
select countersign.give_tenancy('cell.approval_challenges');
create policy expired on cell.approval_challenges to cs_jobs using (expires_at < now());
grant select on cell.approval_challenges to cs_api;
grant select, delete on cell.approval_challenges to cs_jobs;
-- UPDATE for the lock: two batches do not spend the same challenge.
grant select, insert, update, delete on cell.approval_challenges to cs_sequencer;

create function cell.hold_challenges(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(c)) from (
    select h.* from cell.approval_challenges h
      join (select distinct center_id, challenge from json_to_recordset(wanted) as k (center_id integer, challenge text)) k
        using (center_id, challenge)
    order by h.center_id, h.challenge for update of h) c);
end $$;

-- A challenge that is written again is spent.
create function cell.write_challenges(inserted json, updated json) returns void
language plpgsql as $$
begin
  delete from cell.approval_challenges h using json_to_recordset(updated) as k (center_id integer, challenge text)
  where h.center_id = k.center_id and h.challenge = k.challenge;
  insert into cell.approval_challenges (center_id, challenge, event_id, dpu_id, actor_id, statement, reason_salt, expires_at)
  select center_id, challenge, event_id, dpu_id, actor_id, statement, reason_salt, expires_at
  from json_to_recordset(inserted) as k (
    center_id integer, challenge text, event_id uuid, dpu_id uuid, actor_id uuid, statement json, reason_salt text,
    expires_at timestamptz);
end $$;

-- Changes whenever the policies of a center or the shared ones change: versions are only added.
create function cell.policy_version_count(center integer) returns bigint
language sql stable as $$
  select (select count(*) from cell.policy_versions v where v.center_id = center) + (select count(*) from cell.shared_policies)
$$;

-- The policies in force of each center with the number of versions, which shows later whether a copy is still valid.
create function cell.policy_copies(centers integer[]) returns table (center_id integer, versions bigint, policies json)
language sql stable as $$
  with shared as (
    select distinct on (id) id, version, policy, digest, withdrawn from cell.shared_policies order by id, version desc
  )
  select c, cell.policy_version_count(c), (
    select coalesce(json_agg(json_build_object('center_id', p.center_id, 'id', p.id, 'version', p.version,
      'policy', p.policy, 'digest', p.digest)), '[]')
    from (
      select null::integer as center_id, s.id, s.version, s.policy, s.digest from shared s where not s.withdrawn
      union all
      select n.center_id, n.id, n.version, n.policy, n.digest from cell.newest_policies(array[c]) n where not n.deleted) p)
  from unnest(centers) c
$$;

-- The same as one round trip for the recorder.
create function cell.copy_policies(centers integer[]) returns table (center_id integer, versions bigint, policies json)
language plpgsql as $$
begin
  perform set_config('app.center_ids', centers::text, true);
  return query select * from cell.policy_copies(centers);
end $$;

-- Notes decisions that wait; the event is open, and in the same transaction or before. `message` is the data of the event
-- `agent.approval.requested`, published once: it has the UUID and the time of its decision.
create function cell.begin_waiting(rows json) returns void
language plpgsql as $$
begin
  insert into cell.waiting_decisions (center_id, event_id, seq, since, reasons, policies, expires_at, escalates_at, versions)
  select d.center_id, d.id, d.seq, w.since, w.reasons, w.policies, w.expires_at, w.escalates_at,
    coalesce(w.versions, cell.policy_version_count(w.center_id))
  from json_to_recordset(rows) as w (
      center_id integer, event_id uuid, since timestamptz, reasons text[], policies json, expires_at timestamptz,
      escalates_at timestamptz, versions bigint)
    join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id and d.status in ('recorded', 'approved')
  order by 1, 2
  on conflict do nothing;
  with asked as (
    select d.center_id, d.id, d.created_at, w.message
    from json_to_recordset(rows) as w (center_id integer, event_id uuid, message text)
      join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.message is not null
  ), listening as (
    select a.*, h.id as webhook_id, h.active
    from asked a join cell.webhooks h on h.center_id = a.center_id and h.deleted_at is null
      and h.events && array['*', 'agent.*', 'agent.approval.*', 'agent.approval.requested']
  ), published as (
    insert into cell.webhook_events (center_id, id, type, created_at, data)
    select distinct on (center_id, id) center_id, id, 'agent.approval.requested', created_at, message from listening
    on conflict do nothing
  )
  insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at, held)
  select center_id, webhook_id, id, 'agent.approval.requested', created_at, case when active then created_at end, not active
  from listening
  on conflict do nothing;
end $$;

-- What the batch of an approval reads: since when its decision waits.
create function cell.load_waiting(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(w))
    from (select distinct center_id, event_id from json_to_recordset(wanted) as k (center_id integer, event_id uuid)) k
      join cell.waiting_decisions w using (center_id, event_id));
end $$;

create function cell.write_waiting(inserted json, updated json) returns void
language plpgsql as $$
begin
  perform cell.begin_waiting(inserted);
end $$;
