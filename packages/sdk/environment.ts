/** Defaults from the environment of the process. A browser has none, and a program's own options always win. */

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly getBuiltinModule?: (name: string) => { readFileSync(path: string, encoding: 'utf8'): string } | undefined
}

const process = (): Process => (globalThis as { process?: Process }).process ?? {}

type Name =
  | 'COUNTERSIGN_URL'
  | 'COUNTERSIGN_API_KEY'
  | 'COUNTERSIGN_CENTER'
  | 'COUNTERSIGN_SANDBOX'
  | 'COUNTERSIGN_TRUST'
  | 'COUNTERSIGN_TRUST_FILE'

/** An empty variable counts as one that isn't set. */
export const fromEnvironment = (name: Name): string | undefined => process().env?.[name] || undefined

/** Throw where nothing is set. */
export function urlFromEnvironment(): string {
  const url = fromEnvironment('COUNTERSIGN_URL')
  if (url !== undefined) return url
  throw new TypeError("baseUrl isn't set. Pass the server's address, or set COUNTERSIGN_URL.")
}

export function apiKeyFromEnvironment(): string {
  const key = fromEnvironment('COUNTERSIGN_API_KEY')
  if (key !== undefined) return key
  throw new TypeError("apiKey isn't set. Pass an API key (csk_…), or set COUNTERSIGN_API_KEY.")
}

export const centerFromEnvironment = (): number | undefined => {
  const text = fromEnvironment('COUNTERSIGN_CENTER')
  return text === undefined ? undefined : Number(text)
}

/** The text of the trust policy: of the variable itself, or of the file that the other one names. */
export function trustFromEnvironment(): string | undefined {
  const file = fromEnvironment('COUNTERSIGN_TRUST_FILE')
  return (
    fromEnvironment('COUNTERSIGN_TRUST') ??
    (file === undefined ? undefined : process().getBuiltinModule?.('node:fs')?.readFileSync(file, 'utf8'))
  )
}
