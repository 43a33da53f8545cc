set local role cs_owner;

-- Open decisions for which a policy asks for an approval: what people find in their inbox, and what expires. It is an index
-- over the decisions and no source of rights: the seal judges anew. `seq` is that of the event and orders lists.
create table cell.waiting_decisions (
  center_id integer,
  event_id uuid not null,
  seq bigint not null,
  since timestamptz(3) not null,
  reasons text[] not null check (cardinality(reasons) > 0),
  policies json not null,
  expires_at timestamptz(3),
  -- When further members are asked; null when they were, or when no policy names any.
  escalates_at timestamptz(3),
  -- The number of versions of policies that it was judged under. Versions are only added, so another number is a change.
  versions bigint not null,
  -- Whether the members who may approve it are noted as to be told.
  told boolean not null default false,
  primary key (center_id, event_id)
);
create index waiting_decisions_newest on cell.waiting_decisions (center_id, seq);
create index waiting_decisions_expiry on cell.waiting_decisions (expires_at) where expires_at is not null;
create index waiting_decisions_untold on cell.waiting_decisions (center_id) where not told;
select countersign.give_tenancy('cell.waiting_decisions');
create policy survey on cell.waiting_decisions for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert on cell.waiting_decisions to cs_api, cs_recorder;
grant select, insert, delete on cell.waiting_decisions to cs_sequencer;
grant select, update, delete on cell.waiting_decisions to cs_jobs;

-- When a member opened a decision for the first time.
create table cell.decision_openings (
  center_id integer,
  event_id uuid not null,
  actor_id uuid not null,
  opened_at timestamptz(3) not null,
  primary key (center_id, event_id, actor_id)
);
select countersign.give_tenancy('cell.decision_openings');
select countersign.make_append_only('cell.decision_openings');
grant select, insert on cell.decision_openings to cs_api;

create table cell.decision_comments (
  center_id integer,
  event_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  author_name text not null,
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz(3) not null,
  primary key (center_id, event_id, id)
);
select countersign.give_tenancy('cell.decision_comments');
grant select, insert on cell.decision_comments to cs_api;

-- At most one deputy per member. An absence that has ended remains until the member names another one.
create table cell.deputies (
  center_id integer,
  actor_id uuid not null,
  deputy_id uuid not null check (deputy_id <> actor_id),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  primary key (center_id, actor_id)
);
create index deputies_of on cell.deputies (center_id, deputy_id);
select countersign.give_tenancy('cell.deputies');
grant select, insert, update on cell.deputies to cs_api;
grant select on cell.deputies to cs_sequencer, cs_jobs;
