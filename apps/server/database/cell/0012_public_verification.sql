set local role cs_owner;

-- Verification by id, for strangers who know an address and nothing else. They see whose a record is only by naming it
-- (`app.record_id`), only if it is sealed, and of it only what leads to its chain: no content, no salt, no level.
create policy named on cell.dpus for select to cs_public
  using (evidence_level = 'AUDIT_READY' and id = nullif(current_setting('app.record_id', true), '')::uuid);
grant select (center_id, id, domain) on cell.dpus to cs_public;
-- Before a center is known an id is all there is to look for.
create index dpus_sealed_id on cell.dpus (id) where evidence_level = 'AUDIT_READY';

-- When somebody outside last asked for a record and its center was told: the guard of «once a minute».
create table cell.public_verifications (
  center_id integer,
  id uuid not null,
  told_at timestamptz(3) not null,
  primary key (center_id, id)
);
select countersign.give_tenancy('cell.public_verifications');
grant select, insert, update (told_at) on cell.public_verifications to cs_api;
