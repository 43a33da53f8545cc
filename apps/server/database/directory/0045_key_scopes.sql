set local role cs_owner;

-- Keys for one agent, for webhooks and for policies.
alter table directory.api_keys drop constraint api_keys_scopes_check;
alter table directory.api_keys add constraint api_keys_scopes_check check (
  scopes <@ array['decide', 'proof:read', 'proof:write', 'proof:approve', 'events:write', 'webhooks:write', 'policies:write']
  and cardinality(scopes) > 0);

-- A key that is bound to an actor reaches no webhooks. Those that exist keep them until the next major version.
alter table directory.api_keys add column keeps_webhooks boolean not null default false;
-- The update is over all centers at once, which the policies of the table allow nobody.
alter table directory.api_keys no force row level security;
update directory.api_keys set keeps_webhooks = true where bound_to is not null;
alter table directory.api_keys force row level security;
