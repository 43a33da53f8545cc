/** The parts of oidc-provider that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Claims {
    readonly sub: string
    readonly [claim: string]: unknown
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    Grant: new (of: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    on(event: string, listener: (...values: unknown[]) => void): void
  }
  export type { Claims }
}
