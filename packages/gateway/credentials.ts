/** The credentials of a server, taken out of what it says: an agent that had one could go around the gateway. */

export interface Hiding {
  text(text: string): string
  /** Of a value as JSON. */
  json(text: string): string
}

/** Anything shorter would also be found by chance. */
const shortest = 8
const instead = '[credential]'

/** A header such as `Bearer …` has its credential after a blank, and a connection string has its password inside. */
function partsOf(secret: string): string[] {
  const password = URL.canParse(secret) ? decodedOf(new URL(secret).password) : []
  return [secret, ...secret.split(/\s+/), ...password].filter((part) => part.length >= shortest)
}

function decodedOf(password: string): string[] {
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

export function hiding(secrets: readonly string[]): Hiding {
  // The longest first: a part must not break what contains it.
  const parts = [...new Set(secrets.flatMap(partsOf))].sort((a, b) => b.length - a.length)
  const inJson = parts.map((part) => JSON.stringify(part).slice(1, -1))
  const without = (text: string, all: readonly string[]) =>
    all.reduce((rest, part) => rest.replaceAll(part, instead), text)
  return { text: (text) => without(text, parts), json: (text) => without(text, inJson) }
}
