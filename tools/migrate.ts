/** `npm run db:migrate` */
import { readConfig } from '@countersign/server/config.ts'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { settings } from './settings.ts'

// Migrating needs no secret, so it asks for none.
const applied = await migrateAll(readConfig({ SECRET_KEY: Buffer.alloc(32).toString('base64'), ...settings() }))
process.stdout.write(
  applied.length === 0 ? 'Nothing to migrate: all is up to date.\n' : `Applied:\n  ${applied.join('\n  ')}\n`,
)
