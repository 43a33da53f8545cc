set local role cs_owner;

-- Keys that make, refresh and end sandboxes.
alter table directory.api_keys drop constraint api_keys_scopes_check;
alter table directory.api_keys add constraint api_keys_scopes_check check (
  scopes <@ array['decide', 'proof:read', 'proof:write', 'proof:approve', 'events:write', 'webhooks:write',
    'policies:write', 'sandboxes:write']
  and cardinality(scopes) > 0);

-- Up to ten sandboxes for each center, each in a place of its own. Those that have ended do not count. A sandbox that the
-- version before made has neither place nor name: it is the first, and is called Sandbox.
alter table directory.centers
  add column sandbox_place smallint check (sandbox_place between 1 and 10),
  add column sandbox_label text check (length(sandbox_label) between 1 and 60),
  -- When the rules and settings of its center were copied again.
  add column refreshed_at timestamptz(3),
  add constraint sandbox_place_of_sandbox check (sandbox_of is not null or (sandbox_place, sandbox_label, refreshed_at) is null);
drop index directory.centers_sandbox;
create unique index centers_sandbox on directory.centers (sandbox_of, coalesce(sandbox_place, 1)) where status <> 'INACTIVE';
create unique index centers_sandbox_label on directory.centers (sandbox_of, coalesce(sandbox_label, 'Sandbox'))
  where status <> 'INACTIVE';
-- Those of the last day are counted before another one is made.
create index centers_sandboxes_made on directory.centers (sandbox_of, created_at) where sandbox_of is not null;
grant insert (sandbox_place, sandbox_label, refreshed_at), update (refreshed_at) on directory.centers to cs_api;
