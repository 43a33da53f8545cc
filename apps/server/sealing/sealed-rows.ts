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

/** The rows of one kind in a batch: loaded, changed by judge functions, and written at the end. */
export interface RowState {
  of(centerId: number): Rows<CenterRow>
  /** The two lists of the write function; null where nothing was inserted or updated. */
  changes(): { readonly inserted: readonly object[] | null; readonly updated: readonly object[] | null } | null
}

interface CenterRows {
  readonly rows: Map<string, CenterRow>
  readonly names: Map<string, string>
}

/** `loaded` is null where no item of the batch needs this kind: then it can be inserted, and not be read. */
export function rowState(
  { name: kindName, namesOf, inserted: insertedAs, updated: updatedAs, inOrder }: AnyKind,
  loaded: readonly CenterRow[] | null,
  counted: () => void,
): RowState {
  const shared: CenterRow[] = []
  const centers = new Map<number, CenterRows>()
  const inserted: CenterRow[] = []
  const updated = new Map<string, { readonly loaded: CenterRow; row: CenterRow }>()
  const rowsOf = (centerId: number): CenterRows => {
    let found = centers.get(centerId)
    if (!found) {
      found = { rows: new Map(), names: new Map() }
      centers.set(centerId, found)
    }
    return found
  }
  const keep = (row: CenterRow): string => {
    const { rows, names } = rowsOf(row.center_id as number)
    const [primary = '', ...others] = namesOf(row)
    rows.set(primary, row)
    for (const other of others) names.set(other, primary)
    return primary
  }
  for (const row of loaded ?? []) {
    if (row.center_id === null) shared.push(row)
    else keep(row)
  }
  const mustBeLoaded = () => {
    if (loaded === null) throw new Error(`no item of this batch needs rows of the kind "${kindName}"`)
  }

  const views = new Map<number, Rows<CenterRow>>()
  const view = (centerId: number): Rows<CenterRow> => {
    const own = ({ center_id }: CenterRow) => {
      if (center_id !== centerId) throw new Error(`a row of center ${center_id} in an item of center ${centerId}`)
    }
    return {
      find(name) {
        mustBeLoaded()
        const { rows, names } = rowsOf(centerId)
        return rows.get(name) ?? rows.get(names.get(name) ?? '')
      },
      all() {
        mustBeLoaded()
        return [...shared, ...rowsOf(centerId).rows.values()]
      },
      insert(row) {
        own(row)
        keep(row)
        inserted.push(row)
        counted()
      },
      update(row) {
        own(row)
        const primary = namesOf(row)[0] as string
        const before = rowsOf(centerId).rows.get(primary)
        if (!before) throw new Error(`an update of a row of the kind "${kindName}" that is not loaded`)
        const key = `${centerId} ${primary}`
        updated.set(key, { loaded: updated.get(key)?.loaded ?? before, row })
        keep(row)
        counted()
      },
      replace(row) {
        own(row)
        keep(row)
      },
    }
  }

  return {
    of(centerId) {
      const known = views.get(centerId) ?? view(centerId)
      views.set(centerId, known)
      return known
    },
    changes() {
      if (inserted.length === 0 && updated.size === 0) return null
      const changed = Array.from(updated.values(), ({ row, loaded: was }) => updatedAs?.(row, was) ?? row)
      if (inOrder) inserted.sort(inOrder)
      return {
        inserted: inserted.length === 0 ? null : inserted.map((row) => insertedAs?.(row) ?? row),
        updated: changed.length === 0 ? null : changed,
      }
    },
  }
}
