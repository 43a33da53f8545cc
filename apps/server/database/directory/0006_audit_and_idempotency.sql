set local role cs_owner;

-- center_id is 0 where the caller has entered no center.

select countersign.create_audit_entries('directory');
create policy write on directory.audit_entries for insert to cs_auth with check (true);
create policy operator on directory.audit_entries to cs_operator using (true) with check (true);
create policy by_partner on directory.audit_entries for select to cs_api using (
  center_id in (select p.center_id from directory.partner_centers p
    where p.partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  or center_id = 0 and target_type = 'partner' and target_id = nullif(current_setting('app.partner_id', true), ''));
-- Of the entries without a center, a caller reads only those about the partner of the request.
create policy in_no_center on directory.audit_entries as restrictive for select to cs_api using (
  center_id <> 0 or target_type = 'partner' and target_id = nullif(current_setting('app.partner_id', true), ''));
create index audit_entries_partner on directory.audit_entries (target_id, occurred_at, id)
  where center_id = 0 and target_type = 'partner';
grant select, insert on directory.audit_entries to cs_api;
grant insert on directory.audit_entries to cs_auth;
grant select, insert, update on directory.audit_entries to cs_operator;
select countersign.create_audit_counts('directory');
create policy write on directory.audit_counts to cs_auth using (true) with check (true);
create policy operator on directory.audit_counts to cs_operator using (true) with check (true);
grant select, insert, update on directory.audit_counts to cs_api, cs_auth, cs_operator;

select countersign.create_idempotency_records('directory');
grant select, insert, update on directory.idempotency_records to cs_api;
grant select, delete on directory.idempotency_records to cs_jobs;
