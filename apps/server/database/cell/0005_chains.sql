set local role cs_owner;

-- Where a chain stands. One row per chain: whoever appends holds it, so a chain has one writer at a time.
create table cell.chain_heads (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  next_index bigint not null default 0,
  last_hash text,
  last_sealed_at text,
  -- The lowest index at which a verification found it broken; nothing is sealed onto it until an operator clears this.
  broken_at bigint,
  primary key (center_id, domain),
  check ((next_index = 0) = (last_hash is null) and (next_index = 0) = (last_sealed_at is null))
);
select countersign.give_tenancy('cell.chain_heads');
-- The verifier of a whole cell asks which chains there are, and how many are broken, before it enters any center.
create policy survey on cell.chain_heads for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);

-- Whoever answers requests may raise the alarm and never take it back.
create trigger alarm_stands before update of broken_at on cell.chain_heads for each row
  when (old.broken_at is not null and (new.broken_at is null or new.broken_at > old.broken_at)
    and current_user <> 'cs_jobs')
  execute function countersign.refuse_change();

-- The chains. `content` is the exact canonical text that was hashed and `sealed_at` the exact 24 characters: text, so
-- that nothing ever reformats them.
create table cell.chain_entries (
  center_id integer,
  domain text not null check (domain in ('dpu', 'proof', 'history')),
  idx bigint not null check (idx >= 0),
  id uuid not null,
  content text not null,
  previous_hash text,
  sealed_at text not null check (sealed_at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$'),
  hash text not null,
  primary key (center_id, domain, idx),
  -- What is sealed is sealed once.
  unique (center_id, domain, id),
  check ((idx = 0) = (previous_hash is null)),
  check (hash = 'sha256:' || encode(sha256(convert_to(content || coalesce(previous_hash, '') || sealed_at, 'UTF8')), 'hex'))
  -- Hashes do not compress; to try, at the usual two thousand bytes, would be a fifth of the cost of an entry.
) with (toast_tuple_target = 8160);
-- A member of a canonical text, by its spelling: unlike a cast to jsonb it does not fail on a text that somebody spoilt,
-- and verification must get past that text to say where it stands.
create function cell.named_in(content text, member text) returns text
language sql immutable as $$ select substring(content from '"' || member || '":"([^"]*)"') $$;

-- The index is made from the hashed text itself, so it cannot tell another story than the chain.
create index chain_entries_history on cell.chain_entries (
  center_id, cell.named_in(content, 'target'), cell.named_in(content, 'type'), idx) where domain = 'history';
select countersign.give_tenancy('cell.chain_entries');
select countersign.make_append_only('cell.chain_entries');

-- Each new entry follows the one before it. Per statement, not per row: most predecessors are in the batch itself, and
-- only the first of each chain has to be looked up. By order and limit, because that leaves the planner one index to
-- choose: with an equation it took another while the table was empty, kept it, and read the whole chain for every entry.
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

-- Decision proof units. Of a decision event's evidence (domain `proof`) the words stand in the event and its approvals.
create table cell.dpus (
  center_id integer,
  id uuid not null,
  domain text not null check (domain in ('dpu', 'proof')),
  chain_index bigint not null,
  vertical text not null,
  content text check ((domain = 'dpu') = (content is not null)),
  reference_type text check ((domain = 'dpu') = (reference_type is not null)),
  reference_id text,
  tags text[],
  created_by json,
  -- How it came about, where a workflow or a model made it.
  origin json,
  evidence_level text not null check (evidence_level in ('DRAFT', 'DOCUMENTED', 'AUDIT_READY')),
  metadata json not null default '{}',
  -- The policies that applied when it was sealed, each with version and digest.
  policies json,
  -- One salt per committed path; without its salt a commitment tells nothing.
  salts json not null,
  -- When it became AUDIT_READY.
  sealed_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (center_id, id),
  unique (center_id, domain, chain_index),
  check ((evidence_level = 'AUDIT_READY') = (sealed_at is not null)),
  check (domain = 'dpu' or evidence_level = 'AUDIT_READY')
);
select countersign.give_tenancy('cell.dpus');

create function cell.evidence_rank(level text) returns integer
language sql immutable as $$ select array_position(array['DRAFT', 'DOCUMENTED', 'AUDIT_READY'], level) $$;

-- A level never falls, and what is AUDIT_READY does not change any more.
create trigger sealed before update on cell.dpus for each row
  when (old.evidence_level = 'AUDIT_READY' or cell.evidence_rank(new.evidence_level) < cell.evidence_rank(old.evidence_level))
  execute function countersign.refuse_change();
create trigger kept before delete on cell.dpus for each row execute function countersign.refuse_change();

-- Approvals as they were given; the last of an event sealed it, those before it stand in the hash as prior approvals.
create table cell.approvals (
  center_id integer,
  id uuid not null,
  event_id uuid not null,
  position integer not null,
  approver json not null,
  result text not null check (result in ('approved', 'rejected')),
  reason text,
  -- The API key that submitted it.
  submitted_by text not null,
  created_at timestamptz(3) not null,
  primary key (center_id, event_id, position)
);
select countersign.give_tenancy('cell.approvals');
select countersign.make_append_only('cell.approvals');

-- What the entries of the chain `history` commit to, path by path.
create table cell.history (
  center_id integer,
  idx bigint not null,
  disclosed json not null,
  salts json not null,
  primary key (center_id, idx)
);
select countersign.give_tenancy('cell.history');
select countersign.make_append_only('cell.history');

-- Every version of every policy of a center; the highest is the one that stands.
create table cell.policy_versions (
  center_id integer,
  id uuid not null,
  version integer not null check (version > 0),
  -- The canonical text that `digest` is the SHA-256 of.
  policy text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(policy, 'UTF8')), 'hex')),
  deleted boolean not null default false,
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (center_id, id, version)
);
select countersign.give_tenancy('cell.policy_versions');
select countersign.make_append_only('cell.policy_versions');

-- The newest version of every policy of these centers. It steps along the primary key from one policy to the next, so
-- that it takes no longer after a thousand versions: everybody in the batch waits for it.
create function cell.newest_policies(centers integer[]) returns setof cell.policy_versions
language sql stable as $$
  with recursive ids (center_id, id) as (
    select c, (select v.id from cell.policy_versions v where v.center_id = c order by v.id limit 1) from unnest(centers) c
    union all
    select center_id, (
      select v.id from cell.policy_versions v where v.center_id = ids.center_id and v.id > ids.id order by v.id limit 1)
    from ids where id is not null
  )
  select v.* from ids cross join lateral (
    select * from cell.policy_versions v
    where v.center_id = ids.center_id and v.id = ids.id order by v.version desc limit 1) v
  where ids.id is not null
$$;

-- A copy of the versions in directory.policy_versions, at most seconds old.
create table cell.shared_policies (
  id uuid not null,
  version integer not null check (version > 0),
  policy text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(policy, 'UTF8')), 'hex')),
  withdrawn boolean not null,
  created_at timestamptz(3) not null,
  primary key (id, version)
);
select countersign.make_append_only('cell.shared_policies');
alter table cell.shared_policies enable row level security, force row level security;
create policy standing on cell.shared_policies for select to cs_api, cs_sequencer using (true);
create policy copying on cell.shared_policies to cs_jobs using (true) with check (true);

-- How many units a center has; the platform's figures are their sums.
create table cell.dpu_counts (
  center_id integer,
  vertical text not null,
  evidence_level text not null,
  dpus bigint not null,
  primary key (center_id, vertical, evidence_level)
);
select countersign.give_tenancy('cell.dpu_counts');
-- Everybody may add them up, and nobody sees whose they are.
create policy totals on cell.dpu_counts for select to cs_public using (true);
grant select (vertical, evidence_level, dpus) on cell.dpu_counts to cs_public;

-- What the last verification of a chain found. `chain`: hashes and links; `records`: also that what we show is what
-- was committed.
create table cell.chain_checks (
  center_id integer,
  domain text not null,
  mode text not null check (mode in ('chain', 'records')),
  scanned_to bigint not null,
  head_hash text,
  broken_at bigint,
  reason text,
  verified_at timestamptz(3) not null,
  primary key (center_id, domain, mode)
);
select countersign.give_tenancy('cell.chain_checks');
create policy survey on cell.chain_checks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);

-- A decision by an agent says why, and how risky it was.
alter table cell.decision_events add column reason text, add column risk_score double precision;
create trigger sealed before update on cell.decision_events for each row
  when (old.status in ('sealed', 'rejected')) execute function countersign.refuse_change();
create trigger kept before delete on cell.decision_events for each row execute function countersign.refuse_change();

grant select on cell.chain_heads, cell.chain_entries, cell.dpus, cell.approvals, cell.history, cell.policy_versions,
  cell.shared_policies, cell.dpu_counts, cell.chain_checks to cs_api, cs_jobs;
grant insert, update on cell.chain_checks to cs_api, cs_jobs;
-- Insert too: of a chain whose head is gone only the alarm is left.
grant insert (center_id, domain, broken_at), update (broken_at) on cell.chain_heads to cs_api, cs_jobs;
grant select on cell.decision_event_tags, cell.decision_events, cell.decision_event_marks to cs_jobs;
grant insert on cell.shared_policies to cs_jobs;

grant select, insert on cell.chain_entries, cell.dpus, cell.approvals, cell.history, cell.policy_versions,
  cell.decision_events, cell.decision_event_tags to cs_sequencer;
grant select on cell.shared_policies, cell.decision_event_marks to cs_sequencer;
grant select, insert, update on cell.chain_heads, cell.dpu_counts, cell.decision_event_counts to cs_sequencer;
grant update (evidence_level, metadata, sealed_at, updated_at) on cell.dpus to cs_sequencer;
grant update (status, updated_at) on cell.decision_events to cs_sequencer;
grant usage on sequence cell.decision_event_seq to cs_sequencer;
