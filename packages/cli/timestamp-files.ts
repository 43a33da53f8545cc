/** A time-stamp token and the stamped text, as the two files that `openssl ts -verify` needs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNote, parseTlogProof } from '@countersign/proof'

export interface TimestampFiles {
  readonly token: string
  readonly checkpoint: string
}

/** `at` is the name of the proof's file; with a folder the two are written there, otherwise only named. */
export function timestampFiles(document: unknown, at: string, folder: string | undefined): TimestampFiles {
  const stem = at
    .replace(/^.*[/\\]/, '')
    .replace(/[^\w.-]+/g, '_')
    .replace(/\.(?:json|jsonld)$/i, '')
  const files = {
    token: join(folder ?? '.', `${stem}.tst`),
    checkpoint: join(folder ?? '.', `${stem}.checkpoint`),
  }
  if (folder !== undefined) {
    const { verification } = document as { verification: { timestamp: string; tlogProof: string } }
    mkdirSync(folder, { recursive: true })
    writeFileSync(files.token, Buffer.from(verification.timestamp, 'base64'))
    writeFileSync(files.checkpoint, parseNote(parseTlogProof(verification.tlogProof).note).text)
  }
  return files
}

/** `authority.pem` is the certificate of the authority, which its operator publishes. */
export const opensslCommand = ({ token, checkpoint }: TimestampFiles): string =>
  `openssl ts -verify -token_in -in ${quoted(token)} -data ${quoted(checkpoint)} -CAfile authority.pem`

export const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
