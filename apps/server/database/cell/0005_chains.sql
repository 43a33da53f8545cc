set local role cs_owner;

-- The end of each chain. A batch locks the row before it appends, so a chain has one writer at a time.
create table cell.chain_heads (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  next_index bigint not null default 0,
  last_hash text,
  last_sealed_at text,
  -- The lowest index at which a verification found the chain broken. Nothing is appended until an operator clears it.
  broken_at bigint,
  -- The roots of the complete subtrees over the first next_index leaves. Null while the chain is empty.
  frontier bytea,
  -- Of the log that the next entry belongs to. It rises when a loss is declared.
  generation integer not null default 1 check (generation >= 1),
  -- Mark of the last batch: see countersign.change_mark.
  grown bigint not null default 0,
  primary key (center_id, domain),
  check ((next_index = 0) = (last_hash is null) and (next_index = 0) = (last_sealed_at is null))
);
create index chain_heads_grown on cell.chain_heads (grown);
select countersign.give_tenancy('cell.chain_heads');
-- The verification job lists the chains of a cell, and the broken ones, while app.center_id is not set.
create policy survey on cell.chain_heads for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- A partner reads the state of the chains of its centers; see the policy of the same name in 0001.
create policy by_partner on cell.chain_heads for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
-- cs_api may set broken_at and lower it, never clear it or raise it. The declaration of a loss clears it.
create trigger alarm_stands before update of broken_at on cell.chain_heads for each row
  when (old.broken_at is not null and (new.broken_at is null or new.broken_at > old.broken_at)
    and current_user <> 'cs_jobs' and new.generation = old.generation)
  execute function countersign.refuse_change();
create trigger generations_rise before update of generation on cell.chain_heads for each row
  when (new.generation < old.generation) execute function countersign.refuse_change();
-- INSERT: where a head was deleted, the alarm is the only row of its chain.
grant select, insert (center_id, domain, broken_at), update (broken_at) on cell.chain_heads to cs_api, cs_jobs;
grant select, insert, update on cell.chain_heads to cs_sequencer;

-- A member of a canonical text, found by its spelling. A cast to jsonb would fail on a damaged text, and verification has
-- to read past that text to report where it is.
create function cell.named_in(content text, member text) returns text
language sql immutable as $$ select substring(content from '"' || member || '":"([^"]*)"') $$;

-- `content` is the exact canonical text that was hashed and `sealed_at` its exact 24 characters. Both are text, because
-- json and timestamptz would reformat them.
create table cell.chain_entries (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  idx bigint not null check (idx >= 0),
  id uuid not null,
  content text not null,
  previous_hash text,
  sealed_at text not null check (sealed_at like '____-__-__T__:__:__.___Z'),
  hash text not null,
  -- Computed from the hashed text itself, so they cannot disagree with the chain. Columns, because row-level security
  -- keeps the planner from looking up an expression that is not leakproof in an index: it would read the whole chain.
  target text generated always as (case domain when 'history' then cell.named_in(content, 'target') end) stored,
  type text generated always as (case domain when 'history' then cell.named_in(content, 'type') end) stored,
  primary key (center_id, domain, idx),
  -- A record is sealed once.
  unique (center_id, domain, id),
  check ((idx = 0) = (previous_hash is null)),
  check (hash = 'sha256:' || encode(sha256(convert_to(content || coalesce(previous_hash, '') || sealed_at, 'UTF8')), 'hex'))
  -- Hashes do not compress. The default of 2 kB would spend a fifth of the cost of an entry on trying.
) with (toast_tuple_target = 8160);

create index chain_entries_history on cell.chain_entries (center_id, target, type, idx) where domain = 'history';
select countersign.give_tenancy('cell.chain_entries');
select countersign.make_append_only('cell.chain_entries');
grant select on cell.chain_entries to cs_api, cs_jobs;
grant select, insert on cell.chain_entries to cs_sequencer;

-- Each new entry follows its predecessor. Per statement: most predecessors are in the batch itself, and only the first
-- entry of each chain needs a lookup. ORDER BY and LIMIT leave the planner one index; with an equality it chose another
-- one while the table was empty, kept that plan and read the whole chain for every entry.
create function cell.check_links() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select n.center_id, n.domain, n.idx into bad
  from (
    select *, lag(idx) over chain as before_idx, lag(hash) over chain as before_hash, lag(sealed_at) over chain as before_sealed
    from added window chain as (partition by center_id, domain order by idx)
  ) n left join lateral (
    select p.idx, p.hash, p.sealed_at from cell.chain_entries p
    where n.before_idx is distinct from n.idx - 1
      and p.center_id = n.center_id and p.domain = n.domain and p.idx < n.idx
    order by p.center_id, p.domain, p.idx desc limit 1
  ) p on true
  where n.idx > 0 and (
    coalesce(p.idx, n.before_idx) is distinct from n.idx - 1
    or coalesce(p.hash, n.before_hash) <> n.previous_hash
    or coalesce(p.sealed_at, n.before_sealed) > n.sealed_at)
  limit 1;
  if found then
    raise exception 'entry % of chain %/% does not follow its predecessor', bad.idx, bad.center_id, bad.domain
      using errcode = 'check_violation', constraint = 'chain_entries_links';
  end if;
  return null;
end $$;
create trigger links after insert on cell.chain_entries
  referencing new table as added for each statement execute function cell.check_links();

-- The values and salts that the entries of the chain `history` commit to.
create table cell.history (
  center_id integer,
  idx bigint not null,
  disclosed json not null,
  salts json not null,
  primary key (center_id, idx)
);
select countersign.give_tenancy('cell.history');
create trigger kept before delete on cell.history for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.history for each statement execute function countersign.refuse_change();
grant select on cell.history to cs_api, cs_jobs;
grant select, insert, update (disclosed, salts) on cell.history to cs_sequencer;

-- The result of the last verification of each chain. Mode `chain` checks hashes and links; mode `records` also checks
-- that the stored values match their commitments.
create table cell.chain_checks (
  center_id integer,
  domain text not null,
  mode text not null check (mode in ('chain', 'records')),
  scanned_to bigint not null,
  head_hash text,
  broken_at bigint,
  reason text,
  verified_at timestamptz(3) not null,
  -- Up to where entries and records were verified without a fault, by this verification or later by one that continued it:
  -- size, generation, hashes and the frontier of the tree. It counts only if a signed checkpoint has the root of this frontier.
  reached json,
  primary key (center_id, domain, mode)
);
select countersign.give_tenancy('cell.chain_checks');
create policy survey on cell.chain_checks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- A partner reads the state of the chains of its centers; see the policy of the same name in 0001.
create policy by_partner on cell.chain_checks for select to cs_api
  using (center_id in (select unnest(nullif(current_setting('app.center_ids', true), '')::integer[])));
grant select, insert, update on cell.chain_checks to cs_api, cs_jobs;
