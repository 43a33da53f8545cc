/** What the operator has written into a file. */
import { readFile } from 'node:fs/promises'
import { UsageError } from './shell.ts'

export async function readJsonFile(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file "${file}" can't be read (${error.code}).`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The file "${file}" isn't JSON: ${(error as Error).message}.`)
  }
}
