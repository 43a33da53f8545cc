set local role cs_owner;

-- Latin letters and digits inside of a Korean compound, such as "it" in "강남it학원": each of their beginnings of two to ten
-- letters. Those at the begin or the end of a word are found without it.
create function directory.letters_inside(word text) returns text[]
language sql immutable as $$
  select array(
    select distinct left(found[1], n)
    from regexp_matches(word, '[a-z0-9]{2,}', 'g') found, generate_series(2, least(length(found[1]), 10)) n
    where word ~ '[가-힣]')
$$;
