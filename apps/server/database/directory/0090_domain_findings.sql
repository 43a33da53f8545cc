-- What the last check of a domain found beside its TXT record, and since when the domain works: a site that leads here with a
-- certificate that holds, or an email domain whose SPF record lets the mail server of the service send.
alter table directory.domains
  add column found jsonb,
  add column works_since timestamptz(3),
  -- Since when checks find that a domain that worked does not. A name server without an answer is no such finding.
  add column failing_since timestamptz(3),
  add constraint domains_works_if_proven check (works_since is null or proven_at is not null),
  add constraint domains_fails_if_working check (failing_since is null or works_since is not null);
grant update (found, works_since, failing_since) on directory.domains to cs_api, cs_auth;
