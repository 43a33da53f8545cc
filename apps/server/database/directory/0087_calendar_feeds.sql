set local role cs_owner;

-- The secret address under which a person's calendar can be read: one for each person. Only the hash of its token is here.
create table directory.calendar_feeds (
  actor_id uuid primary key references directory.actors,
  token_hash bytea not null unique check (length(token_hash) = 32),
  names boolean not null,
  created_at timestamptz(3) not null
);
alter table directory.calendar_feeds enable row level security, force row level security;
create policy sign_in on directory.calendar_feeds to cs_auth using (true) with check (true);
grant select, insert, update, delete on directory.calendar_feeds to cs_auth;
