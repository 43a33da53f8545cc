create schema directory authorization cs_owner;
grant usage on schema directory to cs_api, cs_auth, cs_jobs, cs_operator;

set local role cs_owner;

-- Tables without center_id have forced row-level security too: without a policy a role sees no row. cs_auth reads them
-- before a center is known; cs_operator is the operator's command line.

create table directory.actors (
  id uuid primary key,
  email text check (email = lower(email)),
  email_verified_at timestamptz(3),
  phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  phone_verified_at timestamptz(3),
  name text not null,
  -- Shown where no center is entered. Permissions come from memberships only.
  role text not null default 'CHILD' check (role in ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD')),
  is_operator boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index actors_verified_email on directory.actors (email) where email_verified_at is not null;
create index actors_verified_phone on directory.actors (phone) where phone_verified_at is not null;
alter table directory.actors enable row level security, force row level security;
create policy sign_in on directory.actors to cs_auth using (true) with check (true);
create policy operator on directory.actors to cs_operator using (true) with check (true);
create policy self on directory.actors for select to cs_api using (id = nullif(current_setting('app.actor_id', true), '')::uuid);
-- An administrator invites a person whose address is not verified yet.
create policy newcomer on directory.actors for insert to cs_api
  with check (not is_operator and email_verified_at is null and phone_verified_at is null);
grant select (id, email, name), insert (id, email, name) on directory.actors to cs_api;
grant select, insert (id, email, email_verified_at, name, role), update (email_verified_at) on directory.actors to cs_auth;
grant select, insert, update on directory.actors to cs_operator;

create table directory.credentials (
  actor_id uuid primary key references directory.actors,
  password_hash text not null,
  updated_at timestamptz(3) not null default now()
);
alter table directory.credentials enable row level security, force row level security;
create policy sign_in on directory.credentials to cs_auth using (true) with check (true);
create policy operator on directory.credentials to cs_operator using (true) with check (true);
grant select, insert, update on directory.credentials to cs_auth, cs_operator;

-- A login identifier belongs to one credential, though several actors may share the address.
create table directory.login_identifiers (
  identifier text primary key,
  actor_id uuid not null references directory.credentials
);
alter table directory.login_identifiers enable row level security, force row level security;
create policy sign_in on directory.login_identifiers to cs_auth using (true) with check (true);
create policy operator on directory.login_identifiers to cs_operator using (true) with check (true);
grant select, insert on directory.login_identifiers to cs_auth;
grant select, insert, update on directory.login_identifiers to cs_operator;

create table directory.password_resets (
  hash bytea primary key check (length(hash) = 32),
  actor_id uuid not null references directory.actors,
  expires_at timestamptz(3) not null
);
create index password_resets_expiry on directory.password_resets (expires_at);
alter table directory.password_resets enable row level security, force row level security;
create policy entry on directory.password_resets to cs_auth using (true) with check (true);
create policy expired on directory.password_resets to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.password_resets to cs_auth;
grant select, delete on directory.password_resets to cs_jobs;

-- One row for each address that asked for an account, also where it has one: the row limits mails to one a minute, and
-- both cases write the same.
create table directory.sign_ups (
  identifier text primary key,
  hash bytea not null unique check (length(hash) = 32),
  email text not null check (email = lower(email)),
  name text not null check (name !~ '[[:cntrl:]]' and length(name) between 1 and 200),
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_ups_expiry on directory.sign_ups (expires_at);
alter table directory.sign_ups enable row level security, force row level security;
create policy entry on directory.sign_ups to cs_auth using (true) with check (true);
create policy expired on directory.sign_ups to cs_jobs using (expires_at < now());
grant select, insert, update (hash, name, asked_at, expires_at), delete on directory.sign_ups to cs_auth;
grant select, delete on directory.sign_ups to cs_jobs;

-- Mail is inserted, encrypted because it contains single-use tokens, by the transaction that causes it. It is sent after
-- the commit and then deleted; a job sends what a crash left behind.
create table directory.mails (
  id uuid primary key,
  sealed bytea not null,
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index mails_due on directory.mails (next_at);
alter table directory.mails enable row level security, force row level security;
create policy entry on directory.mails to cs_auth using (true) with check (true);
create policy expired on directory.mails to cs_jobs using (expires_at < now());
create policy send on directory.mails for insert to cs_api with check (true);
create policy operator on directory.mails for insert to cs_operator with check (true);
grant insert on directory.mails to cs_api, cs_operator;
grant select, insert, update (attempts, next_at), delete on directory.mails to cs_auth;
grant select, delete on directory.mails to cs_jobs;

-- Addresses that were told lately that decisions wait, whatever the center: until expires_at they get no further mail of
-- this kind.
create table directory.told_addresses (
  address text primary key,
  expires_at timestamptz(3) not null
);
create index told_addresses_expiry on directory.told_addresses (expires_at);
alter table directory.told_addresses enable row level security, force row level security;
create policy entry on directory.told_addresses to cs_auth using (true) with check (true);
create policy expired on directory.told_addresses to cs_jobs using (expires_at < now());
grant select, insert, update (expires_at) on directory.told_addresses to cs_auth;
grant select, delete on directory.told_addresses to cs_jobs;
