set local role cs_owner;

-- A key that replaces another one, which lives until its own expiry. All keys of one line of replacements are one key where it
-- matters who recorded, approved or was stopped.
alter table directory.api_keys
  add column replaces uuid,
  add column first_key uuid,
  add constraint replaces_a_key foreign key (center_id, replaces) references directory.api_keys (center_id, id),
  add constraint line_has_a_first_key foreign key (center_id, first_key) references directory.api_keys (center_id, id),
  add constraint line_of_replacement check ((replaces is null) = (first_key is null) and replaces <> id and first_key <> id);
-- One winner: another key can replace it only after the first one was revoked.
create unique index api_keys_replaced on directory.api_keys (center_id, replaces) where replaces is not null and revoked_at is null;
create index api_keys_line on directory.api_keys (center_id, first_key) where first_key is not null;
-- The time of a key ends earlier when it's replaced, never later.
grant update (expires_at) on directory.api_keys to cs_api;
create function directory.keep_key_expiry() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'a key never lives longer than it was given' using errcode = 'check_violation';
end $$;
create trigger keep_expiry before update of expires_at on directory.api_keys for each row
  when (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
  execute function directory.keep_key_expiry();
