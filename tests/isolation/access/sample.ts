/** One good call of an operation, and how the server answers callers whom it is not for. */
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'

export interface SampleCall {
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
}

export interface Refusal {
  readonly status: number
  readonly code: string
}

export interface Sample {
  /** Made anew for each call: some calls use up what they name. */
  readonly call: (server: TestServer, cast: Cast) => SampleCall | Promise<SampleCall>
  readonly status: number
  /** Whoever may call and is not the person that the call is about; by default they are answered like that person. */
  readonly others?: Refusal
  /** Another tenant names an object of this center; by default a path with an id is 404 NOT_FOUND. */
  readonly foreign?: Refusal
  /** What the path asks for is a word of the contract and nobody's object: everybody has one of their own. */
  readonly namesNothing?: true
  /** The same call with an id that exists nowhere: it must be answered to the letter like a foreign one. */
  readonly nowhere?: (cast: Cast) => SampleCall
}
