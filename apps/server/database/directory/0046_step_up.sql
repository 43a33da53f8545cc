set local role cs_owner;

-- How the session began, and when its person last showed that it is them: in any way that a host of a center may serve, and
-- by their own password or passkey at the host of the service. A version before this writes neither, so a provider or a
-- site counts before `via`.
alter table directory.sessions
  add column via text not null default 'password' check (via in ('password', 'passkey', 'oidc', 'domain')),
  add column stepped_up_at timestamptz(3),
  add column proved_at timestamptz(3);

-- When the person who is handed over to a custom domain signed in; null from a version before this.
alter table directory.site_handoffs add column signed_in_at timestamptz(3);

alter table directory.passkey_challenges drop constraint passkey_challenges_kind_check;
alter table directory.passkey_challenges add constraint passkey_challenges_kind_check
  check (kind in ('login', 'register', 'confirm', 'step_up'));
