set local role cs_owner;

-- What the operator has said about cells. A cell without a row, which a process knows by its settings, is open with weight 1.
create table directory.cells (
  name text primary key check (name ~ '^[a-z0-9-]+$'),
  -- A closed cell gets no new center; its centers are served as before.
  state text not null default 'open' check (state in ('open', 'closed')),
  -- New centers are divided among the open cells by weight.
  weight integer not null default 1 check (weight between 0 and 1000),
  -- Where processes that do not have the cell in their settings find its database. Without a password: roles and passwords are
  -- those of all databases.
  url text check (url ~ '^postgres(ql)?://' and url !~ '//[^/]*@' and url !~ 'password=')
);
alter table directory.cells enable row level security, force row level security;
create policy operator on directory.cells to cs_operator using (true) with check (true);
create policy known on directory.cells for select to cs_api, cs_auth, cs_jobs using (true);
grant select on directory.cells to cs_api, cs_auth, cs_jobs;
grant select, insert, update on directory.cells to cs_operator;
