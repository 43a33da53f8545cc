/**
 * The parser for request bodies. It refuses a value that cannot be stored exactly and never changes one silently; the rules
 * are in packages/proof/parse.ts, because a verifier must read a proof by the same rules.
 */
import { isUtf8 } from 'node:buffer'
import { NotRepresentable } from '@countersign/proof/canonical.ts'
import { NotJson, parseExactly } from '@countersign/proof/parse.ts'
import { Problem } from '../lib/problem.ts'

const limits = { maxDepth: 32, maxValues: 20_000 }

export class MalformedJson extends Error {}

export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new MalformedJson('The body is not UTF-8.')
  try {
    return parseExactly(bytes.toString(), limits)
  } catch (error) {
    if (error instanceof NotJson) throw new MalformedJson('The body is not valid JSON.')
    if (!(error instanceof NotRepresentable)) throw error
    const path = error.path.replaceAll('/', '.').slice(1, 201)
    throw new Problem('VALIDATION_ERROR', error.message, { details: { issues: [{ path, message: error.message }] } })
  }
}
