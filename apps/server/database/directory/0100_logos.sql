set local role cs_owner;

-- Pictures that a center or a partner uploaded, as the server wrote them: only pixels. Whoever knows the digest may see one, since the
-- page on which people sign in shows it.
create table directory.logos (
  id uuid primary key,
  center_id integer references directory.centers,
  partner_id uuid references directory.partners,
  digest bytea not null check (length(digest) = 32),
  png bytea not null check (length(png) between 1 and 204800),
  added_at timestamptz(3) not null,
  constraint logos_one_owner check (num_nonnulls(center_id, partner_id) = 1),
  constraint logos_once unique nulls not distinct (center_id, partner_id, digest)
);
-- A PNG is compressed already.
alter table directory.logos alter column png set storage external;
create index logos_shown on directory.logos (digest);
create index logos_partner on directory.logos (partner_id) where partner_id is not null;
alter table directory.logos enable row level security, force row level security;
create policy shown on directory.logos for select to cs_auth using (true);
create policy own on directory.logos to cs_api
  using (center_id = nullif(current_setting('app.center_id', true), '')::integer
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid)
  with check (center_id = nullif(current_setting('app.center_id', true), '')::integer
    or partner_id = nullif(current_setting('app.partner_id', true), '')::uuid);
-- The operator deletes those of a center that has left.
create policy operator on directory.logos to cs_operator using (center_id is not null);
grant select (id, center_id), delete on directory.logos to cs_operator;
grant select, insert, update (added_at), delete on directory.logos to cs_api;
grant select (digest, png) on directory.logos to cs_auth;
