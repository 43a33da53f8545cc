set local role cs_owner;

-- Approvals that no longer counted when the decision was sealed, by when they were given.
alter table cell.oversight_sums add void integer not null default 0;

-- What the sums of a center have: 2 with void approvals. The worker counts a center with less from the beginning.
alter table cell.oversight_marks add counts smallint not null default 1;
