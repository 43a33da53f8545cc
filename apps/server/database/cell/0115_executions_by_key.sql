-- By key, whatever the plan of a function was made for: a plan made while a cell was empty reads the whole chain for
-- each execution until the tables are analyzed, and the first agents of a new cell wait seconds for it.
alter function cell.write_decision_executions(json, json)
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
