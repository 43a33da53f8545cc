-- For similarity(), which ranks the words that a search found.
create extension if not exists pg_trgm;

set local role cs_owner;

-- Search corrects spelling among the distinct words in use, of which there are far fewer than centers, and then fetches
-- the centers with those words. Every step is an index lookup that ends after as many words as it needs.

-- Two words that differ by one letter left out, added, changed or swapped with its neighbor are equal once the right letter
-- is left out of each. Korean syllables are decomposed, so that a letter is one keystroke. Only the first ten letters
-- count; the rest is compared afterwards.
create function directory.nearby(word text) returns text[]
language sql immutable as $$
  select array(
    select distinct left(letters, n - 1) || substr(letters, n + 1)
    from left(normalize(word, NFD), 10) letters, generate_series(1, length(letters) + 1) n)
$$;

create table directory.search_words (
  word text primary key,
  -- The number of centers with this word. A search begins with the rarest word of the query.
  centers integer not null,
  -- Changes only when the number of centers grows almost threefold, so its indexes are rarely updated.
  commonness smallint generated always as (case when centers > 0 then round(ln(centers)) end) stored
);
-- Without the pending list of GIN, which every search would have to read.
create index search_words_nearby on directory.search_words using gin (directory.nearby(word)) with (fastupdate = off);
-- The most common words that begin with one, two, three or more letters, in the order in which a search reads them.
create index search_words_begin_1 on directory.search_words (left(word, 1), commonness desc, word) where commonness is not null;
create index search_words_begin_2 on directory.search_words (left(word, 2), commonness desc, word) where commonness is not null;
create index search_words_begin_3 on directory.search_words (left(word, 3), commonness desc, word) where commonness is not null;
create index search_words_end on directory.search_words (reverse(word) text_pattern_ops) where commonness is not null;
alter table directory.search_words enable row level security, force row level security;
-- Every role reads the words, which do not reveal their centers. Only a word that no center has can be deleted.
create policy search on directory.search_words for select to cs_auth, cs_api, cs_operator using (true);
create policy new_word on directory.search_words for insert to cs_api, cs_operator with check (true);
create policy word_count on directory.search_words for update to cs_api, cs_operator using (true) with check (true);
create policy unused_word on directory.search_words for delete to cs_api, cs_operator using (centers = 0);
grant select, insert, update (centers), delete on directory.search_words to cs_api, cs_operator;
grant select on directory.search_words to cs_auth;

create table directory.center_words (
  center_id integer not null references directory.centers on delete cascade,
  word text not null,
  vertical text not null,
  primary key (center_id, word)
);
create index center_words_by_word on directory.center_words (word, center_id desc);
create index center_words_by_vertical on directory.center_words (word, vertical, center_id desc);
-- A center writes its own words; search reads the words of all centers.
select countersign.give_tenancy('directory.center_words');
create policy search on directory.center_words for select to cs_auth using (true);
create policy operator on directory.center_words to cs_operator using (true) with check (true);
grant select, insert, delete on directory.center_words to cs_api, cs_operator;
grant select on directory.center_words to cs_auth;

-- Pairs of neighboring Hangul syllables in the names: they find words inside of Korean compounds. They are kept per center
-- and not per word, because most compounds belong to one center. Nothing counts them, so centers never wait for each other here.
create table directory.center_pairs (
  center_id integer not null references directory.centers on delete cascade,
  pair text not null,
  vertical text not null,
  primary key (center_id, pair)
);
create index center_pairs_by_pair on directory.center_pairs (pair, center_id desc);
create index center_pairs_by_vertical on directory.center_pairs (pair, vertical, center_id desc);
select countersign.give_tenancy('directory.center_pairs');
create policy search on directory.center_pairs for select to cs_auth using (true);
create policy operator on directory.center_pairs to cs_operator using (true) with check (true);
grant select, insert, delete on directory.center_pairs to cs_api, cs_operator;
grant select on directory.center_pairs to cs_auth;

-- The separators are listed: a character class would depend on the locale of the server.
create function directory.words_of(text text) returns setof text
language sql immutable as $$
  select distinct left(word, 64) from regexp_split_to_table(lower(normalize(text, NFKC)), '[\s!-/:-@\[-`{-~·…—–、。]+') word where word <> ''
$$;

-- 44032 and 55203 are the code points of the first and the last Hangul syllable.
create function directory.pairs_of(text text) returns setof text
language sql immutable as $$
  select distinct pair
  from directory.words_of(text) word, generate_series(1, length(word) - 1) n, substr(word, n, 2) pair
  where ascii(pair) between 44032 and 55203 and ascii(substr(pair, 2)) between 44032 and 55203
$$;

-- Maintains the three tables when a center changes.
create function directory.index_words() returns trigger
language plpgsql as $$
declare
  searchable constant boolean := tg_op <> 'DELETE' and new.status = 'ACTIVE' and not new.sandbox;
  gone text[] := '{}';
  come text[] := '{}';
begin
  if tg_op <> 'INSERT' then
    delete from directory.center_pairs where center_id = old.id;
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
    insert into directory.center_pairs (center_id, pair, vertical)
      select new.id, pair, new.vertical from directory.pairs_of(new.name) pair;
  end if;
  -- Every transaction locks in this order; otherwise two centers with the same words could deadlock.
  perform from directory.search_words where word = any (gone || come) order by word for no key update;
  insert into directory.search_words (word, centers)
    select word, 1 from unnest(come) word where word <> all (gone) order by word
    on conflict (word) do update set centers = search_words.centers + 1;
  update directory.search_words s set centers = s.centers - 1
    from (select word from unnest(gone) word where word <> all (come) order by word) w where s.word = w.word;
  delete from directory.search_words where word = any (gone) and centers = 0;
  return null;
end $$;
create trigger index_words after insert or delete or update of name, status, settings, vertical on directory.centers
  for each row execute function directory.index_words();
