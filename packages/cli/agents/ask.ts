/** Questions on a terminal. Everything else of this command asks none. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

async function asked(question: string, output: NodeJS.WritableStream, terminal: boolean): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

export const ask = (question: string): Promise<string> => asked(`${question} `, process.stderr, true)

/** What is typed isn't shown. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(`${question} `)
  const silent = new Writable({ write: (_, __, done) => done() })
  try {
    return await asked('', silent, true)
  } finally {
    process.stderr.write('\n')
  }
}

export const isYes = (answer: string): boolean => /^(?:y|yes|예|네)$/i.test(answer)
