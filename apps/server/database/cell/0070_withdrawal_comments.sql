set local role cs_owner;

-- A member who withdraws a decision says why in the same commit, as a comment.
grant insert on cell.decision_comments to cs_sequencer;

create function cell.write_comments(inserted json, updated json) returns void
language plpgsql as $$
begin
  insert into cell.decision_comments (center_id, event_id, id, author_id, author_name, text, created_at)
  select center_id, event_id, id, author_id, author_name, text, created_at
  from json_to_recordset(inserted) as c (
    center_id integer, event_id uuid, id uuid, author_id uuid, author_name text, text text, created_at timestamptz);
end $$;
