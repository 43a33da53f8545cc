set local role cs_owner;

-- The language that the service writes to a person in; null: that of the center.
alter table directory.actors add column language text check (language in ('ko', 'en'));

-- A person changes the own name, here and where centers know it. Until a suspended member is back, the center knows the name too.
grant update (name, language) on directory.actors to cs_auth;
create policy renamed on directory.memberships for update to cs_auth using (true) with check (status = 'SUSPENDED');
-- The policies see only the new row: without this, whoever signs in could suspend any member, and readmit one who is suspended.
create trigger entry_by_invitation before update of status on directory.memberships for each row
  when (current_user = 'cs_auth' and new.status <> old.status and new.status not in ('ENDED', 'REJECTED')
    and not (old.status in ('INVITED', 'PENDING') and new.status in ('PENDING', 'ACTIVE')))
  execute function countersign.refuse_change();

-- A new address of a person that waits for the code that was sent there; at most one of a kind. It stays until it expires, so that
-- `asked` counts codes, and `attempts` the wrong ones.
create table directory.address_changes (
  actor_id uuid not null references directory.actors,
  kind text not null check (kind in ('email', 'phone')),
  address text not null,
  -- The code, encrypted: six digits have no hash that cannot be guessed.
  sealed bytea,
  attempts integer not null default 0,
  asked integer not null default 1,
  asked_at timestamptz(3) not null,
  code_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (actor_id, kind)
);
create index address_changes_expiry on directory.address_changes (expires_at);
alter table directory.address_changes enable row level security, force row level security;
create policy entry on directory.address_changes to cs_auth using (true) with check (true);
create policy expired on directory.address_changes to cs_jobs using (expires_at < now());
grant select, insert, update, delete on directory.address_changes to cs_auth;
grant select, delete on directory.address_changes to cs_jobs;

-- An address counts from the moment at which its person has entered the code.
grant update (email, phone, phone_verified_at) on directory.actors to cs_auth;
grant delete on directory.login_identifiers to cs_auth;

-- Codes to one address are counted as invitations are, from all accounts together.
create policy entry on directory.invited_recipients to cs_auth using (true) with check (true);
grant select, insert, update (invitations, expires_at) on directory.invited_recipients to cs_auth;
