set local role cs_owner;

-- When members were last noted as to be told, and after how many approvals and approvals that were taken back. Another number is
-- a change, after which it may be the turn of others.
alter table cell.waiting_decisions add told_at timestamptz(3), add told_changes integer not null default 0;
