set local role cs_owner;

-- What changed in these centers: ids and kinds, no contents. The caller asks again for a span of time that it has asked for
-- before, because a transaction may commit after one whose ids are later. At most `most` rows of each source and center,
-- the newest.
grant select (center_id, id, type, target_type, target_id) on cell.audit_entries to cs_recorder;
grant select (center_id, webhook_id, last_delivery_at) on cell.webhook_endpoints to cs_recorder;
grant select (center_id, id, webhook_id, recovered, completed_at) on cell.webhook_recoveries to cs_recorder;

create function cell.recent_changes(centers integer[], since uuid, since_at timestamptz, most integer)
returns table (center_id integer, mark text, type text, target_type text, target_id text)
language plpgsql as $$
begin
  perform set_config('app.center_ids', centers::text, true);
  return query
  select c.id, a.id::text, a.type, a.target_type, a.target_id
  from unnest(centers) c (id) cross join lateral (
    select e.id, e.type, e.target_type, e.target_id from cell.audit_entries e
    where e.center_id = c.id and e.id > since order by e.center_id, e.id desc limit most) a
  union all
  select c.id, d.id::text, 'decision.recorded', 'event', d.id::text
  from unnest(centers) c (id) cross join lateral (
    select e.id from cell.decision_events e
    where e.center_id = c.id and e.id > since order by e.center_id, e.id desc limit most) d
  union all
  select c.id, w.webhook_id::text || w.last_delivery_at::text, 'webhook.delivered', 'webhook', w.webhook_id::text
  from unnest(centers) c (id) join cell.webhook_endpoints w on w.center_id = c.id and w.last_delivery_at > since_at
  union all
  -- A new mark with each step of a recovery, and one with its end.
  select c.id, concat_ws(' ', r.id, r.recovered, r.completed_at), 'webhook.delivered', 'webhook', r.webhook_id::text
  from unnest(centers) c (id) join cell.webhook_recoveries r
    on r.center_id = c.id and (r.completed_at is null or r.completed_at > since_at);
end $$;
