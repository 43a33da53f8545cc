set local role cs_owner;

-- A partner reads the stops of its centers; see the policy of the same name in 0001.
create policy by_partner on cell.freezes for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
