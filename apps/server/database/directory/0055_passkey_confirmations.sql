set local role cs_owner;

-- Whether the center counts the key, as far as the directory knows. The center's cell decides: false may also mean that the
-- directory has not learnt it, so whoever is about to act on false reads the cell.
alter table directory.passkey_deliveries add column counts boolean not null default false;
grant update (counts) on directory.passkey_deliveries to cs_auth;
create index passkey_deliveries_waiting on directory.passkey_deliveries (delivered_at)
  where action = 'bound' and delivered_at is not null and not counts;

-- The passkey that last answered in this session, and when: at sign-in or at a step-up.
alter table directory.sessions
  add column passkey_id uuid references directory.passkeys,
  add column passkey_at timestamptz(3),
  add constraint sessions_passkey_check check ((passkey_id is null) = (passkey_at is null));

-- The center asks its ADMINs for a passkey that counts in it.
alter table directory.centers add column admin_passkeys boolean not null default false;
grant update (admin_passkeys) on directory.centers to cs_api;
