set local role cs_owner;

-- An order creates one center. Its row commits with that center, so after a crash both exist or neither does. Order ids are
-- those of a partner, or of a person without one: two of them may use the same.
create table directory.provisioning_orders (
  scope uuid not null,
  order_id text not null check (length(order_id) between 1 and 255),
  center_id integer not null references directory.centers deferrable initially deferred,
  fingerprint bytea not null,
  created_at timestamptz(3) not null,
  primary key (scope, order_id)
);
alter table directory.provisioning_orders enable row level security, force row level security;
-- A transaction sees the order that it names in app.order_id, and no other.
create policy named on directory.provisioning_orders for select to cs_api
  using (scope || ' ' || order_id = nullif(current_setting('app.order_id', true), ''));
create policy order_once on directory.provisioning_orders for insert to cs_api
  with check (scope || ' ' || order_id = nullif(current_setting('app.order_id', true), ''));
grant select, insert on directory.provisioning_orders to cs_api;

create table directory.tenant_mappings (
  center_id integer primary key references directory.centers,
  lms_tenant_id uuid not null unique
);
select countersign.give_tenancy('directory.tenant_mappings');
create policy operator on directory.tenant_mappings for insert to cs_operator with check (true);
grant select, insert on directory.tenant_mappings to cs_api;
grant insert on directory.tenant_mappings to cs_operator;

-- The display names of the roles in a center, taken from its vertical.
create table directory.center_roles (
  center_id integer references directory.centers,
  role text not null check (role in ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD')),
  label text not null,
  primary key (center_id, role)
);
select countersign.give_tenancy('directory.center_roles');
create policy operator on directory.center_roles for insert to cs_operator with check (true);
grant select, insert on directory.center_roles to cs_api;
grant insert on directory.center_roles to cs_operator;
