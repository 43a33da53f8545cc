create schema cell authorization cs_owner;
grant usage on schema cell to cs_api, cs_recorder, cs_sequencer, cs_public, cs_jobs;

set local role cs_owner;

select countersign.create_audit_entries('cell');
-- A partner reads the audit entries of its centers. The directory knows which centers those are and passes them in
-- app.center_ids; the sub-select is evaluated once per statement.
create policy by_partner on cell.audit_entries for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
grant select, insert on cell.audit_entries to cs_api;
grant insert on cell.audit_entries to cs_sequencer, cs_jobs;
select countersign.create_audit_counts('cell');
grant select, insert, update on cell.audit_counts to cs_api, cs_sequencer, cs_jobs;

select countersign.create_idempotency_records('cell');
grant select, insert, update on cell.idempotency_records to cs_api, cs_sequencer;
grant select, delete on cell.idempotency_records to cs_jobs;
