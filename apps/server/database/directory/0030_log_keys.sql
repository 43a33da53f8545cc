set local role cs_owner;

-- Keys that an operator reported stolen. Every process reads them, so that a machine with an old key file signs nothing more.
-- They take away and never add: no key here is believed.
create table directory.stolen_log_keys (
  public_key bytea primary key check (octet_length(public_key) = 32),
  stolen_at timestamptz not null
);
alter table directory.stolen_log_keys enable row level security, force row level security;
create policy operator on directory.stolen_log_keys to cs_operator using (true) with check (true);
create policy known on directory.stolen_log_keys for select to cs_auth using (true);
grant select on directory.stolen_log_keys to cs_auth;
grant select, insert on directory.stolen_log_keys to cs_operator;

-- Which key each process signs with, for the operator.
create table directory.log_signers (
  process text primary key check (length(process) <= 300),
  role text not null check (length(role) <= 20),
  vkey text not null check (length(vkey) <= 500),
  -- It signs nothing, because this key was stolen.
  refuses boolean not null,
  seen_at timestamptz not null
);
alter table directory.log_signers enable row level security, force row level security;
create policy processes on directory.log_signers to cs_auth using (true) with check (true);
create policy operator on directory.log_signers for select to cs_operator using (true);
grant select, insert, update, delete on directory.log_signers to cs_auth;
grant select on directory.log_signers to cs_operator;
