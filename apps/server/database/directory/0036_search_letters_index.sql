-- no transaction
create index concurrently search_words_letters_inside on directory.search_words using gin (directory.letters_inside(word)) with (fastupdate = off);
