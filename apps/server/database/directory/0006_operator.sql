set local role cs_owner;

-- The operator's shell makes centers too, and invites their administrators: it writes what a center consists of, and
-- cannot read an invitation or a mail.
do $$
declare
  name text;
begin
  foreach name in array array['tenant_mappings', 'center_roles', 'invitations', 'mails'] loop
    execute format('create policy operator on directory.%I for insert to cs_operator with check (true)', name);
    execute format('grant insert on directory.%I to cs_operator', name);
  end loop;
end $$;
grant usage on sequence directory.centers_id_seq to cs_operator;
