-- incompatible
set local role cs_owner;

-- What is left of a sealed decision's text after its hashes is mostly the same in every entry: names of members in their order. A
-- template stores such a run as two characters: a control character, and a letter for its position in this list. Entries that exist
-- stay as they are. docs/decisions/0122-entries-in-binary.md has the figures.

-- Rows name them by position, as they do names: a phrase is only ever added at the end, in a version before the first one that
-- writes it. Places of hashes may be among them.
create function cell.entry_phrases() returns text[]
language sql immutable parallel safe as $$
  select array[
    ',"approval":{"approvedAt":"', '","approver":{"type":"human"},"channel":', '","approver":{"type":', '},"channel":',
    ',"decidedAt":"', '","identity":{"level":', ',"identity":{"level":', '},"openedAt":"', '"passkey":{"authenticatorData":"',
    ',"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi', '","historySize":', ',"signature":"',
    '},"result":"approved"},"commitments":{', '","result":"approved"},"commitments":{',
    '},"result":"rejected"},"commitments":{', '","result":"rejected"},"commitments":{', ',"commitments":{',
    e'\x01",\x01#,\x01$,\x01%,', e'\x01),\x01*,\x01+,\x01,,\x01-,\x01.,\x01/,\x010,', e'\x01*,\x01+,\x01,,\x01-,\x01.,\x01/,\x010,',
    e'\x012,\x013,\x016,\x017,', '},"decisionId":"', '},"decisionId":"dec_',
    '","domain":"proof","event":{"action":{"type":"', '"},"actor":{"type":"ai_agent"},"occurredAt":"',
    '"},"actor":{"type":"human"},"occurredAt":"', '"},"actor":{"type":"system"},"occurredAt":"', '","type":"',
    '"},"evidenceLevel":"AUDIT_READY","id":"evd_', '"},"evidenceLevel":"', '","id":"evd_', '","index":', ',"log":"',
    '","policies":[{', ',"id":"pol_', '","version":', '}],"v":"dpu-chain-v1"}', '","v":"dpu-chain-v1"}']
$$;

-- As before, with phrases. What is no phrase stays, so no byte of a row is without effect. A template without hashes is the text.
create or replace function cell.content_of(template text, hashes bytea) returns text
language plpgsql immutable parallel safe as $$
declare
  names constant text[] := cell.entry_names();
  phrases constant text[] := cell.entry_phrases();
  parts text[];
  name integer;
begin
  if template is null or hashes is null then
    return template;
  end if;
  if strpos(template, e'\x02') > 0 then
    parts := string_to_array(template, e'\x02');
    for at in 2..cardinality(parts) loop
      parts[at] := coalesce(phrases[ascii(parts[at]) - 32] || substr(parts[at], 2), e'\x02' || parts[at]);
    end loop;
    template := array_to_string(parts, '');
  end if;
  parts := string_to_array(template, e'\x01');
  for at in 2..cardinality(parts) loop
    name := ascii(parts[at]) - 32;
    if name = 0 then
      parts[at] := 'sha256:' || encode(substring(hashes from at * 32 - 63 for 32), 'hex') || substr(parts[at], 2);
    else
      parts[at] := '"' || coalesce(names[name], '') || '":"sha256:' || encode(substring(hashes from at * 32 - 63 for 32), 'hex')
        || '"' || substr(parts[at], 2);
    end if;
  end loop;
  return array_to_string(parts, '') || encode(substring(hashes from greatest(cardinality(parts), 1) * 32 - 31), 'hex');
end $$;
