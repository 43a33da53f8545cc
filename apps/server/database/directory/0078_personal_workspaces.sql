set local role cs_owner;

-- A person without a partner creates a center or a personal workspace.
alter policy found on directory.centers with check (
  id = nullif(current_setting('app.center_id', true), '')::integer
  and (partner_id is null and tenant_type in ('CENTER', 'WORKSPACE')
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid and tenant_type <> 'PROGRAM'));
