set local role cs_owner;

create table directory.sessions (
  id uuid primary key,
  actor_id uuid not null references directory.actors,
  center_id integer references directory.centers,
  created_at timestamptz(3) not null default now(),
  -- The time of the sign-in that it descends from: entering another center starts a session, and is not a sign-in.
  signed_in_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- The OpenID Connect provider and the custom domain that it began with: it enters only their centers, and ends when they
  -- are removed. No foreign key: a removed provider leaves the sessions that it ended.
  provider_id uuid,
  site_id uuid,
  -- The program and the machine of the sign-in, as words of ours; null where they are not known.
  browser text check (length(browser) <= 40),
  system text check (length(system) <= 40),
  revoked_at timestamptz(3),
  revoke_reason text check (revoke_reason in ('logout', 'switch', 'reuse', 'password', 'operator', 'unlinked'))
);
create index sessions_actor on directory.sessions (actor_id);
create index sessions_expiry on directory.sessions (expires_at);
alter table directory.sessions enable row level security, force row level security;
create policy sign_in on directory.sessions to cs_auth using (true) with check (true);
create policy expired on directory.sessions to cs_jobs using (expires_at < now());
grant select, insert, update on directory.sessions to cs_auth;
grant select, delete on directory.sessions to cs_jobs;

-- Every refresh token that was issued. `successor` is the next token, encrypted with a key derived from this token: a
-- second tab gets the same successor, and the database alone does not reveal it.
create table directory.refresh_tokens (
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references directory.sessions on delete cascade,
  generation integer not null,
  used_at timestamptz(3),
  -- Digest of the client that used it. Only that client, in another tab, gets the successor again.
  used_by bytea,
  successor bytea,
  -- A session has one token per generation, so it cannot have two valid tokens.
  unique (session_id, generation)
);
alter table directory.refresh_tokens enable row level security, force row level security;
create policy sign_in on directory.refresh_tokens to cs_auth using (true) with check (true);
grant select, insert, update on directory.refresh_tokens to cs_auth;

create table directory.sso_tokens (
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references directory.sessions on delete cascade,
  target_app text not null check (target_app in ('lms', 'cms', 'erp')),
  expires_at timestamptz(3) not null
);
create index sso_tokens_expiry on directory.sso_tokens (expires_at);
create index sso_tokens_session on directory.sso_tokens (session_id);
alter table directory.sso_tokens enable row level security, force row level security;
create policy sign_in on directory.sso_tokens to cs_auth using (true) with check (true);
create policy expired on directory.sso_tokens to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.sso_tokens to cs_auth;
grant select, delete on directory.sso_tokens to cs_jobs;

-- Private keys are encrypted with SECRET_KEY, which is not in the database.
create table directory.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  -- A key is published at once and signs from this time on, so that verifiers know it first.
  use_from timestamptz(3) not null,
  retired_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
alter table directory.signing_keys enable row level security, force row level security;
create policy sign_in on directory.signing_keys to cs_auth using (true) with check (true);
grant select, insert, update on directory.signing_keys to cs_auth;

create table directory.api_keys (
  center_id integer references directory.centers,
  id uuid not null,
  hash bytea not null unique check (length(hash) = 32),
  prefix text not null,
  name text not null,
  scopes text[] not null check (scopes <@ array['proof:read', 'proof:write', 'proof:approve', 'events:write'] and cardinality(scopes) > 0),
  -- Requests per minute. Null means the setting RATE_LIMIT_PROOF.
  rate_limit integer check (rate_limit > 0),
  -- The only actor as whom the key records, {id, type}. Null means any.
  bound_to jsonb check (jsonb_typeof(bound_to -> 'id') = 'string' and jsonb_typeof(bound_to -> 'type') = 'string'),
  created_by uuid references directory.actors,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (center_id, id),
  -- A key for sandboxes begins with csk_test_, any other key does not.
  constraint key_of_sandbox check (starts_with(prefix, 'csk_test_') = (center_id >= 1000000000))
);
select countersign.give_tenancy('directory.api_keys');
create policy sign_in on directory.api_keys for select to cs_auth using (true);
create policy operator on directory.api_keys to cs_operator using (true) with check (true);
create policy touch on directory.api_keys for update to cs_auth using (true) with check (true);
grant select, insert, update (revoked_at) on directory.api_keys to cs_api;
grant select, update (last_used_at) on directory.api_keys to cs_auth;
grant select, insert, update on directory.api_keys to cs_operator;
