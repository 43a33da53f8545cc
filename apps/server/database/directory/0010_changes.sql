set local role cs_owner;

-- Every server caches keys, sessions, memberships and centers. These triggers send the tags of the cached rows that a
-- change makes invalid; PostgreSQL delivers them after the commit, in commit order, and removes duplicates within a
-- transaction. Columns that change often and that no cache has (last_used_at) send nothing: transactions with a
-- notification commit one after the other.

-- The first argument is the kind of the tag; the second is the column with its id, if it has one.
create function directory.send_change() returns trigger
language plpgsql as $$
begin
  if tg_nargs = 1 then
    perform pg_notify('directory_changes', tg_argv[0]);
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform pg_notify('directory_changes', tg_argv[0] || ':' || (to_jsonb(old) ->> tg_argv[1]));
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('directory_changes', tg_argv[0] || ':' || (to_jsonb(new) ->> tg_argv[1]));
  end if;
  return null;
end $$;

create trigger send_change after update on directory.centers for each row when (old.* is distinct from new.*)
  execute function directory.send_change('center', 'id');
create trigger send_delete after delete on directory.centers for each row
  execute function directory.send_change('center', 'id');

create trigger send_change after update of plan_id, status on directory.subscriptions for each row
  execute function directory.send_change('center', 'center_id');
create trigger send_other after insert or delete on directory.subscriptions for each row
  execute function directory.send_change('center', 'center_id');

create trigger send_change after update on directory.api_keys for each row
  when ((to_jsonb(old) - 'last_used_at') is distinct from (to_jsonb(new) - 'last_used_at'))
  execute function directory.send_change('key', 'id');
create trigger send_delete after delete on directory.api_keys for each row
  execute function directory.send_change('key', 'id');

create trigger send_change after update on directory.sessions for each row
  when ((to_jsonb(old) - 'last_used_at') is distinct from (to_jsonb(new) - 'last_used_at'))
  execute function directory.send_change('session', 'id');
-- Housekeeping deletes expired sessions, which are refused by their time.
create trigger send_delete after delete on directory.sessions for each row when (old.expires_at > now())
  execute function directory.send_change('session', 'id');

-- The cached memberships of an actor include those of the actors with the same verified address. A new membership, and
-- a change of an address, can therefore concern actors that the row does not name: `people` stands for all of them.
create trigger send_change after update on directory.memberships for each row when (old.* is distinct from new.*)
  execute function directory.send_change('center', 'center_id');
create trigger send_other_people after insert or delete or update of center_id, actor_id on directory.memberships
  for each row execute function directory.send_change('people');
-- For event streams, which tell the members of a center that its list has changed.
create trigger send_members after insert or delete on directory.memberships for each row
  execute function directory.send_change('members', 'center_id');
create trigger send_keys after insert on directory.api_keys for each row
  execute function directory.send_change('keys', 'center_id');
create trigger send_revoked after update of revoked_at on directory.api_keys for each row
  execute function directory.send_change('keys', 'center_id');
create trigger send_change after update on directory.actors for each row when (old.* is distinct from new.*)
  execute function directory.send_change('people');

create trigger send_change after insert or update or delete on directory.partner_accounts for each row
  execute function directory.send_change('actor', 'actor_id');
