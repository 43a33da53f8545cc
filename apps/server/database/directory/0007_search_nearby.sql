set local role cs_owner;

-- Likeness by trigrams reads the lists of all words that share one, and those grow with the vocabulary. From here on each
-- step of a search is an index look-up that ends after as many words as it needs, however many there are.

-- It changes only when the number of centers has grown almost threefold: an index on it seldom has to be touched.
alter table directory.search_words add column commonness smallint
  generated always as (case when centers > 0 then round(ln(centers)) end) stored;

-- Two words that differ by one letter left out, added, changed or exchanged with its neighbour are the same once the right
-- letter is left out of each. Korean syllables are taken apart, so that a letter is what one key writes. Only the
-- beginning counts: what follows is compared afterwards.
create function directory.nearby(word text) returns text[]
language sql immutable as $$
  select array(
    select distinct left(letters, n - 1) || substr(letters, n + 1)
    from left(normalize(word, NFD), 10) letters, generate_series(1, length(letters) + 1) n)
$$;
-- Without a list of what is still to be indexed, which every search would have to read.
create index search_words_nearby on directory.search_words using gin (directory.nearby(word)) with (fastupdate = off);

-- The commonest words that begin with one, two, three or more letters, in the order in which they are wanted.
create index search_words_begin_1 on directory.search_words (left(word, 1), commonness desc, word) where commonness is not null;
create index search_words_begin_2 on directory.search_words (left(word, 2), commonness desc, word) where commonness is not null;
create index search_words_begin_3 on directory.search_words (left(word, 3), commonness desc, word) where commonness is not null;
create index search_words_end on directory.search_words (reverse(word) text_pattern_ops) where commonness is not null;

drop index directory.search_words_likeness;
drop index directory.search_words_prefix;
