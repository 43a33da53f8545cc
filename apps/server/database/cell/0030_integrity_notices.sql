set local role cs_owner;

-- Which alarms and declared losses a center was told of. A worker compares them with the heads and the generations.
create table cell.integrity_notices (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  kind text not null check (kind in ('alarm', 'loss')),
  -- The index at which the chain is broken, or the generation that a loss began.
  number bigint not null,
  -- When the webhook event was published.
  told_at timestamptz(3) not null,
  -- When the mails were queued; null until then.
  mailed_at timestamptz(3),
  primary key (center_id, domain, kind, number)
);
create index integrity_notices_unmailed on cell.integrity_notices (center_id) where mailed_at is null;
select countersign.give_tenancy('cell.integrity_notices');
create policy survey on cell.integrity_notices for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update (mailed_at), delete on cell.integrity_notices to cs_jobs;

-- A worker asks for them every minute.
create index chain_heads_broken on cell.chain_heads (center_id) where broken_at is not null;
