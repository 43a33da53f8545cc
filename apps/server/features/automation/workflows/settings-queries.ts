/** Settings of workflows, which a center may have for each. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export interface SettingsRow {
  readonly workflow_key: string
  readonly enabled: boolean
  readonly cron: string | null
  readonly parameters: unknown
  readonly tags: readonly string[]
}

export const settingsOf = (tx: TenantTx, keys: readonly string[]): Promise<SettingsRow[]> =>
  tx.db
    .selectFrom('workflow_settings')
    .select(['workflow_key', 'enabled', 'cron', 'parameters', 'tags'])
    .where('center_id', '=', tx.caller.centerId)
    .where('workflow_key', 'in', [...keys])
    .execute()

/** For workers, which keep the schedules of many centers. */
export async function settingsOfCenters(
  db: Kysely<never>,
  centerIds: readonly number[],
): Promise<(SettingsRow & { readonly center_id: number })[]> {
  const { rows } = await sql<SettingsRow & { readonly center_id: number }>`
    select center_id, workflow_key, enabled, cron, parameters, tags from cell.workflow_settings
    where center_id = any (${centerIds}::integer[])`.execute(db)
  return rows
}

interface NewSettings {
  readonly enabled: boolean
  readonly cron: string | null
  readonly parameters: object
  readonly tags: string[]
}

export async function putSettings(tx: TenantTx, workflow_key: string, chosen: NewSettings, at: Date): Promise<void> {
  const settings = { ...chosen, parameters: JSON.stringify(chosen.parameters), updated_at: at }
  await tx.db
    .insertInto('workflow_settings')
    .values({ center_id: tx.caller.centerId, workflow_key, ...settings })
    .onConflict((conflict) => conflict.columns(['center_id', 'workflow_key']).doUpdateSet(settings))
    .execute()
}
