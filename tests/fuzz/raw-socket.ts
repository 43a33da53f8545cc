/** Bytes on a socket, as no client library would send them. */
import { connect, type Socket } from 'node:net'

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  // A reset is a legitimate answer to garbage.
  return connect({ host: hostname, port: Number(port) }).on('error', () => {})
}

/** All that comes back until the server closes, or is silent after its answer, or does not answer for too long. */
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
