set local role cs_owner;

alter table directory.centers add column business_number text;

-- An order is fulfilled once. Its row commits with the center it made, so after a crash there are both or neither.
create table directory.provisioning_orders (
  order_id text primary key check (length(order_id) between 1 and 255),
  center_id integer not null references directory.centers deferrable initially deferred,
  fingerprint bytea not null,
  created_at timestamptz(3) not null
);

create table directory.tenant_mappings (
  center_id integer primary key references directory.centers,
  lms_tenant_id uuid not null unique
);
select countersign.give_tenancy('directory.tenant_mappings');

-- What the roles are called in this center: its vertical's words, for people to read.
create table directory.center_roles (
  center_id integer references directory.centers,
  role text not null check (role in ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD')),
  label text not null,
  primary key (center_id, role)
);
select countersign.give_tenancy('directory.center_roles');

alter table directory.provisioning_orders enable row level security;
alter table directory.provisioning_orders force row level security;
-- An order is shown to whoever names it, and to nobody else.
create policy named on directory.provisioning_orders for select to cs_api
  using (order_id = nullif(current_setting('app.order_id', true), ''));
create policy order_once on directory.provisioning_orders for insert to cs_api
  with check (order_id = nullif(current_setting('app.order_id', true), ''));
grant select, insert on directory.provisioning_orders to cs_api;
grant select, insert on directory.tenant_mappings, directory.center_roles to cs_api;

-- Whoever founds a center has become it first; what kind of tenant it is and how it stands is not theirs to say.
create policy found on directory.centers for insert to cs_api
  with check (id = nullif(current_setting('app.center_id', true), '')::integer);
grant insert (id, domain, name, vertical, settings, business_number, partner_id, cell, created_at)
  on directory.centers to cs_api;
grant usage on sequence directory.centers_id_seq to cs_api;
