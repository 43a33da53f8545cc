/** Runs a statement on a table as a role, and returns the result. */
import pg from 'pg'

/** The number of rows that the role saw or changed, or the SQLSTATE of the refusal. */
export type Outcome = number | string

export interface Context {
  readonly role: string
  /** The center of the transaction; null sets none. */
  readonly center: number | null
  /** Further settings of the transaction, as the service sets them. */
  readonly settings?: Readonly<Record<string, string>>
}

export const refused = '42501'

export async function attempt(
  client: pg.Client,
  { role, center, settings = {} }: Context,
  text: string,
  values: unknown[] = [],
): Promise<Outcome> {
  await client.query('begin')
  try {
    await client.query(`set local role ${role}`)
    // Sets both, so that every kind of policy sees this center and no other.
    if (center !== null) {
      await client.query(`set local app.center_id = '${center}'; set local app.center_ids = '{${center}}'`)
    }
    for (const [name, value] of Object.entries(settings)) {
      await client.query('select set_config($1, $2, true)', [`app.${name}`, value])
    }
    return (await client.query(text, values)).rowCount ?? 0
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code ?? 'no code'
    throw error
  } finally {
    await client.query('rollback')
  }
}

/** A column that the role may update, so that the row and not the column causes a refusal. */
export async function updatableColumn(client: pg.Client, role: string, table: string): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
     where attrelid = $2::regclass and attnum > 0 and attname <> 'center_id' and has_column_privilege($1, $2::regclass, attnum, 'update')
     order by attnum limit 1`,
    [role, table],
  )
  return rows[0]?.column ?? 'center_id'
}

/** A complete row of a center as JSON, read as superuser; `insertRow` writes it back. */
export async function rowOf(client: pg.Client, table: string, center: number): Promise<string> {
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where center_id = $1 limit 1`,
    [center],
  )
  if (!rows[0]) throw new Error(`${table} has no row of center ${center}: the seed does not reach it`)
  return rows[0].row
}

/** Without the columns that the database computes. */
export async function insertRow(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const columns = rows[0]?.columns
  return `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`
}
