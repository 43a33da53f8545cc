/** YAML in a request, for operations that accept a file. It is read into JSON first, and then by the same rules as JSON. */
import { isUtf8 } from 'node:buffer'
import { Problem } from '../lib/problem.ts'
import { readJson } from './json-body.ts'

export const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml']

/** Loaded with the first such request. No aliases: a few lines of them are read as millions of values. */
export async function yamlReader(): Promise<(bytes: Buffer) => unknown> {
  const { parse } = await import('yaml')
  return (bytes) => {
    if (!isUtf8(bytes)) throw new Problem('BAD_REQUEST', "The body isn't valid UTF-8. Encode it as UTF-8.")
    let value: unknown
    try {
      value = parse(bytes.toString(), { maxAliasCount: 0, schema: 'core', uniqueKeys: true, prettyErrors: true })
    } catch (error) {
      const [line = ''] = (error as Error).message.split('\n')
      throw new Problem('BAD_REQUEST', `The body isn't valid YAML: ${line.replace(/[.:]+$/, '')}. Check its syntax.`)
    }
    return readJson(Buffer.from(JSON.stringify(value ?? {})))
  }
}
