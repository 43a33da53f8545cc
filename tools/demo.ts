/** `npm run demo -- --json`: demo data, and one JSON object with its logins and keys. */
import { ConfigError, readConfig } from '@countersign/server/config/config.ts'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { MigrationError } from '@countersign/server/data/migration-status.ts'
import { type Demo, DemoRefused, seedDemo } from './demo-data.ts'
import { settings } from './settings.ts'

function table({ baseUrl, centers, accounts, apiKeys }: Demo): string {
  const rows = Object.entries(accounts).map(
    ([name, { email, password, centerDomain }]) =>
      `  ${name.padEnd(18)}${email.padEnd(36)}${password.padEnd(34)}${centerDomain ?? '-'}`,
  )
  const places = centers.map(
    ({ id, domain, name, vertical }) => `  ${String(id).padEnd(8)}${domain.padEnd(12)}${vertical.padEnd(18)}${name}`,
  )
  const keys = Object.entries(apiKeys).map(([name, key]) => `  ${name.padEnd(18)}${key}`)
  return `API: ${baseUrl}

Centers (id, subdomain, vertical, name):
${places.join('\n')}

Accounts (name, email, password, center):
${rows.join('\n')}

To sign in as the administrator of another center, use admin@SUBDOMAIN.example and the password of the account "admin".

API keys:
${keys.join('\n')}
`
}

try {
  const config = readConfig({ SECRET_KEY: Buffer.alloc(32).toString('base64'), ...settings() })
  if (!config.production) await migrateAll(config)
  const demo = await seedDemo(config)
  process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(demo)}\n` : table(demo))
} catch (error) {
  const known = error instanceof DemoRefused || error instanceof ConfigError || error instanceof MigrationError
  process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`)
  process.exitCode = 1
}
