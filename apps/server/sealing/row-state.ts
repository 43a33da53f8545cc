/** The rows of one kind in a batch: loaded, changed by judge functions, and written at the end. */
import type { AnyKind, CenterRow, Rows } from './sealed-rows.ts'

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
