/** The client for programs: it calls the Proof API with an API key. */
import type { ProofApi } from './api.generated.ts'
import { type WaitForApproval, waitForApproval } from './approval.ts'
import { systemClock } from './clock.ts'
import { apiKeyFromEnvironment, urlFromEnvironment } from './environment.ts'
import { follow } from './follow.ts'
import { resources } from './resources.ts'
import { proofTable } from './table.generated.ts'
import { type ClientOptions, transport } from './transport.ts'

export interface CountersignOptions extends ClientOptions {
  /** An API key (`csk_…`) with the scopes that the operations you call require; by default, `COUNTERSIGN_API_KEY`. */
  readonly apiKey?: string
}

export class Countersign implements ProofApi {
  declare readonly agents: ProofApi['agents']
  declare readonly apiKeys: ProofApi['apiKeys']
  declare readonly approvals: ProofApi['approvals']
  declare readonly chains: ProofApi['chains']
  declare readonly decisions: ProofApi['decisions'] & WaitForApproval
  declare readonly dpus: ProofApi['dpus']
  declare readonly events: ProofApi['events']
  declare readonly evidence: ProofApi['evidence']
  declare readonly logs: ProofApi['logs']
  declare readonly policies: ProofApi['policies']
  declare readonly publicVerification: ProofApi['publicVerification']
  declare readonly sandboxes: ProofApi['sandboxes']
  declare readonly system: ProofApi['system']
  declare readonly testPeople: ProofApi['testPeople']
  declare readonly webhooks: ProofApi['webhooks']
  /** Whether the API key belongs to a sandbox, so that it reaches only test data. */
  readonly sandbox: boolean

  constructor(options: CountersignOptions = {}) {
    const { clock = systemClock } = options
    const apiKey = options.apiKey || apiKeyFromEnvironment()
    if (!apiKey.startsWith('csk_')) {
      throw new TypeError("apiKey isn't an API key (csk_…). To use an access token, use CountersignPlatform.")
    }
    this.sandbox = apiKey.startsWith('csk_test_')
    const send = transport(options)
    const api = resources(proofTable, options.baseUrl, (outgoing) => send(outgoing, outgoing.row.open ? null : apiKey))
    Object.assign(this, api)
    const baseUrl = options.baseUrl || urlFromEnvironment()
    Object.assign(this.decisions, waitForApproval(this.decisions, clock, follow(send, baseUrl, apiKey)))
  }
}
