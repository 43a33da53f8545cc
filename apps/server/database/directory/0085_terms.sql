-- What a center calls its roles is a setting, with the words of its vertical where it has changed none. The labels that
-- were stored here were read by nothing. They are no longer written; the column stays for servers that still write it.
alter table directory.center_roles alter column label drop not null;
comment on table directory.center_roles is 'The roles of a center.';
