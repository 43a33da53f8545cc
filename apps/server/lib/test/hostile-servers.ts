/**
 * Servers that misbehave as a customer's server may. They listen on 127.0.0.2, which the tests allow; 127.0.0.1 and ::1
 * stay forbidden, and a canary listens there that must never receive a connection.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import dns2 from 'dns2'

export const hostileAddress = '127.0.0.2'

export interface HostileServer {
  readonly port: number
  readonly http: string
  connections(): number
  /** Waits at most this long until no connection is open; returns how many still are. */
  openAfter(ms: number): Promise<number>
  close(): Promise<void>
}

interface KeyPair {
  readonly cert: string
  readonly key: string
}

export async function listen(
  greet: (socket: Socket) => void,
  options: {
    readonly address?: string
    readonly port?: number
    readonly tls?: KeyPair
    /** Is given the connection below TLS. */
    readonly below?: (socket: Socket) => void
  } = {},
): Promise<HostileServer> {
  const { address = hostileAddress, port = 0, tls, below } = options
  const open = new Set<Socket>()
  let connections = 0
  const server = tls ? createTlsServer(tls, greet) : createServer(greet)
  // For TLS this is the socket below it, so that a connection that stalls in the handshake is counted too.
  server.on('connection', (socket: Socket) => {
    connections++
    below?.(socket)
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    http: `http://${address}:${bound}`,
    connections: () => connections,
    async openAfter(ms) {
      const end = performance.now() + ms
      while (open.size > 0 && performance.now() < end) await sleep(10)
      return open.size
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers each request, once its body is in, with what `reply` writes. */
export const afterRequest = (reply: (socket: Socket) => void) => (socket: Socket) => {
  let seen = ''
  socket.on('data', (data) => {
    seen += data.toString('latin1')
    const length = /content-length: (\d+)/i.exec(seen)?.[1]
    const headEnd = seen.indexOf('\r\n\r\n')
    if (headEnd < 0 || seen.length < headEnd + 4 + Number(length ?? 0)) return
    seen = ''
    reply(socket)
  })
}

export const answer = (status: string, body: Buffer | string = '', headers: readonly string[] = []): Buffer =>
  Buffer.concat([
    Buffer.from([`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', ''].join('\r\n')),
    Buffer.from(body),
  ])

/** Writes `chunk` for as long as the other side reads. */
export function pour(socket: Socket, chunk: Buffer, limit = Number.POSITIVE_INFINITY): void {
  let left = limit
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!socket.write(chunk)) return void socket.once('drain', more)
    }
  }
  more()
}

/** The canary: counts connections to loopback, in both address families, on one port. */
export async function openCanary(port = 0): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  const four = await listen((socket) => socket.end(answer('200 OK', 'canary')), { address: '127.0.0.1', port })
  const six = await listen((socket) => socket.end(answer('200 OK', 'canary')), { address: '::1', port: four.port })
  return {
    port: four.port,
    connections: () => four.connections() + six.connections(),
    async close() {
      await four.close()
      await six.close()
    },
  }
}

export type Zone = (name: string) => { a?: string[]; aaaa?: string[]; cname?: string[] } | 'unknown' | 'silence'

export async function listenForNames(zone: Zone) {
  const asked: string[] = []
  const { TYPE, CLASS, RCODE } = dns2.Packet
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const [question] = request.questions
      if (!question) return
      const { name } = question
      if (question.type === TYPE.A) asked.push(name)
      const known = zone(name)
      if (known === 'silence') return
      const response = dns2.Packet.createResponseFromRequest(request)
      // The types ask for full resources; a plain record is what the library documents.
      const answers: Partial<(typeof response.answers)[number]>[] = response.answers
      if (known === 'unknown') response.header.rcode = RCODE.NXDOMAIN
      else {
        const chain = [name, ...(known.cname ?? [])]
        for (const [index, domain] of chain.slice(1).entries()) {
          answers.push({ name: String(chain[index]), type: TYPE.CNAME, class: CLASS.IN, ttl: 0, domain })
        }
        const owner = { name: String(chain.at(-1)), type: question.type, class: CLASS.IN, ttl: 0 }
        const addresses = question.type === TYPE.A ? known.a : question.type === TYPE.AAAA ? known.aaaa : []
        for (const address of addresses ?? []) answers.push({ ...owner, address })
      }
      void send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  return { server: `127.0.0.1:${udp?.port}`, asked, close: () => server.close() }
}

/** A certificate authority for tests, its certificate for *.hooks.test and 127.0.0.2, and a self-signed one. */
export function makeCertificates(): { readonly ca: string; readonly good: KeyPair; readonly selfSigned: KeyPair } {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'))
  const file = (name: string) => join(folder, name)
  const openssl = (command: string) => execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  const names = 'subjectAltName=DNS:*.hooks.test,IP:127.0.0.2'
  try {
    openssl(`req -x509 ${newKey} -keyout ca.key -out ca.crt -days 2 -subj /CN=authority`)
    openssl(`req -new ${newKey} -keyout good.key -out good.csr -subj /CN=hooks.test`)
    writeFileSync(file('names.cnf'), names)
    openssl('x509 -req -in good.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names.cnf -out good.crt')
    openssl(`req -x509 ${newKey} -keyout self.key -out self.crt -days 2 -subj /CN=hooks.test -addext ${names}`)
    const pair = (name: string): KeyPair => ({
      cert: readFileSync(file(`${name}.crt`), 'utf8'),
      key: readFileSync(file(`${name}.key`), 'utf8'),
    })
    return { ca: readFileSync(file('ca.crt'), 'utf8'), good: pair('good'), selfSigned: pair('self') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
