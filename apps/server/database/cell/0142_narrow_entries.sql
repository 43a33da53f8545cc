set local role cs_owner;

-- LZ4 stores the text of an entry in a fifth fewer bytes: its hashes do not compress, and the names between them do. `main`
-- keeps all of a row in the row: otherwise the hashes beside a long text would move out of it. Rows that exist stay as they are,
-- and a server that was built without LZ4 stores the texts as before.
do $$
begin
  alter table cell.chain_entries alter column content set compression lz4;
  alter table cell.chain_entries
    alter column domain set storage main, alter column content set storage main, alter column previous_hash set storage main,
    alter column sealed_at set storage main, alter column hash set storage main, alter column target set storage main,
    alter column type set storage main, reset (toast_tuple_target);
exception when feature_not_supported then
  null;
end $$;

-- Rows that every batch changes, few for each center: an update finds room on its page, and that of a count changes no index.
alter table cell.chain_heads set (fillfactor = 50);
alter table cell.dpu_counts set (fillfactor = 50);

-- The labels of a unit of its own, which follow from its row: so they are found by their label, and need no index by unit.
create function cell.labels_of(unit cell.dpus) returns setof text
language sql immutable as $$
  select label from (
    select 'tag:' || tag from unnest(unit.tags) tag
    union select 'reference:' || unit.reference_id
    union select 'workflow:' || (unit.origin ->> 'workflowId')) labels (label)
  where label is not null
$$;

create or replace function cell.label_dpu() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from cell.dpu_labels
    where center_id = new.center_id and id = new.id and label = any (array(select cell.labels_of(old)));
  end if;
  insert into cell.dpu_labels (center_id, label, id) select new.center_id, label, new.id from cell.labels_of(new) label;
  return null;
end $$;

create or replace function cell.unlabel_decision() returns trigger
language plpgsql as $$
begin
  delete from cell.dpu_labels
  where center_id = new.center_id and id = new.id and label = any (array(select 'tag:' || tag from unnest(old.tags) tag));
  return null;
end $$;

drop index cell.dpu_labels_unit;
