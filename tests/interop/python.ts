/** Runs the checker in Python, which shares no code with the TypeScript verifier. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { EmergencyFacts, LineFacts } from '@countersign/proof/decision-facts.ts'
import type { Standing } from '@countersign/proof/verify-proof.ts'

const folder = new URL('.', import.meta.url).pathname
const checker = `${folder}check_exports.py`

type Status = 'yes' | 'no' | 'unknown'

export interface PythonVerdict {
  readonly valid: boolean
  readonly hash: string | null
  readonly problems: readonly string[]
  readonly newer: readonly string[]
  readonly undisclosed: readonly string[]
  readonly warnings: readonly string[]
  readonly inChain: Status
  readonly signed: Status
  readonly witnessed: Status
  readonly standing: Standing
  readonly ok: boolean
  readonly sandbox: boolean
  readonly outside: readonly string[]
  readonly redacted: readonly string[]
  readonly passkeys: readonly ('holds' | 'unknown' | 'false' | null)[]
  readonly raises: readonly ('holds' | 'unknown' | 'false' | null)[]
  readonly line: LineFacts | null
  readonly emergency:
    | (Omit<EmergencyFacts, 'confirmations'> & {
        readonly confirmations: readonly Omit<EmergencyFacts['confirmations'][number], 'passkey'>[]
      })
    | null
  readonly brokenAt?: number | null
  readonly headHash?: string | null
}

export async function askPython(lines: readonly string[], ...options: string[]): Promise<PythonVerdict[]> {
  const { output } = await runPython([checker, ...options], lines)
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PythonVerdict)
}

/** Runs a short Python program that imports the checker. */
export async function runWithChecker(program: string, lines: readonly string[]): Promise<void> {
  const paths = [join(folder, '../../python/src'), folder].map(
    (each) => `sys.path.insert(0, ${JSON.stringify(each)})\n`,
  )
  const setup = `import sys\n${paths.join('')}sys.dont_write_bytecode = True\n`
  const { code } = await runPython(['-c', setup + program], lines)
  if (code !== 0) throw new Error('Python disagrees; see above.')
}

async function runPython(args: readonly string[], lines: readonly string[]) {
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const output = await text(child.stdout)
  const [code] = (await ended) as [number]
  return { output, code }
}
