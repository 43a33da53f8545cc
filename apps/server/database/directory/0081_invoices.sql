set local role cs_owner;

-- Invoices of a subscription as the billing system stated them, in signed statements.
create table directory.subscription_invoices (
  center_id integer not null references directory.centers on delete cascade,
  number text not null check (length(number) between 1 and 64),
  amount text not null,
  currency text not null,
  paid boolean not null,
  url text,
  stated_at timestamptz(3) not null,
  primary key (center_id, number)
);
select countersign.give_tenancy('directory.subscription_invoices');
create index subscription_invoices_newest on directory.subscription_invoices (center_id, stated_at desc, number desc);
create policy operator on directory.subscription_invoices to cs_operator using (true);
grant select, insert, update (amount, currency, paid, url, stated_at) on directory.subscription_invoices to cs_api;
grant select, delete on directory.subscription_invoices to cs_operator;
