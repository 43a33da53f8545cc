set local role cs_owner;

-- Verification by id, without credentials. cs_public sees a row of cell.dpus only if the transaction names its id
-- (app.record_id) and the row is sealed, and of that row only the columns that lead to its chain.
create policy named on cell.dpus for select to cs_public
  using ((domain = 'proof' or evidence_level = 'AUDIT_READY') and id = nullif(current_setting('app.record_id', true), '')::uuid);
-- The lookup knows the id and not the center.
create index dpus_sealed_id on cell.dpus (id) where domain = 'proof' or evidence_level = 'AUDIT_READY';

-- The last time at which the center was notified of a verification: notifications are sent at most once a minute.
create table cell.public_verifications (
  center_id integer,
  id uuid not null,
  told_at timestamptz(3) not null,
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.public_verifications');
grant select, insert, update (told_at) on cell.public_verifications to cs_api;
