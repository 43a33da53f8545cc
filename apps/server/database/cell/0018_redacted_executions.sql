set local role cs_owner;

-- Redaction of what workflows have computed. cell.redact calls redact_executions.

-- What an execution computed is in the draft that it left: without the content or the metadata of the draft, the parameters,
-- the event, the outputs and the messages of the execution are removed too.
create function cell.draft_is_redacted(center integer, unit uuid) returns boolean
language sql stable as $$
  select exists (select from cell.redactions_of(center, cell.names_of(unit)) r where r.path in ('content', 'metadata'))
$$;

create function cell.redacted_execution(row_of cell.executions) returns cell.executions
language plpgsql stable as $$
begin
  if cell.draft_is_redacted(row_of.center_id, row_of.unit_id) then
    row_of.parameters := '{}';
    if row_of.event is not null then row_of.event := '{}'; end if;
    if row_of.failure is not null then row_of.failure := ''; end if;
  end if;
  return row_of;
end $$;

create function cell.redacted_step(row_of cell.execution_steps) returns cell.execution_steps
language plpgsql stable as $$
begin
  if exists (select from cell.executions e where e.center_id = row_of.center_id and e.id = row_of.execution_id
    and e.status <> 'RUNNING' and cell.draft_is_redacted(e.center_id, e.unit_id))
  then
    if row_of.output is not null then row_of.output := 'null'; end if;
    if row_of.error is not null then row_of.error := ''; end if;
  end if;
  return row_of;
end $$;

create trigger ended before update on cell.executions for each row when (old.status <> 'RUNNING')
  execute function cell.only_redacted();
create trigger finished before update on cell.execution_steps for each row when (old.status <> 'RETRYING')
  execute function cell.only_redacted();

create function cell.redact_executions(wanted json) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update cell.executions e set parameters = r.parameters, event = r.event, failure = r.failure
  from (select distinct center_id, id as unit_id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.executions d using (center_id, unit_id) cross join lateral cell.redacted_execution(d) r
  where e.center_id = d.center_id and e.id = d.id and d::text <> r::text;
  update cell.execution_steps s set output = r.output, error = r.error
  from (select distinct center_id, id as unit_id from json_to_recordset(wanted) as w (center_id integer, id uuid)) w
    join cell.executions e using (center_id, unit_id)
    join cell.execution_steps d on d.center_id = e.center_id and d.execution_id = e.id
    cross join lateral cell.redacted_step(d) r
  where s.center_id = d.center_id and s.execution_id = d.execution_id and s.position = d.position and d::text <> r::text;
end $$;
