set local role cs_owner;

-- A way to sign in by OpenID Connect, for one center or for the centers of one partner. Issuer and client id never
-- change: accounts are linked to them.
create table directory.oidc_providers (
  id uuid primary key,
  center_id integer references directory.centers,
  partner_id uuid references directory.partners,
  name text not null check (length(name) between 1 and 200),
  issuer text not null,
  client_id text not null,
  -- The client secret, encrypted with SECRET_KEY.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint oidc_providers_one_owner check (num_nonnulls(center_id, partner_id) = 1),
  constraint oidc_providers_once unique nulls not distinct (center_id, partner_id, issuer, client_id)
);
create index oidc_providers_partner on directory.oidc_providers (partner_id) where partner_id is not null;
alter table directory.oidc_providers enable row level security, force row level security;
create policy sign_in on directory.oidc_providers to cs_auth using (true) with check (true);
create policy own on directory.oidc_providers to cs_api
  using (center_id = nullif(current_setting('app.center_id', true), '')::integer
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (center_id = nullif(current_setting('app.center_id', true), '')::integer
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
-- The operator deletes those of a center that has left.
create policy operator on directory.oidc_providers to cs_operator using (center_id is not null);
grant select (id, center_id), delete on directory.oidc_providers to cs_operator;
grant select, insert, update (name, sealed, updated_at), delete on directory.oidc_providers to cs_api;
grant select, update (sealed) on directory.oidc_providers to cs_auth;

-- Whom a provider signs in: by issuer and subject, never by email.
create table directory.oidc_accounts (
  provider_id uuid not null references directory.oidc_providers on delete cascade,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  actor_id uuid not null references directory.actors,
  -- The domain of the address when it was linked. The provider may sign in this account while its owner holds the domain.
  email_domain text not null,
  linked_at timestamptz(3) not null,
  linked_by text not null check (linked_by in ('sign_in', 'mail')),
  -- The name by which its person unlinks it.
  id uuid not null unique default gen_random_uuid(),
  primary key (provider_id, issuer, subject)
);
create index oidc_accounts_actor on directory.oidc_accounts (actor_id);
alter table directory.oidc_accounts enable row level security, force row level security;
create policy sign_in on directory.oidc_accounts to cs_auth using (true) with check (true);
grant select, insert, delete on directory.oidc_accounts to cs_auth;

-- A sign-in under way, used by deleting its row. `login`: the state that the provider returns. `link`: a proven identity
-- that is linked to nobody yet. `mail`: the same, with the token that was mailed. Each is bound to the cookie of a browser.
create table directory.oidc_attempts (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('login', 'link', 'mail')),
  provider_id uuid not null references directory.oidc_providers on delete cascade,
  center_id integer not null references directory.centers on delete cascade,
  browser bytea not null check (length(browser) = 32),
  -- Nonce and verifier, or the identity; encrypted with SECRET_KEY.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);
create index oidc_attempts_expiry on directory.oidc_attempts (expires_at);
create index oidc_attempts_provider on directory.oidc_attempts (provider_id);
alter table directory.oidc_attempts enable row level security, force row level security;
create policy sign_in on directory.oidc_attempts to cs_auth using (true) with check (true);
create policy expired on directory.oidc_attempts to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.oidc_attempts to cs_auth;
grant select, delete on directory.oidc_attempts to cs_jobs;

-- The way from a custom domain to the host of the service and back, used by deleting its row. `begun`: the person left the
-- custom domain. `code`: the person signed in, and returns with a code. Both are bound to a cookie of the custom domain.
create table directory.site_handoffs (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('begun', 'code')),
  site_id uuid not null references directory.domains on delete cascade,
  browser bytea not null check (length(browser) = 32),
  -- Of a code: the person, and the provider with which they signed in.
  actor_id uuid references directory.actors,
  provider_id uuid,
  expires_at timestamptz(3) not null,
  constraint site_handoffs_person check ((kind = 'code') = (actor_id is not null))
);
create index site_handoffs_expiry on directory.site_handoffs (expires_at);
create index site_handoffs_site on directory.site_handoffs (site_id);
alter table directory.site_handoffs enable row level security, force row level security;
create policy sign_in on directory.site_handoffs to cs_auth using (true) with check (true);
create policy expired on directory.site_handoffs to cs_jobs using (expires_at < now());
grant select, insert, delete on directory.site_handoffs to cs_auth;
grant select, delete on directory.site_handoffs to cs_jobs;

-- A session ends with the provider or the domain that it began with (access/queries.ts).
create trigger send_delete after delete on directory.oidc_providers for each row
  execute function directory.send_change('provider', 'id');
create trigger send_change after update of proven_at on directory.domains for each row
  when (old.proven_at is distinct from new.proven_at) execute function directory.send_change('domain', 'id');
create trigger send_delete after delete on directory.domains for each row execute function directory.send_change('domain', 'id');
