/** One valid call of an operation, and the answers to callers without the right to it. */
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'

export interface SampleCall {
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The session of the right caller, where the call continues what that session began. */
  readonly token?: string
}

export interface Refusal {
  readonly status: number
  readonly code: string
}

export interface Sample {
  /** Created for each call: some calls consume the object that they name. */
  readonly call: (server: TestServer, cast: Cast) => SampleCall | Promise<SampleCall>
  readonly status: number
  /** The answer to a caller with the right role who is not the person concerned; by default the same as for that person. */
  readonly others?: Refusal
  /** The answer to another tenant that names an object of this center; by default a path with an id is 404 NOT_FOUND. */
  readonly foreign?: Refusal
  /** The path names a word of the contract and not an object: every tenant has its own. */
  readonly namesNothing?: true
  /** The same call with an id that does not exist: it must get the same answer as a foreign id. */
  readonly nowhere?: (cast: Cast) => SampleCall
}

/** Settings of a server that the samples need: their sign-in provider and their proxy answer on loopback. */
export const sampleEnv = {
  MAX_API_KEYS_PER_CENTER: '10000',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
