set local role cs_owner;

-- What happened that people are told of. Whoever changes something only adds a row, in the transaction of the change. It stays
-- for a while after it was told, so that a job that adds the same cause again adds nothing.
create table directory.message_causes (
  id text primary key check (length(id) between 1 and 200),
  event text not null check (length(event) <= 40),
  center_id integer references directory.centers on delete cascade,
  -- Ids and times, and no names: people are called as they are when the message is made.
  facts json not null,
  noted_at timestamptz(3) not null,
  told_at timestamptz(3),
  next_at timestamptz(3) not null,
  attempts integer not null default 0,
  expires_at timestamptz(3) not null
);
create index message_causes_due on directory.message_causes (next_at) where told_at is null;
create index message_causes_expiry on directory.message_causes (expires_at);
alter table directory.message_causes enable row level security, force row level security;
create policy entry on directory.message_causes to cs_auth using (true) with check (true);
create policy note on directory.message_causes for insert to cs_api with check (true);
create policy operator on directory.message_causes for insert to cs_operator with check (true);
create policy expired on directory.message_causes to cs_jobs using (expires_at < now());
grant insert on directory.message_causes to cs_api, cs_operator;
grant select, insert, update (told_at, next_at, attempts), delete on directory.message_causes to cs_auth;
grant select, delete on directory.message_causes to cs_jobs;

-- One message for each cause, person and channel, whoever asks for it and how often.
create table directory.messages_told (
  cause text not null,
  actor_id uuid not null references directory.actors,
  channel text not null check (channel in ('mail', 'push', 'text')),
  expires_at timestamptz(3) not null,
  primary key (cause, actor_id, channel)
);
create index messages_told_expiry on directory.messages_told (expires_at);
alter table directory.messages_told enable row level security, force row level security;
create policy entry on directory.messages_told to cs_auth using (true) with check (true);
create policy expired on directory.messages_told to cs_jobs using (expires_at < now());
grant select, insert on directory.messages_told to cs_auth;
grant select, delete on directory.messages_told to cs_jobs;

-- What a person turned on and off; without a row, the defaults.
create table directory.notification_settings (
  actor_id uuid primary key references directory.actors,
  settings json not null,
  changed_at timestamptz(3) not null
);
alter table directory.notification_settings enable row level security, force row level security;
create policy sign_in on directory.notification_settings to cs_auth using (true) with check (true);
grant select, insert, update, delete on directory.notification_settings to cs_auth;

-- Messages that wait for the one email of the day.
create table directory.digest_items (
  actor_id uuid not null references directory.actors,
  cause text not null,
  center_id integer references directory.centers on delete cascade,
  event text not null,
  url text not null,
  due_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (actor_id, cause)
);
create index digest_items_due on directory.digest_items (due_at);
create index digest_items_expiry on directory.digest_items (expires_at);
alter table directory.digest_items enable row level security, force row level security;
create policy entry on directory.digest_items to cs_auth using (true) with check (true);
create policy expired on directory.digest_items to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.digest_items to cs_auth;
grant select, delete on directory.digest_items to cs_jobs;

-- A notice is about a cause: that decisions wait in a center is one, and a newer decision replaces the notice.
alter table directory.push_notices drop constraint push_notices_pkey;
alter table directory.push_notices alter column center_id drop not null, alter column event_id drop not null;
alter table directory.push_notices add column cause text, add column message json;
update directory.push_notices set cause = 'decisions ' || center_id;
alter table directory.push_notices alter column cause set not null;
alter table directory.push_notices add primary key (session_id, cause);
alter table directory.push_notices add check (num_nonnulls(event_id, message) = 1 and (event_id is null or center_id is not null));

-- Jobs note what is near its end.
create policy ending on directory.api_keys for select to cs_jobs using (expires_at is not null and revoked_at is null);
grant select (id, center_id, expires_at, revoked_at) on directory.api_keys to cs_jobs;
