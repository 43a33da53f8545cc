/** What the Helm chart repeats of other files: the alerts, and the names of the settings that its value `settings` takes. */
import { globSync, readFileSync } from 'node:fs'
import { settings } from '@countersign/server/config/settings.ts'

const chart = new URL('../deploy/helm/countersign/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, chart), 'utf8')

/** Names of environment variables in the templates. */
export const namesInTemplates = (): string[] => [
  ...new Set(
    globSync('templates/**', { cwd: chart, withFileTypes: true })
      .filter((each) => each.isFile())
      .flatMap((each) => [
        ...readFileSync(`${each.parentPath}/${each.name}`, 'utf8').matchAll(/\bname: ([A-Z][A-Z_]+)/g),
      ])
      .map(([, name = '']) => name),
  ),
]

/** No secret, which a Secret holds; none that the chart sets; none that a pod cannot have. */
function otherSettings(): string[] {
  const set = new Set([...namesInTemplates(), 'TLOG_FENCE_COPY', 'FAILPOINT'])
  return Object.keys(settings).filter(
    (name) => !set.has(name) && !name.endsWith('_FILE') && !Object.hasOwn(settings, `${name}_FILE`),
  )
}

export function valuesSchema(): string {
  const schema = JSON.parse(read('values.schema.json'))
  schema.definitions.setting.enum = otherSettings()
  return `${JSON.stringify(schema, null, 2)}\n`
}
