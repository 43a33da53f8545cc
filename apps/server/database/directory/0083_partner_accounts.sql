set local role cs_owner;

-- A partner lists its accounts, changes their roles and ends them.
create policy own on directory.partner_accounts for select to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy change_own on directory.partner_accounts for update to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
create policy end_own on directory.partner_accounts for delete to cs_api
  using (partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
grant select, update (role), delete on directory.partner_accounts to cs_api;
create policy of_partner on directory.actors for select to cs_api using (
  id in (select a.actor_id from directory.partner_accounts a
    where a.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid));

create trigger lower_last_admin before update of role on directory.partner_accounts for each row
  when (old.role = 'PARTNER_ADMIN' and new.role <> 'PARTNER_ADMIN' and current_user = 'cs_api')
  execute function directory.keep_partner_admin();
