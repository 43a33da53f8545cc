set local role cs_owner;

-- The name of a center without a partner is its own to change; the status and the place are not, and a sandbox keeps its name.
create or replace function directory.guard_standing() returns trigger
language plpgsql as $$
begin
  if current_user = 'cs_api'
    and not (old.sandbox and old.status = 'ACTIVE' and new.status = 'INACTIVE'
      and (old.name, old.country, old.region) is not distinct from (new.name, new.country, new.region))
    and not (old.partner_id is null and not old.sandbox and old.status <> 'INACTIVE'
      and (old.status, old.country, old.region) is not distinct from (new.status, new.country, new.region))
    and (
    old.partner_id is null
    or old.partner_id is distinct from nullif(current_setting('app.partner_id', true), '')::uuid
    or 'INACTIVE' in (old.status, new.status)
  ) then
    raise exception 'the name, the status and the place of a center are changed by its partner or the operator'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
