/**
 * Opens a connection to a server that a customer named, to a checked address only.
 *
 * A name is looked up once and every answer is checked; one bad address refuses them all. The socket then gets the
 * address and never the name, so a second look-up with another answer (DNS rebinding) cannot happen. An address in the
 * URL itself is checked here too: `net.connect` would not call a `lookup` function for it. The peer's address is
 * checked once more before the first byte is sent.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'
import { type AddressResolver, isNone } from './resolver.ts'

export type FailureKind =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'bad_response'
  | 'reset'
  // Of brokers only.
  | 'credentials'
  | 'unroutable'
  | 'rejected'

/** Why no answer came. The message is one sentence for people, and names no address that only we can see. */
export class OutboundFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export interface Destination {
  readonly protocol: string
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
}

/** Each address gets an equal share of the time, and with more than six a share would be too short to connect. */
const maxAddresses = 6

export interface ConnectOptions {
  readonly guard: AddressGuard
  readonly resolver: AddressResolver
  readonly ca: string | undefined
  readonly timeoutMs: number
}

/** `signal` ends the attempt at once, with its reason as the error and no socket left behind. */
export async function guardedConnect(
  destination: Destination,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const giveUpAt = performance.now() + options.timeoutMs
  signal.throwIfAborted()
  const addresses = await vettedAddresses(destination.hostname, options)
  let refused: unknown
  for (const [index, address] of addresses.entries()) {
    signal.throwIfAborted()
    const left = addresses.length - index
    // The last address gets all the time that remains until the signal.
    const shareMs = left === 1 ? null : (giveUpAt - performance.now()) / left
    try {
      return await open(address, destination, options, signal, shareMs)
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.kind !== 'connect') throw error
      refused = error
    }
  }
  throw refused
}

async function vettedAddresses(host: string, { guard, resolver }: ConnectOptions): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolver.addressesOf(host).catch(explainDns(host)) : [host]
  if (!addresses.every(guard.allows)) throw blocked(host)
  return addresses.slice(0, maxAddresses)
}

const explainDns = (host: string) => (error: unknown) => {
  throw isNone(error)
    ? new OutboundFailure('dns', `The name ${host} has no address in the DNS.`, error)
    : new OutboundFailure('dns', `No name server gave an answer for ${host}.`, error)
}

function open(
  address: string,
  { protocol, hostname, port }: Destination,
  { guard, ca }: ConnectOptions,
  signal: AbortSignal,
  connectMs: number | null,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ host: address, port })
    let socket = tcp
    let isReached = false

    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      for (const each of [tcp, socket]) each.off('error', onError).off('close', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      // A destroyed socket may still emit an error; without a listener it would end the process.
      for (const each of [socket, tcp]) each.on('error', () => {}).destroy()
      reject(error)
    }
    const onAbort = () => fail(signal.reason)
    const onError = (error?: Error) =>
      fail(
        isReached
          ? new OutboundFailure('tls', `No secure connection: ${tlsReason(error)}.`, error)
          : new OutboundFailure('connect', `${hostname} accepts no connection on port ${port}.`, error),
      )
    const onClose = () => onError()
    const done = () => {
      stop()
      resolve(socket)
    }

    const timer = connectMs === null ? undefined : setTimeout(onError, connectMs)
    signal.addEventListener('abort', onAbort, { once: true })
    tcp.once('error', onError).once('close', onClose)
    // TLS begins only here: `tls.connect` alone would send its first message before the peer's address is checked.
    tcp.once('connect', () => {
      if (tcp.remoteAddress === undefined) return onError()
      if (!guard.allows(tcp.remoteAddress)) return fail(blocked(hostname))
      // The handshake may use all the time that is left: another address would not be faster.
      clearTimeout(timer)
      isReached = true
      tcp.setNoDelay(true).setKeepAlive(true, 60_000)
      if (protocol !== 'https:') return done()
      socket = connectTls({
        socket: tcp,
        ...tlsIdentity(hostname, ca),
        ALPNProtocols: ['http/1.1'],
      })
      socket.once('error', onError).once('close', onClose).once('secureConnect', done)
      // The socket above reports errors; a second report here must not end the process.
      tcp.on('error', () => {})
    })
  })
}

/** The certificate must hold the name, or the address where the URL has an address, for which there is no SNI. */
export const tlsIdentity = (hostname: string, ca: string | undefined) => ({
  ...(isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }),
  ...(ca !== undefined && { ca }),
  rejectUnauthorized: true,
})

/** A DNS lookup cannot be canceled, but its caller can stop waiting at once. */
export function unlessAborted(opening: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const release = () => reject(signal.reason)
    if (signal.aborted) release()
    signal.addEventListener('abort', release, { once: true })
    opening.then((socket) => (signal.aborted ? socket.destroy() : resolve(socket)), reject)
  })
}

const blocked = (host: string) =>
  new OutboundFailure('blocked_address', `${host} leads to an address that is not public.`)

const tlsReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate belongs to another name',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send the intermediate certificates',
}

export function tlsReason(error: Error | undefined): string {
  const code = error && 'code' in error ? String(error.code) : ''
  return tlsReasons[code] ?? 'the TLS handshake failed'
}
