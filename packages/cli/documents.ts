/** The proofs in files, folders and the standard input, one after another: many files must not need much memory. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export type Found =
  | { readonly name: string; readonly text: string }
  /** The message of the system error. */
  | { readonly name: string; readonly unread: string }

const proofName = /\.(?:json|jsonld|ndjson|jsonl)$/i
const linesName = /\.(?:ndjson|jsonl)$/i

/** Replaces folders by the proofs in them; keeps other names. */
export async function filesIn(names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const isFolder = name !== '-' && (await stat(name).catch(() => null))?.isDirectory()
    if (!isFolder) found.push(name)
    else {
      const inside = await readdir(name, { recursive: true, withFileTypes: true })
      const proofs = inside.filter((entry) => entry.isFile() && proofName.test(entry.name))
      found.push(...proofs.map((entry) => join(entry.parentPath, entry.name)).sort())
    }
  }
  return found
}

export async function* documentsIn(name: string): AsyncGenerator<Found> {
  try {
    if (linesName.test(name)) yield* lines(name)
    else if (name === '-') yield* oneOrLines('stdin', (await buffer(process.stdin)).toString())
    else yield { name, text: await readFile(name, 'utf8') }
  } catch (error) {
    yield { name, unread: (error as Error).message }
  }
}

/**
 * A line ends with LF and nothing else. Every JSON parser skips a CR before it; a separator of Unicode, at which `readline` ends a
 * line too, is part of a string.
 */
async function* lines(name: string): AsyncGenerator<Found> {
  let number = 0
  for await (const text of endedByLf(createReadStream(name))) {
    number++
    if (!blank.test(text)) yield { name: `${name}:${number}`, text }
  }
}

async function* endedByLf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString()
      begun = []
      from = end + 1
    }
    begun.push(chunk.subarray(from))
  }
  yield Buffer.concat(begun).toString()
}

const blank = /^\ufeff?[ \t\r]*$/

/** A pipe has no file extension: if the first line is a complete JSON value, every line is one. */
function* oneOrLines(name: string, text: string): Generator<Found> {
  const all = text.split('\n').filter((line) => !blank.test(line))
  if (all.length < 2 || !isJson(all[0] as string)) yield { name, text }
  else for (const [at, line] of all.entries()) yield { name: `${name}:${at + 1}`, text: line }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
