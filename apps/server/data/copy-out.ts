/**
 * Rows as bytes. A scan over millions of rows spends most of its time and memory on strings and objects; COPY in binary
 * format passes each row on as it came from the socket. Only for scans: queries go through Kysely.
 */
import type pg from 'pg'

/** A view on received bytes, valid until the next row. */
export interface CopiedRow {
  text(column: number): string | null
  /** Bytes as hexadecimal digits. */
  hex(column: number): string | null
  bytes(column: number): Uint8Array
}

/** `query` takes no parameters and selects only columns of the types text and bytea. */
export type CopyOut = (query: string, onRow: (row: CopiedRow) => void) => Promise<void>

/** Signature, flags, and the length of the header extension, which is always 0. */
const headerLength = 11 + 4 + 4
const lengthBytes = 4

export const copyOut =
  (client: pg.ClientBase): CopyOut =>
  (query, onRow) =>
    new Promise((resolve, reject) => {
      const row = rowReader()
      let start = headerLength
      let failure: Error | null = null
      const copying = {
        // The driver replaces this callback to stop its timeout.
        callback: (error: Error | null) => (error ? reject(error) : resolve()),
        submit: (connection: pg.Connection) => {
          connection.query(`copy (${query}) to stdout (format binary)`)
        },
        // One message is one row. The first begins with the header, and the last is the end mark.
        handleCopyData({ chunk }: { chunk: Buffer }) {
          if (failure) return
          try {
            if (row.load(chunk, start)) onRow(row)
            start = 0
          } catch (error) {
            // The remaining rows must be read before the connection can be used again.
            failure = error as Error
          }
        },
        handleCommandComplete: () => {},
        handleReadyForQuery: () => copying.callback(failure),
        handleError: (error: Error) => copying.callback(error),
      }
      client.query(copying as pg.Submittable)
    })

/** One object for all rows of a scan, to avoid garbage. */
function rowReader(): CopiedRow & { load(chunk: Buffer, start: number): boolean } {
  let row: Buffer = Buffer.alloc(0)
  const starts: number[] = []
  const ends: number[] = []
  const decoded = (column: number, encoding: 'utf8' | 'hex'): string | null => {
    const [start, end] = [starts[column] as number, ends[column] as number]
    return end < start ? null : row.toString(encoding, start, end)
  }
  return {
    /** False for the end mark. */
    load(chunk, start) {
      row = chunk
      const columns = chunk.readInt16BE(start)
      let at = start + 2
      for (let column = 0; column < columns; column++) {
        const length = chunk.readInt32BE(at)
        at += lengthBytes
        starts[column] = at
        // A null has the length -1, so its end is before its start.
        ends[column] = at + length
        at += Math.max(0, length)
      }
      return columns >= 0
    },
    text: (column) => decoded(column, 'utf8'),
    hex: (column) => decoded(column, 'hex'),
    bytes: (column) => row.subarray(starts[column], Math.max(starts[column] as number, ends[column] as number)),
  }
}
