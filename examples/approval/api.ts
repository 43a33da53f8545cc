/** Calls of the Proof API. COUNTERSIGN_URL names the server, COUNTERSIGN_KEY is an API key with the scope proof:write. */
const { COUNTERSIGN_URL = 'http://localhost:3000', COUNTERSIGN_KEY } = process.env
if (!COUNTERSIGN_KEY) throw new Error('COUNTERSIGN_KEY is not set. Use an API key with the scope proof:write.')

/** The fields that these programs read. */
interface Answer {
  readonly data: {
    readonly id: string
    readonly evidence: { readonly id: string }
    readonly approval: {
      readonly approver: { readonly name: string }
      readonly result: string
      readonly reason: string
    }
    readonly result: string
    readonly sealedHash: string
  }
}

async function call(path: string, init: RequestInit = {}): Promise<Answer | null> {
  const headers = { authorization: `Bearer ${COUNTERSIGN_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(`${COUNTERSIGN_URL}/api/v1${path}`, { ...init, headers })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Null: there is nothing at this path yet. */
export const get = (path: string): Promise<Answer | null> => call(path)

export async function post(path: string, body: object): Promise<Answer> {
  const answer = await call(path, { method: 'POST', body: JSON.stringify(body) })
  if (answer === null) throw new Error(`${path}: 404`)
  return answer
}
