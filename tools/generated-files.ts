/** The files generated from the contract, from the verifier and from a freshly migrated database. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { rulesSchema } from '@countersign/cli/hook/rules-schema.ts'
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { policyFileSchema } from '@countersign/contract/policy-files.ts'
import { ConfigFile } from '@countersign/gateway/config-schema.ts'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { buildPage } from '@countersign/verifier/build.ts'
import { dashboards, grafanaModel } from '../deploy/observability/dashboards.ts'
import { rules, ruleTests } from '../deploy/observability/rules.ts'
import { causesFile } from './cause-files.ts'
import { valuesSchema } from './chart-files.ts'
import { errorsPage } from './error-files.ts'
import { glossaryFiles } from './glossary-files.ts'
import { messageFiles } from './message-files.ts'
import { databaseUrl, findPostgres, withClient } from './postgres.ts'
import { pythonFiles } from './python-files.ts'
import { resultsPage } from './result-files.ts'

import { sdkFiles } from './sdk-files.ts'
import { envExample, settingsPage } from './setting-files.ts'

const root = new URL('../', import.meta.url)

export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'packages/contract/openapi.json', content: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
    { path: 'docs/formats/policies-v1.schema.json', content: inJson(policyFileSchema) },
    { path: 'docs/formats/hook-rules-v1.schema.json', content: inJson(rulesSchema) },
    { path: 'apps/verifier/dist/verify.html', content: await buildPage() },
    ...sdkFiles(),
    ...pythonFiles(),
    { path: 'packages/gateway/config.schema.json', content: inJson({ $schema: jsonSchemaDialect, ...ConfigFile }) },
    { path: '.env.example', content: envExample() },
    { path: 'docs/settings.md', content: settingsPage() },
    { path: 'docs/results.md', content: resultsPage() },
    { path: 'docs/errors.md', content: errorsPage() },
    { path: 'apps/docs/reference/causes.generated.json', content: await causesFile() },
    ...messageFiles(),
    ...glossaryFiles(),
    ...observabilityFiles(),
    { path: 'deploy/helm/countersign/values.schema.json', content: valuesSchema() },
    ...(await fromFreshDatabase()),
  ]
}

const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema'
const inJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const observabilityFiles = (): GeneratedFile[] => [
  { path: 'deploy/observability/rules.json', content: inJson(rules()) },
  { path: 'deploy/helm/countersign/files/rules.json', content: inJson(rules()) },
  { path: 'deploy/observability/rules.test.json', content: inJson(ruleTests()) },
  ...dashboards.map((each) => ({
    path: `deploy/observability/${each.uid.replace('countersign-', '')}.json`,
    content: inJson(grafanaModel(each)),
  })),
]

async function fromFreshDatabase(): Promise<GeneratedFile[]> {
  const server = await findPostgres(new URL('.dev', root).pathname)
  const name = `countersign_generate_${process.pid}`
  const url = databaseUrl(server.url, name)
  await withClient(server.url, (client) => client.query(`create database ${name}`))
  try {
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const describe = await readFile(new URL('tools/describe-schema.sql', root), 'utf8')
    return await Promise.all(
      ['directory', 'cell'].flatMap((schema) => [
        tableTypes(url, schema).then((content) => ({ path: `apps/server/data/${schema}.generated.ts`, content })),
        withClient(url, (client) => client.query<{ line: string }>(describe, [schema])).then(({ rows }) => ({
          path: `apps/server/database/${schema}/schema.txt`,
          content: `${rows.map((row) => row.line).join('\n')}\n`,
        })),
      ]),
    )
  } finally {
    await withClient(server.url, (client) => client.query(`drop database ${name} with (force)`))
    await server.stop()
  }
}

async function tableTypes(url: string, schema: string): Promise<string> {
  const cli = new URL('node_modules/kysely-codegen/dist/cli/bin.js', root).pathname
  const options = [
    '--dialect',
    'postgres',
    '--default-schema',
    schema,
    '--include-pattern',
    `${schema}.*`,
    '--print',
    '--log-level',
    'error',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...options, '--url', url])
  return stdout
}
