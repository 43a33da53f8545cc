/** What a role tries on a table, and what came of it. */
import pg from 'pg'

/** Rows it saw or touched, or the SQLSTATE with which it was refused. */
export type Outcome = number | string

export interface Context {
  readonly role: string
  /** The center of the transaction; null leaves it without one. */
  readonly center: number | null
  /** Further settings of the transaction, as the service would make them. */
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
    // Both settings, so that whichever policy a role has, it has this center and no other.
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

/** A column that the role may update, so that a refusal comes from the row and not from the column. */
export async function updatableColumn(client: pg.Client, role: string, table: string): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
     where attrelid = $2::regclass and attnum > 0 and attname <> 'center_id' and has_column_privilege($1, $2::regclass, attnum, 'update')
     order by attnum limit 1`,
    [role, table],
  )
  return rows[0]?.column ?? 'center_id'
}

/** A whole row of a center as JSON, read as superuser; `insertRow` writes it back. */
export async function rowOf(client: pg.Client, table: string, center: number): Promise<string> {
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where center_id = $1 limit 1`,
    [center],
  )
  if (!rows[0]) throw new Error(`${table} has no row of center ${center}: the seed does not reach it`)
  return rows[0].row
}

export const insertRow = (table: string): string =>
  `insert into ${table} select * from jsonb_populate_record(null::${table}, $1::jsonb)`
