/** Serves the function on this machine, with a Map for the KV namespace. Your platform does this for you. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import refunds, { type Env } from './function.ts'

const stored = new Map<string, string>()
const REFUNDS: Env['REFUNDS'] = {
  get: async (key) => stored.get(key) ?? null,
  put: async (key, value) => void stored.set(key, value),
}
const { PORT = '8080' } = process.env

createServer(async (incoming, outgoing) => {
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const request = new Request(`http://127.0.0.1:${PORT}${incoming.url}`, {
    method: 'POST',
    headers,
    body: await buffer(incoming),
  })
  const response = await refunds.fetch(request, { ...(process.env as unknown as Env), REFUNDS }).catch((error) => {
    console.error(error)
    return new Response(null, { status: 500 })
  })
  outgoing.writeHead(response.status).end(await response.text())
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listens at http://127.0.0.1:${PORT}/`))
