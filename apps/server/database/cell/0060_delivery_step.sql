set local role cs_owner;

-- One step of a delivery worker under a name that says so; the text of its body is that of 0009. Servers of 0.1.0, which run beside
-- newer ones during a deployment, call it by the old name.
do $do$
begin
  execute replace(pg_get_functiondef('cell.pump_step'::regproc), 'pump_step', 'delivery_step');
end $do$;
create or replace function cell.pump_step(
  center integer, webhook uuid, epoch bigint, known_version integer, at timestamptz, until timestamptz, outcomes json,
  health json, after_at timestamptz, after_event uuid, most integer, idle boolean)
returns json
language sql as $$
  select cell.delivery_step(center, webhook, epoch, known_version, at, until, outcomes, health, after_at, after_event, most, idle)
$$;
