set local role cs_owner;

-- Who suspended the center, and so who can reinstate it: the partner does not lift what the operator imposed.
alter table directory.centers add column suspended_by text check (suspended_by in ('partner', 'operator'));
-- The owner reads the centers of everybody here only.
alter table directory.centers no force row level security;
update directory.centers set suspended_by = case when partner_id is null then 'operator' else 'partner' end
where status = 'SUSPENDED';
alter table directory.centers force row level security;

create or replace function directory.guard_standing() returns trigger
language plpgsql as $$
declare
  by_partner constant boolean := old.partner_id is not null
    and old.partner_id is not distinct from nullif(current_setting('app.partner_id', true), '')::uuid;
  by_operator constant boolean := current_user = 'cs_api' and new.name = old.name
    and (old.country, old.region) is not distinct from (new.country, new.region)
    and 'INACTIVE' not in (old.status, new.status) and directory.acts_as_operator();
begin
  if current_user = 'cs_api' and not by_operator
    and not (old.sandbox and old.status = 'ACTIVE' and new.status = 'INACTIVE'
      and (old.name, old.country, old.region) is not distinct from (new.name, new.country, new.region))
    -- The name of a center without a partner is its own to change.
    and not (old.partner_id is null and not old.sandbox and old.status <> 'INACTIVE'
      and (old.status, old.country, old.region) is not distinct from (new.status, new.country, new.region))
    and (not by_partner or 'INACTIVE' in (old.status, new.status)
      or old.suspended_by = 'operator' and old.status = 'SUSPENDED' and new.status <> 'SUSPENDED')
  then
    raise exception 'the name, the status and the place of a center are changed by its partner or the operator'
      using errcode = 'insufficient_privilege';
  end if;
  if new.status <> old.status then
    new.suspended_by := case when new.status = 'SUSPENDED'
      then case when by_partner and current_user = 'cs_api' and not by_operator then 'partner' else 'operator' end end;
  -- The operator makes a suspension of the partner their own: from then on the partner does not lift it.
  elsif by_operator and new.status = 'SUSPENDED' then
    new.suspended_by := 'operator';
  end if;
  return new;
end $$;
