set local role cs_owner;

-- Browsers that are told that decisions wait: at most one for each session, and it ends with the session. A session that
-- enters another center passes it on to its successor.
create table directory.push_subscriptions (
  session_id uuid primary key references directory.sessions on delete cascade,
  actor_id uuid not null references directory.actors,
  -- Of the endpoint: a browser has one subscription, whichever person signs in there.
  endpoint_hash bytea not null unique check (length(endpoint_hash) = 32),
  -- Endpoint and keys, encrypted: with them a server can send to the browser.
  sealed bytea not null,
  created_at timestamptz(3) not null
);
create index push_subscriptions_actor on directory.push_subscriptions (actor_id, created_at);
alter table directory.push_subscriptions enable row level security, force row level security;
create policy sign_in on directory.push_subscriptions to cs_auth using (true) with check (true);
grant select, insert, update (session_id), delete on directory.push_subscriptions to cs_auth;

create function directory.end_push() returns trigger
language plpgsql as $$
begin
  delete from directory.push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger end_push after update of revoked_at on directory.sessions for each row
  when (new.revoked_at is not null and new.revoke_reason <> 'switch')
  execute function directory.end_push();

-- What is to be sent, one row for each browser and center: a further decision changes the row that waits.
create table directory.push_notices (
  session_id uuid references directory.push_subscriptions on update cascade on delete cascade,
  center_id integer references directory.centers on delete cascade,
  -- The newest decision that waits; the link leads to it.
  event_id uuid not null,
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (session_id, center_id)
);
create index push_notices_due on directory.push_notices (next_at);
create index push_notices_expiry on directory.push_notices (expires_at);
alter table directory.push_notices enable row level security, force row level security;
create policy entry on directory.push_notices to cs_auth using (true) with check (true);
create policy expired on directory.push_notices to cs_jobs using (expires_at < now());
grant select, insert, update (event_id, attempts, next_at, expires_at), delete on directory.push_notices to cs_auth;
grant select, delete on directory.push_notices to cs_jobs;
