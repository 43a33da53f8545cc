/** The client for programs: it calls the Proof API with an API key. */
import type { ProofApi } from './api.generated.ts'
import { type WaitForApproval, waitForApproval } from './approval.ts'
import { systemClock } from './clock.ts'
import { resources } from './resources.ts'
import { proofTable } from './table.generated.ts'
import { type ClientOptions, transport } from './transport.ts'

export interface CountersignOptions extends ClientOptions {
  /** An API key (`csk_…`) with the scopes that the operations you call require. */
  readonly apiKey: string
}

export class Countersign implements ProofApi {
  declare readonly agents: ProofApi['agents']
  declare readonly approvals: ProofApi['approvals']
  declare readonly chains: ProofApi['chains']
  declare readonly decisions: ProofApi['decisions'] & WaitForApproval
  declare readonly dpus: ProofApi['dpus']
  declare readonly events: ProofApi['events']
  declare readonly evidence: ProofApi['evidence']
  declare readonly logs: ProofApi['logs']
  declare readonly publicVerification: ProofApi['publicVerification']
  declare readonly system: ProofApi['system']
  declare readonly webhooks: ProofApi['webhooks']
  /** Whether the API key belongs to a sandbox, so that it reaches only test data. */
  readonly sandbox: boolean

  constructor(options: CountersignOptions) {
    const { apiKey, baseUrl, clock = systemClock } = options
    if (!apiKey?.startsWith('csk_')) {
      throw new TypeError("apiKey isn't an API key (csk_…). To use an access token, use CountersignPlatform.")
    }
    this.sandbox = apiKey.startsWith('csk_test_')
    const send = transport(options)
    const api = resources(proofTable, baseUrl, (outgoing) => send(outgoing, outgoing.row.open ? null : apiKey))
    Object.assign(this, api)
    Object.assign(this.decisions, waitForApproval(this.decisions, clock))
  }
}
