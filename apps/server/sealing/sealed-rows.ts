/**
 * Rows that a feature reads and writes in a batch. A feature declares each kind in its `sealed-rows.ts`; the sealing
 * code knows only these declarations and calls their SQL functions.
 */
export interface CenterRow {
  /** Null for a row that all centers share. */
  readonly center_id: number | null
}

export interface RowKind<Row extends CenterRow, Key extends object = object> {
  readonly name: string
  /**
   * Rows are loaded, locked and written kind by kind in this order, in every process, so that two batches do not
   * deadlock. No two kinds have the same number.
   */
  readonly order: number
  /**
   * `cell.<load>(wanted json, most_bytes integer) returns json`: locks and returns the rows for the keys, each of
   * which has a `center_id`. A row of more than `most_bytes` is returned as `{center_id, oversize}`.
   */
  readonly load?: string
  /** `cell.<write>(inserted json, updated json) returns void`; a list without rows is null. */
  readonly write?: string
  /** The names by which `find` finds a row, the primary key first. */
  namesOf(row: Row): readonly string[]
  /** What is written of a row; it is called when the checkpoints of the batch are signed. */
  inserted?(row: Row): object
  updated?(row: Row, loaded: Row): object
  /** The order in which new rows are written, where other transactions insert the same keys. */
  inOrder?(a: Row, b: Row): number
  /** Only a type: what `need` takes. */
  readonly key?: Key
}

/** Rows of any kind. The functions of a kind are methods, so that each kind is one of these. */
export type AnyKind = RowKind<CenterRow>

export interface Need {
  readonly kind: AnyKind
  readonly key: object
}

/** Declares that an item reads rows of this kind. The sequencer adds the center, so no item can name another one. */
export const need = <Row extends CenterRow, Key extends object>(kind: RowKind<Row, Key>, key: Key): Need => ({
  kind,
  key,
})

/** Rows of one kind and one center, as a judge function sees them. */
export interface Rows<Row extends CenterRow> {
  find(name: string): Row | undefined
  /** Rows that all centers share come first. */
  all(): readonly Row[]
  insert(row: Row): void
  /** Replaces the row with the same primary key. A row that one batch changes twice is written once. */
  update(row: Row): void
  /** The state for the next items of the batch, where another kind writes the change. */
  replace(row: Row): void
}
