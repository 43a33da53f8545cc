set local role cs_owner;

-- The account that founded the center for itself: limits count for it, over all its centers. Null for a center of a partner or
-- of the operator, who vouch for theirs.
alter table directory.centers add column owner_id uuid references directory.actors;
grant insert (owner_id) on directory.centers to cs_api;

-- Row-level security binds the owner of a table too; the update needs all rows.
alter table directory.centers no force row level security;
alter table directory.provisioning_orders no force row level security;
alter table directory.actors no force row level security;
update directory.centers c set owner_id = o.scope
from directory.provisioning_orders o join directory.actors a on a.id = o.scope
where o.center_id = c.id and c.partner_id is null and not a.is_operator;
alter table directory.centers force row level security;
alter table directory.provisioning_orders force row level security;
alter table directory.actors force row level security;

-- How many invitations an address got today (UTC), from all centers and partners together.
create table directory.invited_recipients (
  -- SHA-256 of the address.
  recipient bytea primary key check (length(recipient) = 32),
  invitations integer not null check (invitations > 0),
  -- The end of the day.
  expires_at timestamptz(3) not null
);
create index invited_recipients_expiry on directory.invited_recipients (expires_at);
alter table directory.invited_recipients enable row level security, force row level security;
-- A transaction sees the recipient that it names in app.recipient, and no other.
create policy named on directory.invited_recipients to cs_api
  using (encode(recipient, 'hex') = nullif(current_setting('app.recipient', true), ''))
  with check (encode(recipient, 'hex') = nullif(current_setting('app.recipient', true), ''));
create policy operator on directory.invited_recipients to cs_operator using (true) with check (true);
create policy expired on directory.invited_recipients to cs_jobs using (expires_at < now());
grant select, insert, update (invitations, expires_at) on directory.invited_recipients to cs_api, cs_operator;
grant select, delete on directory.invited_recipients to cs_jobs;
