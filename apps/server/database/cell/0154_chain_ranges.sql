set local role cs_owner;

-- Which process seals the chains of a range of centers. Whoever has items for a range takes it, unless another process took it
-- less than a turn ago. This only keeps processes out of each other's way: heads are locked in each batch as before, so a process
-- that is mistaken about its ranges waits for a lock, and seals nothing twice.
create table cell.chain_ranges (
  range smallint primary key check (range between 0 and 63),
  -- A sequencer, not a center.
  owner uuid,
  taken_at timestamptz not null default 'epoch'
) with (fillfactor = 25);
insert into cell.chain_ranges (range) select generate_series(0, 63);
alter table cell.chain_ranges enable row level security, force row level security;
create policy turns on cell.chain_ranges to cs_sequencer using (true) with check (true);
grant select, update (owner, taken_at) on cell.chain_ranges to cs_sequencer;

-- How long nobody else may take a range. Zero where the time is over, and where the clock was set back before it began.
create function cell.rest_of_turn(taken_at timestamptz, turn interval) returns integer
language sql volatile as $$
  select case when clock_timestamp() between taken_at and taken_at + turn
    then ceil(extract(epoch from taken_at + turn - clock_timestamp()) * 1000)::integer else 0 end
$$;

-- Those of the wanted ranges that another process owns, and for how many milliseconds yet. Null for none.
create function cell.foreign_ranges(me uuid, wanted smallint[], turn interval) returns json
language sql volatile as $$
  select json_agg(json_build_object('range', range, 'ms', cell.rest_of_turn(taken_at, turn)))
  from cell.chain_ranges where range = any (wanted) and owner is distinct from me
$$;

-- In a transaction of its own that doesn't wait for the disk: after a crash of the database an earlier owner is as good.
create function cell.take_ranges(me uuid, wanted smallint[], turn interval) returns json
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update cell.chain_ranges r set owner = me, taken_at = clock_timestamp()
  from (
    select range from cell.chain_ranges
    where range = any (wanted) and owner is distinct from me and cell.rest_of_turn(taken_at, turn) <= 0
    order by range for update skip locked) free
  where r.range = free.range;
  return cell.foreign_ranges(me, wanted, turn);
end $$;
