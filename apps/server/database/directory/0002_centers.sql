create extension if not exists pg_trgm;

set local role cs_owner;

-- Figures that pages show are kept where they change, never counted over rows.
alter table directory.centers add column member_count integer not null default 0 check (member_count >= 0);
alter table directory.centers add column custom_domain text generated always as (settings #>> '{branding,customDomain}') stored unique;

-- Search. Likeness is looked for among the words in use, of which there are far fewer than centers, and only then are
-- the centers with those words fetched: the cost follows the vocabulary, not the number of centers.
create table directory.search_words (
  word text primary key,
  -- How many centers have it; the rarest word of a query is the one to begin with.
  centers integer not null
);
create index search_words_likeness on directory.search_words using gin (word gin_trgm_ops);
create index search_words_prefix on directory.search_words (word text_pattern_ops);

create table directory.center_words (
  center_id integer not null references directory.centers on delete cascade,
  word text not null,
  vertical text not null,
  primary key (center_id, word)
);
create index center_words_by_word on directory.center_words (word, center_id desc);
create index center_words_by_vertical on directory.center_words (word, vertical, center_id desc);
create index centers_newest on directory.centers (id desc) where status = 'ACTIVE';
create index centers_newest_of_vertical on directory.centers (vertical, id desc) where status = 'ACTIVE';

-- Spelled out instead of a character class: what counts as a letter must not depend on the server's locale.
create function directory.words_of(text text) returns setof text
language sql immutable as $$
  select distinct left(word, 64) from regexp_split_to_table(lower(normalize(text, NFKC)), '[\s!-/:-@\[-`{-~·…—–、。]+') word where word <> ''
$$;

create function directory.index_words() returns trigger
language plpgsql as $$
declare
  searchable constant boolean := tg_op <> 'DELETE' and new.status = 'ACTIVE';
  gone text[] := '{}';
  come text[] := '{}';
begin
  if tg_op <> 'INSERT' then
    with removed as (delete from directory.center_words where center_id = old.id returning word)
    select coalesce(array_agg(word), '{}') into gone from removed;
  end if;
  if searchable then
    with added as (
      insert into directory.center_words (center_id, word, vertical)
      select new.id, word, new.vertical
      from directory.words_of(new.name || ' ' || coalesce(new.settings #>> '{branding,description}', '')) word
      returning word)
    select coalesce(array_agg(word), '{}') into come from added;
  end if;
  -- In one order everywhere, or two centers with the same words could wait for each other in a ring.
  insert into directory.search_words (word, centers)
    select word, 1 from unnest(come) word where word <> all (gone) order by word
    on conflict (word) do update set centers = search_words.centers + 1;
  update directory.search_words s set centers = s.centers - 1
    from (select word from unnest(gone) word where word <> all (come) order by word) w where s.word = w.word;
  return null;
end $$;
create trigger index_words after insert or delete or update of name, status, settings, vertical on directory.centers
  for each row execute function directory.index_words();

-- The vocabulary is everybody's: it says which words are in use, not by whom. Nobody removes a word.
alter table directory.search_words enable row level security;
alter table directory.search_words force row level security;
create policy search on directory.search_words for select to cs_auth, cs_api, cs_operator using (true);
create policy new_word on directory.search_words for insert to cs_api, cs_operator with check (true);
create policy word_count on directory.search_words for update to cs_api, cs_operator using (true) with check (true);
grant select on directory.search_words to cs_auth, cs_api, cs_operator;
grant insert, update (centers) on directory.search_words to cs_api, cs_operator;

-- A center writes its own words; search, which is open to everyone, reads those of all.
select countersign.give_tenancy('directory.center_words');
create policy search on directory.center_words for select to cs_auth using (true);
create policy operator on directory.center_words to cs_operator using (true) with check (true);
grant select on directory.center_words to cs_auth;
grant select, insert, delete on directory.center_words to cs_api, cs_operator;

create function directory.count_members() returns trigger
language plpgsql as $$
begin
  update directory.centers c
  set member_count = member_count
    + (case when tg_op <> 'DELETE' and new.status = 'ACTIVE' then 1 else 0 end)
    - (case when tg_op <> 'INSERT' and old.status = 'ACTIVE' then 1 else 0 end)
  where c.id = coalesce(new.center_id, old.center_id);
  return null;
end $$;
create trigger count_members after insert or delete or update of status on directory.memberships
  for each row execute function directory.count_members();

create table directory.instructor_profiles (
  center_id integer,
  actor_id uuid not null,
  specialties text[] not null default '{}',
  -- Null: the center's opening hours.
  hours jsonb,
  primary key (center_id, actor_id),
  foreign key (center_id, actor_id) references directory.memberships (center_id, actor_id)
);
select countersign.give_tenancy('directory.instructor_profiles');
grant select, insert, update on directory.instructor_profiles to cs_api;
create policy operator on directory.instructor_profiles to cs_operator using (true) with check (true);
grant select, insert, update on directory.instructor_profiles to cs_operator;

create policy change_own on directory.centers for update to cs_api
  using (id = nullif(current_setting('app.center_id', true), '')::integer)
  with check (id = nullif(current_setting('app.center_id', true), '')::integer);
grant update (settings, member_count) on directory.centers to cs_api;

-- The names of the people in one's own center.
create policy same_center on directory.actors for select to cs_api using (
  exists (select from directory.memberships m where m.actor_id = actors.id
    and m.center_id = nullif(current_setting('app.center_id', true), '')::integer));
grant select (id, name, email) on directory.actors to cs_api;
