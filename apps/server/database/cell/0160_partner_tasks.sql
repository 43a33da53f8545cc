set local role cs_owner;

-- A partner reads which roles and emergency approvals of its centers only it can settle; see the policy of the same name in 0001.
create policy by_partner on cell.eligibilities for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
create policy by_partner on cell.emergencies for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
