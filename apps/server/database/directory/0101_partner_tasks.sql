set local role cs_owner;

-- A partner sees which domains of its centers are not proved.
create policy by_partner on directory.domains for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));
