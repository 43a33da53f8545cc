/** Raw bytes on a socket, which no client library would send. */
import { connect, type Socket } from 'node:net'

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  // A reset is a legitimate answer to garbage.
  return connect({ host: hostname, port: Number(port) }).on('error', () => {})
}

/** Everything received until the server closes the connection, stops after its answer, or times out. */
export function exchange(url: string, bytes: string | Buffer, patienceMs = 5000, silenceMs = 300): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(url)
    let received = ''
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(patienceMs, done)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      socket.setTimeout(silenceMs)
    })
    socket.on('close', done)
    socket.write(bytes)
  })
}

export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
