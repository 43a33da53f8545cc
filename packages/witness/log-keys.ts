/** The log hosts that a witness serves: lines "log <vkey>" and comments, a subset of the policy format of verifiers. */
import { type VerifierKey, verifierKey } from '@countersign/proof'

export class ConfigError extends Error {}

export function readLogKeys(text: string, file: string): VerifierKey[] {
  const keys: VerifierKey[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [kind, vkey = '', ...more] = line
      .replace(/(^|\s)#.*$/, '')
      .split(/\s+/)
      .filter(Boolean)
    if (kind === undefined) continue
    const place = `${file}, line ${index + 1}`
    // An address may follow the key, as in a policy; a witness makes no outgoing calls and ignores it.
    if (kind !== 'log' || more.length > 1) throw new ConfigError(`${place}: a line must be "log <vkey>" or a comment.`)
    const key = parsed(vkey, place)
    if (key.type !== 1) throw new ConfigError(`${place}: this is a witness key, not a log key.`)
    keys.push(key)
  }
  return keys
}

function parsed(vkey: string, place: string): VerifierKey {
  try {
    return verifierKey(vkey)
  } catch (error) {
    throw new ConfigError(`${place}: ${(error as Error).message}`)
  }
}
