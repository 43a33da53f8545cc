/** The development server: the one that runs, or one for the duration of the demonstration. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { settings } from '../settings.ts'

export interface DemoServer {
  readonly url: string
  stop(): Promise<void>
}

const addressOf = (): string => `http://localhost:${settings().PORT ?? 3000}`
const answers = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/health/ready`).catch(() => null))?.ok ?? false

export async function runningServer(say: (line: string) => void): Promise<DemoServer> {
  const found = addressOf()
  if (await answers(found)) {
    say(found)
    return { url: found, stop: async () => {} }
  }
  say('Starting npm run dev for this demo')
  const dev = spawn(process.execPath, [new URL('../dev.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const stop = async (): Promise<void> => {
    if (dev.exitCode !== null) return
    dev.kill('SIGINT')
    await once(dev, 'exit')
  }
  process.once('SIGINT', () => void stop().then(() => process.exit(130)))
  await new Promise<void>((resolve, reject) => {
    let shown = ''
    dev.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (shown.includes('Stop with Ctrl+C.')) resolve()
    })
    dev.once('exit', () => reject(new Error(`npm run dev stopped. Its output was:\n${shown}`)))
  })
  return { url: addressOf(), stop }
}
