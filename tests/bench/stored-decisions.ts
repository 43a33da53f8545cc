/** Decisions that a bench inserts past the API, with the state that the API would give them. */

/** Wraps an insert into `cell.recorded_decisions`, so that what it inserts is open. */
export const opening = (insert: string): string =>
  `with made as (${insert} returning center_id, seq, tags)
   insert into cell.open_decisions (center_id, seq, status) select center_id, seq, 'recorded' from made`
