-- no transaction
create index concurrently centers_of_owner on directory.centers (owner_id) where owner_id is not null;
