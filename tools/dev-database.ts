/**
 * The embedded PostgreSQL of `npm run dev`, in a process group of its own: Ctrl+C signals every process of the
 * terminal's group, and a database that stops before the server makes the server log lost connections. This process
 * stops the database when its standard input closes, so it also ends when `npm run dev` is killed.
 */
import { startEmbedded } from './postgres.ts'

try {
  const database = await startEmbedded(process.argv[2] as string)
  process.stdout.write(`${database.url}\n`)
  process.stdin.resume().once('end', () => void database.stop().then(() => process.exit(0)))
} catch (error) {
  process.stderr.write(`The embedded PostgreSQL didn't start: ${(error as Error)?.message ?? 'it exited early'}\n`)
  process.exit(1)
}
