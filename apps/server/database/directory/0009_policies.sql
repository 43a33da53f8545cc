set local role cs_owner;

-- Every version of every policy above centers: for all centers, a country or a region. The highest version is in force.
-- Each cell has a copy in cell.shared_policies.
create table directory.policy_versions (
  id uuid not null,
  version integer not null check (version > 0),
  -- The canonical text. `digest` is its SHA-256.
  policy text not null,
  digest text not null check (digest = 'sha256:' || encode(sha256(convert_to(policy, 'UTF8')), 'hex')),
  withdrawn boolean not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (id, version)
);
select countersign.make_append_only('directory.policy_versions');
alter table directory.policy_versions enable row level security, force row level security;
create policy operator on directory.policy_versions to cs_operator using (true) with check (true);
create policy copying on directory.policy_versions for select to cs_jobs using (true);
grant select on directory.policy_versions to cs_jobs;
grant select, insert on directory.policy_versions to cs_operator;
