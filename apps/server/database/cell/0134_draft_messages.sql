set local role cs_owner;

-- Whoever is asked to review a draft, and whoever wrote or sent one that is refused, is told in the commit that seals it.
create function cell.note_draft() returns trigger
language plpgsql as $$
declare
  sent json := new.metadata #> '{review,sent}';
  refused json := new.metadata #> '{review,refused}';
  page json := json_build_object('workflow', coalesce(new.origin ->> 'workflowId', ''),
    'run', coalesce(new.reference_id, ''));
begin
  if current_user = 'cs_owner' then return null; end if;
  if sent is not null and sent::text is distinct from (old.metadata #> '{review,sent}')::text then
    insert into cell.message_causes (center_id, id, event, facts, noted_at, expires_at)
    values (new.center_id, 'draft ' || new.id || ' sent ' || (sent ->> 'at'), 'draftSent',
      json_build_object('person', sent #>> '{to,id}', 'by', sent #>> '{by,id}', 'of', page),
      now(), now() + interval '40 days')
    on conflict do nothing;
  end if;
  if refused ->> 'tell' is not null and refused::text is distinct from (old.metadata #> '{review,refused}')::text then
    insert into cell.message_causes (center_id, id, event, facts, noted_at, expires_at)
    values (new.center_id, 'draft ' || new.id || ' refused ' || (refused ->> 'at'), 'draftRefused',
      json_build_object('person', refused ->> 'tell', 'by', refused #>> '{by,id}', 'of', page),
      now(), now() + interval '40 days')
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger draft_messages after update of metadata on cell.dpus for each row
  when (new.domain = 'dpu') execute function cell.note_draft();
