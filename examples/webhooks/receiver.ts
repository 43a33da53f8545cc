/**
 * A receiver that verifies each delivery, stores it once, answers, and then works.
 * SECRET is the signing secret, or several with commas between them; FILE is the SQLite file (default: in memory).
 */
import { createServer, type IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from '@countersign/sdk'

const { SECRET = '', PORT = '8080', FILE = ':memory:' } = process.env
const secrets = SECRET.split(',')

// The primary key makes a repeated delivery harmless, also when two arrive at once.
const database = new DatabaseSync(FILE)
database.exec(
  'create table if not exists events (id text primary key, body text not null, done integer not null default 0)',
)
const store = database.prepare('insert into events (id, body) values (?, ?) on conflict do nothing')
const next = database.prepare('select id, body from events where done = 0 order by rowid limit 1')
const finish = database.prepare('update events set done = 1 where id = ?')

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook({ body: await bodyOf(request), headers: request.headers, secrets })
    store.run(event.id, JSON.stringify(event))
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Receives at http://127.0.0.1:${PORT}/`))

/** The work: what has been stored and is not done yet, also after a restart. */
async function handle(event: WebhookEvent): Promise<void> {
  if (event.type === 'agent.approval.requested') console.log(`${event.data.description}: ${event.data.approvalUrl}`)
  else console.log(`${event.type} ${event.id}`)
}

for (;;) {
  const row = next.get() as { id: string; body: string } | undefined
  if (!row) {
    await sleep(200)
    continue
  }
  await handle(JSON.parse(row.body))
  finish.run(row.id)
}
