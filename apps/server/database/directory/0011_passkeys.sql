set local role cs_owner;

-- The host that passkeys belong to (rpId of WebAuthn). It is stored at the first start and never changes: another host
-- makes every passkey useless.
create table directory.passkey_host (
  only_row boolean primary key default true check (only_row),
  rp_id text not null
);
select countersign.make_append_only('directory.passkey_host');
alter table directory.passkey_host enable row level security, force row level security;
create policy sign_in on directory.passkey_host to cs_auth using (true) with check (true);
grant select, insert on directory.passkey_host to cs_auth;

-- The random name under which authenticators know a person. It is never exported.
create table directory.passkey_users (
  actor_id uuid primary key references directory.actors,
  handle bytea not null unique check (length(handle) = 32)
);
select countersign.make_append_only('directory.passkey_users');
alter table directory.passkey_users enable row level security, force row level security;
create policy sign_in on directory.passkey_users to cs_auth using (true) with check (true);
grant select, insert on directory.passkey_users to cs_auth;

-- A credential and a key are bound to one person, once. A removed row stays, so that nobody can bind them again.
create table directory.passkeys (
  id uuid primary key,
  actor_id uuid not null references directory.actors,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  thumbprint text not null unique check (length(thumbprint) = 43),
  -- The public key, as a JWK and as the authenticator sent it.
  key jsonb not null,
  cose bytea not null,
  transports text[] not null default '{}',
  name text check (length(name) <= 64),
  counter bigint not null check (counter >= 0),
  aaguid text not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  -- What the new key signed, and its signature.
  statement jsonb not null,
  assertion jsonb not null,
  -- An older key of the same person, and its signature over the same statement. Null: the person was told by mail.
  confirmed_by uuid references directory.passkeys,
  confirmation jsonb,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  check ((confirmed_by is null) = (confirmation is null)),
  check (confirmed_by <> id)
);
create index passkeys_actor on directory.passkeys (actor_id);
create trigger kept before delete on directory.passkeys for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on directory.passkeys for each statement execute function countersign.refuse_change();
create trigger removed_for_good before update on directory.passkeys for each row
  when (old.removed_at is not null and new.removed_at is distinct from old.removed_at)
  execute function countersign.refuse_change();
alter table directory.passkeys enable row level security, force row level security;
create policy sign_in on directory.passkeys to cs_auth using (true) with check (true);
grant select, insert, update (counter, last_used_at, removed_at) on directory.passkeys to cs_auth;

-- A challenge is used by deleting its row, for the purpose that the row names. Challenges of approvals are in the cells.
create table directory.passkey_challenges (
  challenge bytea primary key check (length(challenge) = 32),
  kind text not null check (kind in ('login', 'register', 'confirm')),
  -- The person and the session that asked; null at sign-in, before a person is known.
  actor_id uuid references directory.actors,
  session_id uuid,
  -- What a signature completes: the new key and its statement, or the statement of a confirmation. Null for the
  -- challenges that sign no statement.
  pending jsonb,
  expires_at timestamptz(3) not null,
  check ((kind = 'login') = (actor_id is null) and (kind = 'login') = (session_id is null)),
  check (case kind when 'login' then pending is null when 'confirm' then pending is not null else true end)
);
create index passkey_challenges_expiry on directory.passkey_challenges (expires_at);
alter table directory.passkey_challenges enable row level security, force row level security;
create policy sign_in on directory.passkey_challenges to cs_auth using (true) with check (true);
create policy expired on directory.passkey_challenges to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.passkey_challenges to cs_auth;
grant select, delete on directory.passkey_challenges to cs_jobs;

-- The outbox to the cells: which center has to seal that a key is bound or removed. A row is written once and stays, so a
-- removal reaches every center that has sealed the binding or will.
create table directory.passkey_deliveries (
  passkey_id uuid not null references directory.passkeys,
  center_id integer not null references directory.centers,
  action text not null check (action in ('bound', 'removed')),
  next_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  primary key (passkey_id, center_id, action)
);
create index passkey_deliveries_due on directory.passkey_deliveries (next_at) where delivered_at is null;
alter table directory.passkey_deliveries enable row level security, force row level security;
create policy sign_in on directory.passkey_deliveries to cs_auth using (true) with check (true);
grant select, insert, update (next_at, delivered_at) on directory.passkey_deliveries to cs_auth;

-- People whose keys or centers have changed. The change writes the row, and the worker that reads it after the commit sees
-- every key and every membership that was committed before. There is no unique key: of two equal rows the second may be
-- about a later change.
create table directory.passkey_joins (
  id bigint generated always as identity primary key,
  actor_id uuid not null
);
alter table directory.passkey_joins enable row level security, force row level security;
create policy sign_in on directory.passkey_joins to cs_auth using (true) with check (true);
create policy joined on directory.passkey_joins for insert to cs_api, cs_operator with check (true);
grant insert on directory.passkey_joins to cs_api, cs_operator;
grant select, insert, delete on directory.passkey_joins to cs_auth;

-- The first argument is the column with the actor.
create function directory.note_passkey_join() returns trigger
language plpgsql as $$
begin
  insert into directory.passkey_joins (actor_id) values ((to_jsonb(new) ->> tg_argv[0])::uuid);
  return null;
end $$;
create trigger note_join after insert on directory.memberships for each row when (new.status = 'ACTIVE')
  execute function directory.note_passkey_join('actor_id');
create trigger note_activation after update of status on directory.memberships for each row
  when (new.status = 'ACTIVE' and old.status <> 'ACTIVE') execute function directory.note_passkey_join('actor_id');
-- A verified address joins the people who share it: each enters the centers of the others.
create trigger note_family after update of email, email_verified_at, phone, phone_verified_at on directory.actors
  for each row when ((old.email, old.email_verified_at is null, old.phone, old.phone_verified_at is null)
    is distinct from (new.email, new.email_verified_at is null, new.phone, new.phone_verified_at is null))
  execute function directory.note_passkey_join('id');

-- Takes the oldest changes and writes the deliveries that they cause: each live key of the person's family is bound in
-- every center that its owner may enter, and a removed one is removed wherever it was bound. Returns the number of changes
-- taken. The lock comes before the snapshots of the other statements, so none of them misses the rows of another call.
create function directory.take_passkey_changes(most integer, at timestamptz) returns integer
language plpgsql as $$
declare
  people uuid[];
begin
  perform pg_advisory_xact_lock(hashtext('directory.passkey_joins'));
  with taken as (
    delete from directory.passkey_joins where id in (select id from directory.passkey_joins order by id limit most)
    returning actor_id)
  select array_agg(actor_id) into people from taken;
  insert into directory.passkey_deliveries (passkey_id, center_id, action, next_at)
  select distinct p.id, m.center_id, 'bound', at
  from (select distinct f.id from unnest(people) as one (id) cross join lateral directory.family_of(one.id) as f (id)) family
  join directory.passkeys p on p.actor_id = family.id and p.removed_at is null
  cross join lateral directory.family_memberships(p.actor_id) m
  where m.status = 'ACTIVE'
  on conflict do nothing;
  insert into directory.passkey_deliveries (passkey_id, center_id, action, next_at)
  select d.passkey_id, d.center_id, 'removed', at
  from directory.passkeys p join directory.passkey_deliveries d on d.passkey_id = p.id and d.action = 'bound'
  where p.actor_id = any (people) and p.removed_at is not null
  on conflict do nothing;
  return coalesce(cardinality(people), 0);
end $$;
