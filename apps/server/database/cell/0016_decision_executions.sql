set local role cs_owner;

-- Decisions that an executor has taken to act on them: at most one row for each. The first outcome may be `unknown`, and then
-- one more may follow. Each of the three steps has an entry of the chain `history`, whose index is here; an outcome's
-- `output` is stored there alone.
create table cell.decision_executions (
  center_id integer,
  event_id uuid not null,
  executor text not null check (length(executor) between 1 and 255),
  -- The API key.
  consumed_by text not null,
  consumed_at timestamptz(3) not null,
  consumed_index bigint not null,
  outcome_status text check (outcome_status in ('succeeded', 'failed', 'unknown')),
  outcome_executor text,
  outcome_by text,
  outcome_at timestamptz(3),
  outcome_index bigint,
  later_status text check (later_status in ('succeeded', 'failed')),
  later_executor text,
  later_by text,
  later_at timestamptz(3),
  later_index bigint,
  primary key (center_id, event_id),
  check (num_nulls(outcome_status, outcome_executor, outcome_by, outcome_at, outcome_index) in (0, 5)),
  check (num_nulls(later_status, later_executor, later_by, later_at, later_index) in (0, 5)),
  check (later_status is null or (outcome_status is not null and outcome_status = 'unknown')),
  check (outcome_executor = executor and outcome_by = consumed_by),
  check (outcome_index > consumed_index and (later_index is null or later_index > outcome_index))
);
select countersign.give_tenancy('cell.decision_executions');
grant select on cell.decision_executions to cs_api, cs_jobs;
grant select, insert, update (outcome_status, outcome_executor, outcome_by, outcome_at, outcome_index, later_status,
  later_executor, later_by, later_at, later_index) on cell.decision_executions to cs_sequencer;

create trigger kept before delete on cell.decision_executions for each row execute function countersign.refuse_change();
create trigger no_truncate before truncate on cell.decision_executions
  for each statement execute function countersign.refuse_change();
-- What was written stays: an update only adds an outcome.
create trigger written_once before update on cell.decision_executions for each row
  when ((old.center_id, old.event_id, old.executor, old.consumed_by, old.consumed_at, old.consumed_index)
      is distinct from (new.center_id, new.event_id, new.executor, new.consumed_by, new.consumed_at, new.consumed_index)
    or (old.outcome_status is not null
      and (old.outcome_status, old.outcome_executor, old.outcome_by, old.outcome_at, old.outcome_index)
        is distinct from (new.outcome_status, new.outcome_executor, new.outcome_by, new.outcome_at, new.outcome_index))
    or old.later_status is not null)
  execute function countersign.refuse_change();

-- With the hashes of the entries, and with the salt and the commitment of each `output`, which tell a repeated report from
-- another one. The salt is null after a redaction.
create function cell.load_decision_executions(wanted json, most_bytes integer) returns json
language plpgsql as $$
begin
  return (select json_agg(row_to_json(x)) from (
    select e.*, c.hash as consumed_hash,
      o.hash as outcome_hash, o.content::json -> 'commitments' ->> 'output' as outcome_commitment,
      (select h.salts ->> 'output' from cell.history h where h.center_id = o.center_id and h.idx = o.idx) as outcome_salt,
      l.hash as later_hash, l.content::json -> 'commitments' ->> 'output' as later_commitment,
      (select h.salts ->> 'output' from cell.history h where h.center_id = l.center_id and h.idx = l.idx) as later_salt
    from (select distinct center_id, event_id from json_to_recordset(wanted) as w (center_id integer, event_id uuid)) w
      join cell.decision_executions e using (center_id, event_id)
      left join cell.chain_entries c on c.center_id = e.center_id and c.domain = 'history' and c.idx = e.consumed_index
      left join cell.chain_entries o on o.center_id = e.center_id and o.domain = 'history' and o.idx = e.outcome_index
      left join cell.chain_entries l on l.center_id = e.center_id and l.domain = 'history' and l.idx = e.later_index) x);
end $$;

-- The unit of each decision names its newest change, like after a redaction. The batch holds a lock on the unit and on the
-- head of `history`, and has appended the entries.
create function cell.write_decision_executions(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.decision_executions (center_id, event_id, executor, consumed_by, consumed_at, consumed_index)
  select center_id, event_id, executor, consumed_by, consumed_at, consumed_index
  from json_to_recordset(inserted) as e (
    center_id integer, event_id uuid, executor text, consumed_by text, consumed_at timestamptz, consumed_index bigint);
  if updated is not null then
    update cell.decision_executions e set outcome_status = n.outcome_status, outcome_executor = n.outcome_executor,
      outcome_by = n.outcome_by, outcome_at = n.outcome_at, outcome_index = n.outcome_index,
      later_status = n.later_status, later_executor = n.later_executor, later_by = n.later_by, later_at = n.later_at,
      later_index = n.later_index
    from json_to_recordset(updated) as n (
      center_id integer, event_id uuid, outcome_status text, outcome_executor text, outcome_by text,
      outcome_at timestamptz, outcome_index bigint, later_status text, later_executor text, later_by text,
      later_at timestamptz, later_index bigint)
    where e.center_id = n.center_id and e.event_id = n.event_id;
  end if;
  update cell.dpus u set updated_at = n.sealed_at::timestamptz, last_change = n.hash
  from (
    select center_id, event_id from json_to_recordset(inserted) as i (center_id integer, event_id uuid)
    union
    select center_id, event_id from json_to_recordset(updated) as c (center_id integer, event_id uuid)) w
    cross join lateral cell.newest_change(w.center_id, w.event_id) n
  where u.center_id = w.center_id and u.id = w.event_id and u.last_change is distinct from n.hash;
end $$;
