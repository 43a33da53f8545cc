set local role cs_owner;

-- What decisions are found by: 32-bit hashes of the center and one token each (two neighboring syllables, the beginning of a
-- word, a number, who took part). It follows from other tables, some seconds behind them, and is no source of rights or of
-- contents: whoever finds a decision by it compares its current text.
create table cell.decision_words (
  center_id integer,
  seq bigint not null,
  created_at timestamptz(3) not null,
  -- The largest amount that the decision names.
  amount double precision,
  tokens integer[] not null,
  -- Rises with every redaction, so that a worker that read the text before writes nothing.
  epoch integer not null default 0,
  -- Emptied by a redaction; a worker reads the decision again.
  stale boolean not null default false,
  primary key (center_id, seq)
);
-- Scanned in full by every search, so it stays small: new rows wait here in bulk before they are merged into the index.
create index decision_words_tokens on cell.decision_words using gin (tokens) with (gin_pending_list_limit = 256);
create index decision_words_stale on cell.decision_words (center_id) where stale;
select countersign.give_tenancy('cell.decision_words');
create policy survey on cell.decision_words for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
-- For `find_decisions` below, which compares the center itself. Behind a condition of row-level security no index over an
-- array is used, because the array operators may leak what they compare.
create policy search on cell.decision_words for select to cs_owner using (true);
grant select on cell.decision_words to cs_api;
grant select, insert, update on cell.decision_words to cs_jobs;
grant select, insert, update on cell.decision_words to cs_sequencer;

-- How far the words of a center are written: the recorded decisions, and the entries of the chain `proof`.
create table cell.decision_word_marks (
  center_id integer primary key,
  recorded_through bigint not null default 0,
  sealed_through bigint not null default 0
);
select countersign.give_tenancy('cell.decision_word_marks');
create policy survey on cell.decision_word_marks for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);
grant select, insert, update on cell.decision_word_marks to cs_jobs;

create policy survey on cell.decision_events for select to cs_jobs
  using (nullif(current_setting('app.center_id', true), '') is null);

-- A redaction is the only change of these columns. In its commit, nothing is left of the decision but its place.
create function cell.forget_words() returns trigger
language plpgsql as $$
declare
  event cell.decision_events;
begin
  if tg_table_name = 'decision_events' then
    event := new;
  else
    select * into event from cell.decision_events e where e.center_id = new.center_id and e.id = new.event_id;
  end if;
  insert into cell.decision_words as w (center_id, seq, created_at, tokens, epoch, stale)
  values (event.center_id, event.seq, event.created_at, '{}', 1, true)
  on conflict (center_id, seq) do update
    set tokens = '{}', amount = null, epoch = w.epoch + 1, stale = true;
  return null;
end $$;
create trigger forget_words after update of actor, action, ai_context, tags, reason on cell.decision_events
  for each row execute function cell.forget_words();
create trigger forget_words after update of approver, reason, on_behalf_of on cell.approvals
  for each row execute function cell.forget_words();

-- The newest decisions of the current center with all these words, before `before`: a word is an array of alternatives, and
-- each alternative an array of tokens. `newest` bounds how many of the newest decisions are looked at one by one, which is how
-- common words are found; 0 reads the index, which is how rare ones are.
create function cell.find_decisions(wanted json, low double precision, high double precision, since timestamptz,
  until timestamptz, before bigint, newest integer, most integer)
returns table (seq bigint)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
declare
  center constant integer := nullif(current_setting('app.center_id', true), '')::integer;
  words text;
  rest text := ' and w.seq < $2';
begin
  select string_agg(' and (' || each.conditions || ')', '') into words from (
    select string_agg(format('w.tokens @> %L::integer[]', array(
      select t::integer from json_array_elements_text(a.tokens) t)), ' or ') as conditions
    from json_array_elements(wanted) with ordinality w (alternatives, place)
      cross join lateral json_array_elements(w.alternatives) a (tokens)
    group by w.place) each;
  if low is not null then rest := rest || ' and w.amount >= $3'; end if;
  if high is not null then rest := rest || ' and w.amount <= $4'; end if;
  if since is not null then rest := rest || ' and w.created_at >= $5'; end if;
  if until is not null then rest := rest || ' and w.created_at < $6'; end if;
  if newest > 0 or words is null then
    return query execute
      'select w.seq from (select * from cell.decision_words w where w.center_id = $1 and w.seq < $2 order by w.seq desc limit $7) w
       where true' || coalesce(words, '') || rest || ' order by w.seq desc limit $8'
      using center, before, low, high, since, until, case when newest > 0 then newest end, most;
  else
    -- + 0: the planner must not read the center backward in search of rare words.
    return query execute
      'select w.seq from cell.decision_words w where w.center_id = $1' || words || rest || ' order by w.seq + 0 desc limit $8'
      using center, before, low, high, since, until, null::integer, most;
  end if;
end $$;
revoke all on function cell.find_decisions(json, double precision, double precision, timestamptz, timestamptz, bigint, integer,
  integer) from public;
grant execute on function cell.find_decisions(json, double precision, double precision, timestamptz, timestamptz, bigint, integer,
  integer) to cs_api;
