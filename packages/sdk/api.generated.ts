/** Generated from packages/contract by `npm run generate`. */
import type { Call, CallOptions, PageCall } from './call.ts'

export interface ProofApi {
  readonly agents: ProofAgents
  readonly approvals: ProofApprovals
  readonly chains: ProofChains
  readonly decisions: ProofDecisions
  readonly dpus: ProofDpus
  readonly events: ProofEvents
  readonly evidence: ProofEvidence
  readonly logs: ProofLogs
  readonly publicVerification: ProofPublicVerification
  readonly system: ProofSystem
  readonly webhooks: ProofWebhooks
}

export interface ProofAgents {
  /** Ask whether an agent may act: refused, sealed at once, or held for approval: `POST /api/v1/agents/decide` */
  decide(body: NewAgentDecision, options?: CallOptions): Call<AgentDecision>
}

export interface ProofApprovals {
  /** Approve or reject a decision; both seal it: `POST /api/v1/decision-events/{id}/approvals` */
  create(id: string, body: NewApproval, options?: CallOptions): Call<Approval>
}

export interface ProofChains {
  /** Stream a whole hash chain of this center, one JSON object per line: `GET /api/v1/chains/{domain}/entries` */
  listEntries(domain: ChainDomain, query?: {
    /** Index of the first entry */
    from?: number
    values?: WithValues
  }, options?: CallOptions): AsyncIterable<ChainEntry>
  /** Get the newest signed checkpoint of a chain: `GET /api/v1/chains/{domain}/checkpoint` */
  getCheckpoint(domain: ChainDomain, options?: CallOptions): Call<Checkpoint>
  /** Get a portable proof that an entry is in a chain: `GET /api/v1/chains/{domain}/proofs/{index}` */
  getInclusionProof(domain: ChainDomain, index: number, query?: {
    size?: number
  }, options?: CallOptions): Call<InclusionProof>
  /** Get a proof that a chain continues the same chain at a smaller size: `GET /api/v1/chains/{domain}/consistency` */
  getConsistencyProof(domain: ChainDomain, query: {
    from: number
    /** Default: the size of the newest checkpoint */
    to?: number
  }, options?: CallOptions): Call<ConsistencyProof>
  /** List the declared losses of a chain: `GET /api/v1/chains/{domain}/generations` */
  listGenerations(domain: ChainDomain, options?: CallOptions): Call<LogGenerations>
}

export interface ProofDecisions {
  /** Record a decision of a person, an agent or a system: `POST /api/v1/decision-events` */
  record(body: NewDecisionEvent, options?: CallOptions): Call<DecisionEvent>
  /** List decision events, newest first, with an exact total: `GET /api/v1/decision-events` */
  list(query?: {
    type?: DecisionEventType
    status?: DecisionEventStatus
    tag?: string
    waiting?: boolean | YesNo
    /** Id of who or what decided */
    actorId?: string
    /** Decision id, or any other id of the same record */
    decisionId?: string
    /** Recorded at this time or later */
    from?: string
    /** Recorded before this time */
    to?: string
    /** `pagination.nextCursor` of the page before; new decisions do not move it */
    cursor?: string
    /** Items per page */
    limit?: number
    /** Items to skip */
    offset?: number
  }, options?: CallOptions): PageCall<DecisionEventSummary>
  /** Get one decision: all that was sent, what it waits for, its approvals and its evidence: `GET /api/v1/decision-events/{id}` */
  get(id: string, options?: CallOptions): Call<Decision>
  /** Take a sealed decision for execution: once, and for exactly the action that was sealed: `POST /api/v1/decision-events/{id}/consume` */
  consume(id: string, body: NewConsumption, options?: CallOptions): Call<Consumption>
  /** Report what became of a consumed decision: `POST /api/v1/decision-events/{id}/outcome` */
  reportOutcome(id: string, body: NewOutcome, options?: CallOptions): Call<Outcome>
  /** Withdraw a decision while it waits for an approval: `POST /api/v1/decision-events/{id}/withdraw` */
  withdraw(id: string, body?: Withdrawal, options?: CallOptions): Call<WithdrawnDecision>
}

export interface ProofDpus {
  /** Get the state of a decision proof unit: whether it is sealed, and where: `GET /api/v1/dpu/{id}` */
  getState(id: string, options?: CallOptions): Call<DpuState>
}

export interface ProofEvents {
  /** Publish an event of a companion application to every matching webhook: `POST /api/v1/events` */
  publish(body: NewEvent, options?: CallOptions): Call<PublishedEvent>
}

export interface ProofEvidence {
  /** Get the sealed evidence of a decision: `GET /api/v1/evidence/{id}` */
  get(id: string, options?: CallOptions): Call<Evidence>
  /** Export the evidence as a JSON-LD document that anyone can verify offline: `GET /api/v1/evidence/{id}/export` */
  export(id: string, options?: CallOptions): Call<DecisionProof>
  /** Get the JSON-LD context that exported proofs refer to: `GET /schema/decision-proof/v2` */
  getContext(options?: CallOptions): Call<JsonLdContext>
}

export interface ProofLogs {
  /** Get the names and keys of the logs of this server, and their witnesses: `GET /.well-known/countersign-log.json` */
  get(options?: CallOptions): Call<LogDocument>
}

export interface ProofPublicVerification {
  /** Verify a sealed record by its id: `GET /verify/{id}` */
  verify(id: string, options?: CallOptions): Call<PublicVerification>
}

export interface ProofSystem {
  /** Get the name of this server and links to the reference, the verifier and the health check: `GET /` */
  getHome(options?: CallOptions): Call<Home>
  /** Check that the process runs: `GET /health/live` */
  checkLive(options?: CallOptions): Call<Health>
  /** Check that the server can serve requests: `GET /health/ready` */
  checkReady(options?: CallOptions): Call<Health>
  /** Get the public keys of access tokens, as a JSON Web Key Set: `GET /.well-known/jwks.json` */
  getJwks(options?: CallOptions): Call<Jwks>
  /** Get this description, as OpenAPI 3.1: `GET /openapi.json` */
  getOpenApi(options?: CallOptions): Call<OpenApiDocument>
}

export interface ProofWebhooks {
  /** Subscribe a URL to events; the signing secret is shown only in this reply: `POST /api/v1/webhooks` */
  register(body: NewWebhook, options?: CallOptions): Call<RegisteredWebhook>
  /** List the webhooks of this center, newest first, with figures, the age of their secrets and the last recovery: `GET /api/v1/webhooks` */
  list(options?: CallOptions): Call<ListedWebhook[]>
  /** Change the URL, the events or the state of a webhook: `PATCH /api/v1/webhooks/{webhookId}` */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Call<Webhook>
  /** Delete a webhook and its secrets; the server sends nothing to it any more: `DELETE /api/v1/webhooks/{webhookId}` */
  delete(webhookId: string, options?: CallOptions): Call<void>
  /** Create a new signing secret; the previous one remains valid for 24 hours: `POST /api/v1/webhooks/{webhookId}/rotate-secret` */
  rotateSecret(webhookId: string, body?: SecretRotation, options?: CallOptions): Call<RotatedSecret>
  /** List the deliveries to a webhook, newest first, with the result of the last attempt: `GET /api/v1/webhooks/{webhookId}/deliveries` */
  listDeliveries(webhookId: string, query?: {
    /** Number of deliveries */
    limit?: number
  }, options?: CallOptions): Call<Delivery[]>
  /** Send an event again, now, to every endpoint where it failed: `POST /api/v1/webhooks/events/{eventId}/retry` */
  retryEvent(eventId: string, options?: CallOptions): Call<RetriedEvent>
  /** List the attempts to deliver one event, with duration and response: `GET /api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts` */
  listAttempts(webhookId: string, eventId: string, options?: CallOptions): Call<DeliveryAttempt[]>
  /** Send a `ping` event to this webhook, whatever its subscriptions are: `POST /api/v1/webhooks/{webhookId}/test` */
  test(webhookId: string, options?: CallOptions): Call<TestEvent>
  /** Send all held and failed events since a given time again: `POST /api/v1/webhooks/{webhookId}/recover` */
  recover(webhookId: string, body: NewRecovery, options?: CallOptions): Call<Recovery>
  /** Get the progress of a recovery: `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}` */
  getRecovery(webhookId: string, recoveryId: string, options?: CallOptions): Call<Recovery>
  /** List the event types, each with a JSON schema and an example of its `data`: `GET /api/v1/webhooks/event-types` */
  listEventTypes(options?: CallOptions): Call<EventTypeDescription[]>
}

export interface PlatformApi {
  readonly actionTypes: PlatformActionTypes
  readonly admin: PlatformAdmin
  readonly apiKeys: PlatformApiKeys
  readonly attendance: PlatformAttendance
  readonly audit: PlatformAudit
  readonly auth: PlatformAuth
  readonly bookings: PlatformBookings
  readonly centerExports: PlatformCenterExports
  readonly centers: PlatformCenters
  readonly chains: PlatformChains
  readonly children: PlatformChildren
  readonly console: PlatformConsole
  readonly decisions: PlatformDecisions
  readonly deliveries: PlatformDeliveries
  readonly domains: PlatformDomains
  readonly dpus: PlatformDpus
  readonly evidence: PlatformEvidence
  readonly executions: PlatformExecutions
  readonly family: PlatformFamily
  readonly guardianships: PlatformGuardianships
  readonly instructors: PlatformInstructors
  readonly logs: PlatformLogs
  readonly memberPasskeys: PlatformMemberPasskeys
  readonly members: PlatformMembers
  readonly memberships: PlatformMemberships
  readonly notificationChannels: PlatformNotificationChannels
  readonly partner: PlatformPartner
  readonly partnerInvitations: PlatformPartnerInvitations
  readonly passkeys: PlatformPasskeys
  readonly policies: PlatformPolicies
  readonly provisioning: PlatformProvisioning
  readonly publicVerification: PlatformPublicVerification
  readonly push: PlatformPush
  readonly sandboxes: PlatformSandboxes
  readonly sessions: PlatformSessions
  readonly signInProviders: PlatformSignInProviders
  readonly subscription: PlatformSubscription
  readonly system: PlatformSystem
  readonly webhooks: PlatformWebhooks
  readonly whitelabel: PlatformWhitelabel
  readonly workflows: PlatformWorkflows
}

export interface PlatformActionTypes {
  /** List the action types that have a template: those of the center, and those that its vertical starts with: `GET /api/action-types` */
  list(options?: CallOptions): Call<ActionType[]>
  /** Get the template of an action type: `GET /api/action-types/{type}` */
  get(type: string, options?: CallOptions): Call<ActionType>
  /** Set the name of an action type, and the sentence and labels with which its decisions are shown: `PUT /api/action-types/{type}` */
  put(type: string, body: NewActionType, options?: CallOptions): Call<ActionType>
  /** Withdraw the template of the center; that of the vertical applies again, where there is one: `DELETE /api/action-types/{type}` */
  delete(type: string, options?: CallOptions): Call<void>
}

export interface PlatformAdmin {
  /** Create a partner, its first center and its administrator in one transaction: `POST /api/admin/partners/onboard` */
  onboardPartner(body: PartnerOnboarding, options?: CallOptions): Call<OnboardedPartner>
  /** Get counts, cells with their queues and jobs, and the alarms of broken chains: `GET /api/admin/overview` */
  getOverview(options?: CallOptions): Call<PlatformOverview>
  /** List all partners, newest first: `GET /api/admin/partners` */
  listPartners(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** Part of the name */
    search?: string
  }, options?: CallOptions): PageCall<PartnerOverview>
  /** List all centers, newest first, with their state, partner and cell: `GET /api/admin/centers` */
  listCenters(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** Part of the name or slug, or the id */
    search?: string
    status?: CenterStatus
    /** Name of a cell */
    cell?: string
    /** Partner id */
    partnerId?: string
  }, options?: CallOptions): PageCall<CenterOverview>
  /** Get the place at which a chain is broken: the entry, its predecessor and what the verifier said: `GET /api/admin/alarms/{centerId}/{domain}` */
  getAlarm(centerId: number, domain: ChainDomain, options?: CallOptions): Call<ChainAlarmPlace>
}

export interface PlatformApiKeys {
  /** Create an API key; the key itself is shown only in this reply: `POST /api/api-keys` */
  create(body: NewApiKey, options?: CallOptions): Call<CreatedApiKey>
  /** List the API keys of this center that are not revoked, newest first: `GET /api/api-keys` */
  list(options?: CallOptions): Call<ApiKey[]>
  /** Revoke a key; every server refuses it within a second: `DELETE /api/api-keys/{id}` */
  revoke(id: string, options?: CallOptions): Call<void>
}

export interface PlatformAttendance {
  /** List who came to a center and who did not, newest first: `GET /api/centers/{center}/attendance` */
  list(center: string, query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** At this time or later */
    from?: string
    /** Before this time */
    to?: string
    /** Actor id */
    clientId?: string
    /** Actor id */
    instructorId?: string
    kind?: AttendanceKind
    /** `pagination.nextCursor` of the page before; `page` then counts from it */
    cursor?: string
  }, options?: CallOptions): PageCall<Attendance, AttendanceTotals>
  /** Get the attendance of a center as CSV, with the filters of the list: `GET /api/centers/{center}/attendance.csv` */
  exportCsv(center: string, query?: {
    /** At this time or later */
    from?: string
    /** Before this time */
    to?: string
    /** Actor id */
    clientId?: string
    /** Actor id */
    instructorId?: string
    kind?: AttendanceKind
  }, options?: CallOptions): Call<string>
}

export interface PlatformAudit {
  /** List the audit entries of the center, newest first: `GET /api/audit` */
  list(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    type?: AuditType
    /** Id of the person, API key or job that acted */
    actorId?: string
    /** Id of what was changed; any id of a decision finds the entries about its whole record */
    targetId?: string
    /** At this time or later */
    from?: string
    /** Before this time */
    to?: string
    /** `pagination.nextCursor` of the page before; `page` then counts from it */
    cursor?: string
  }, options?: CallOptions): PageCall<CenterAuditEntry, AuditCounts>
  /** Get the audit entries of the center as CSV, newest first, with the filters of the list: `GET /api/audit.csv` */
  exportCsv(query?: {
    type?: AuditType
    /** Id of the person, API key or job that acted */
    actorId?: string
    /** Id of what was changed; any id of a decision finds the entries about its whole record */
    targetId?: string
    /** At this time or later */
    from?: string
    /** Before this time */
    to?: string
  }, options?: CallOptions): Call<string>
}

export interface PlatformAuth {
  /** Sign in by email or phone: `POST /api/auth/login` */
  login(body: Credentials, options?: CallOptions): Call<AuthSession>
  /** Start the session of a browser, with the refresh token in a cookie: `POST /api/auth/session` */
  startSession(body?: NewBrowserSession, options?: CallOptions): Call<BrowserSession>
  /** Get the signed-in person and the centers that they may enter: `GET /api/auth/me` */
  getMe(options?: CallOptions): Call<CurrentActor>
  /** Enter another center; an ACTIVE membership is required: `POST /api/auth/switch-center` */
  switchCenter(body: CenterSwitch, options?: CallOptions): Call<AuthSession>
  /** Enter another center in a browser; an ACTIVE membership is required: `POST /api/auth/session/center` */
  switchSession(body: CenterSwitch, options?: CallOptions): Call<BrowserSession>
  /** Exchange a refresh token for new tokens: `POST /api/auth/refresh-token` */
  refreshToken(body: RefreshRequest, options?: CallOptions): Call<AuthSession>
  /** Exchange the refresh token in the cookie for new tokens: `POST /api/auth/session/refresh` */
  refreshSession(options?: CallOptions): Call<BrowserSession>
  /** Create a single-use token for signing in to a companion application: `POST /api/auth/sso/token` */
  createSsoToken(body: NewSsoToken, options?: CallOptions): Call<SsoToken>
  /** Redeem a single-use token: `POST /api/auth/sso/verify` */
  verifySsoToken(body: SsoVerification, options?: CallOptions): Call<SsoIdentity>
  /** End this session, its refresh token and its cookie: `POST /api/auth/logout` */
  logout(options?: CallOptions): Call<void>
  /** End the session of a browser and delete its cookies: `DELETE /api/auth/session` */
  endSession(options?: CallOptions): Call<void>
  /** Ask for the challenge that a passkey signs to show that it is you: `POST /api/auth/step-up/options` */
  challengeStepUp(options?: CallOptions): Call<StepUpChallenge>
  /** Show again that it is you, by password or passkey: `POST /api/auth/step-up` */
  stepUp(body?: NewStepUp, options?: CallOptions): Call<SteppedUp>
  /** List the OpenID Connect providers with which members of a center sign in: `GET /api/auth/oidc/providers` */
  listSignInOptions(query: {
    /** Center domain slug */
    centerDomain: string
  }, options?: CallOptions): Call<SignInOption[]>
  /** Begin to sign in by OpenID Connect: `POST /api/auth/oidc/start` */
  startOidcLogin(body: OidcStart, options?: CallOptions): Call<OidcLogin>
  /** Sign in with what the provider returned to the browser: `POST /api/auth/oidc/callback` */
  finishOidcLogin(body: OidcReturn, options?: CallOptions): Call<AuthSession | OidcUnlinked>
  /** Link the account of the provider to yours: `POST /api/auth/oidc/link` */
  linkOidcAccount(body: OidcLink, options?: CallOptions): Call<OidcLinked>
  /** List the accounts of providers that are linked to yours, the oldest first: `GET /api/auth/oidc/accounts` */
  listOidcAccounts(options?: CallOptions): Call<OidcAccount[]>
  /** Unlink an account of a provider from yours: `DELETE /api/auth/oidc/accounts/{id}` */
  unlinkOidcAccount(id: string, options?: CallOptions): Call<void>
  /** Send a link for linking the account of the provider: `POST /api/auth/oidc/link/mail` */
  mailOidcLink(body: OidcMail, options?: CallOptions): Call<Accepted>
  /** Link the account of the provider with the token from the email, and sign in: `POST /api/auth/oidc/link/confirm` */
  confirmOidcLink(body: OidcLinkConfirmation, options?: CallOptions): Call<AuthSession>
  /** Begin to sign in at the host of the service, from the custom domain of a center: `POST /api/auth/handoff/start` */
  startHandoff(options?: CallOptions): Call<Handoff>
  /** Get the address that leads the signed-in person back to the custom domain: `POST /api/auth/handoff/code` */
  issueHandoffCode(body: HandoffCodeRequest, options?: CallOptions): Call<HandoffCode>
  /** Start a session on the custom domain with the code of the address: `POST /api/auth/handoff/redeem` */
  redeemHandoff(body: HandoffRedemption, options?: CallOptions): Call<AuthSession>
  /** Send a link for opening an account: `POST /api/auth/signup` */
  signUp(body: SignUp, options?: CallOptions): Call<Accepted>
  /** Open the account with the token from the email, and set its password: `POST /api/auth/signup/confirm` */
  confirmSignUp(body: SignUpConfirmation, options?: CallOptions): Call<NewAccount>
  /** Send a link for setting a new password: `POST /api/auth/password/forgot` */
  requestPasswordReset(body?: PasswordResetRequest, options?: CallOptions): Call<Accepted>
  /** Set a new password with the token from the email; all sessions of the account end: `POST /api/auth/password/reset` */
  resetPassword(body: PasswordReset, options?: CallOptions): Call<void>
  /** Accept an invitation with the token from the email: `POST /api/auth/invitations/accept` */
  acceptInvitation(body: InvitationAcceptance, options?: CallOptions): Call<AcceptedInvitation>
  /** List the children linked to the signed-in person, with their memberships in all centers: `GET /api/auth/me/children` */
  listChildren(options?: CallOptions): Call<Child[]>
}

export interface PlatformBookings {
  /** List the free booking slots of a day: `GET /api/centers/{center}/available-slots` */
  listSlots(center: string, query: {
    /** Date in the time zone of the center */
    date: string
    /** Actor id */
    instructorId?: string
  }, options?: CallOptions): Call<AvailableSlots>
  /** List appointments in the order of time: `GET /api/centers/{center}/bookings` */
  list(center: string, query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** Begins at this time or later */
    from?: string
    /** Begins before this time */
    to?: string
    /** Actor id */
    clientId?: string
    /** Actor id */
    instructorId?: string
    status?: BookingStatus
    /** `pagination.nextCursor` of the page before; `page` then counts from it */
    cursor?: string
  }, options?: CallOptions): PageCall<ListedBooking, BookingCounts>
  /** Get the appointments of a center as CSV, with the filters of the list: `GET /api/centers/{center}/bookings.csv` */
  exportCsv(center: string, query?: {
    /** Begins at this time or later */
    from?: string
    /** Begins before this time */
    to?: string
    /** Actor id */
    clientId?: string
    /** Actor id */
    instructorId?: string
    status?: BookingStatus
  }, options?: CallOptions): Call<string>
  /** Book a free slot, for oneself or a child, or as ADMIN or INSTRUCTOR for a member: `POST /api/centers/{center}/bookings` */
  create(center: string, body: NewBooking, options?: CallOptions): Call<Booking>
  /** Move an appointment to another free slot, also of another instructor: `POST /api/centers/{center}/bookings/{id}/move` */
  move(center: string, id: string, body: BookingRelocation, options?: CallOptions): Call<Booking>
  /** Note that the client came; not before the appointment begins: `POST /api/centers/{center}/bookings/{id}/attended` */
  markAttended(center: string, id: string, options?: CallOptions): Call<Booking>
  /** Note that the client did not come; not before the appointment begins: `POST /api/centers/{center}/bookings/{id}/no-show` */
  markNoShow(center: string, id: string, options?: CallOptions): Call<Booking>
  /** Cancel an appointment; the slot is free again: `POST /api/centers/{center}/bookings/{id}/cancel` */
  cancelWithReason(center: string, id: string, body: BookingCancellation, options?: CallOptions): Call<Booking>
  /** Cancel a booking of the caller or a child, or any as ADMIN or INSTRUCTOR, without a reason: `DELETE /api/centers/{center}/bookings/{id}` */
  cancel(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformCenterExports {
  /** Begin the export of a whole center: `POST /api/centers/{center}/export` */
  create(center: string, options?: CallOptions): Call<CenterExport>
  /** Get the progress of the newest export: `GET /api/centers/{center}/export` */
  get(center: string, options?: CallOptions): Call<CenterExport>
  /** Download one file of the newest export: `GET /api/centers/{center}/export/files/{name}` */
  getFile(center: string, name: string, options?: CallOptions): Call<ReadableStream<Uint8Array>>
  /** Download the newest export as one archive: `GET /api/centers/{center}/export.tar` */
  download(center: string, options?: CallOptions): Call<ReadableStream<Uint8Array>>
}

export interface PlatformCenters {
  /** List the centers that the signed-in person may enter: `GET /api/centers` */
  list(options?: CallOptions): Call<EnterableCenter[]>
  /** Get a center by its id or domain slug: `GET /api/centers/{center}` */
  get(center: string, options?: CallOptions): Call<Center>
  /** Get the public profile of a center: `GET /api/centers/{center}/info` */
  getInfo(center: string, options?: CallOptions): Call<CenterInfo>
  /** Search centers by name, place or description; small spelling mistakes are tolerated: `POST /api/centers/search` */
  search(body?: CenterSearch, options?: CallOptions): Call<FoundCenter[]>
  /** Change the settings of a center by JSON merge patch (RFC 7396): `PATCH /api/centers/{center}/settings` */
  updateSettings(center: string, body: CenterSettingsPatch, options?: CallOptions): Call<CenterSettings>
}

export interface PlatformChains {
  /** Get entries of a chain, one JSON object per line, for verification in the browser: `GET /api/chains/{domain}/entries` */
  listEntries(domain: ChainDomain, query?: {
    /** Index of the first entry */
    from?: number
    /** Number of entries */
    limit?: number
  }, options?: CallOptions): AsyncIterable<ChainEntry>
}

export interface PlatformChildren {
  /** List the members of a center with the role CHILD by name, each with its guardians: `GET /api/centers/{center}/children` */
  list(center: string, query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
  }, options?: CallOptions): PageCall<CenterChild>
  /** Add a child without a mailbox to a center, as ADMIN or as its parent: `POST /api/centers/{center}/children` */
  create(center: string, body?: NewChild, options?: CallOptions): Call<CenterChild>
}

export interface PlatformConsole {
  /** List the decisions that wait for an approval, by risk or by expiry, with counts: `GET /api/console/inbox` */
  listInbox(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    sort?: InboxOrder
  }, options?: CallOptions): PageCall<InboxItem, InboxCounts>
  /** Get how people decide under each policy: opened, time to decide, refused, expired: `GET /api/console/oversight` */
  getOversight(query?: {
    days?: number
  }, options?: CallOptions): Call<Oversight>
  /** Trace a decision from the requests about it to its entries and deliveries: `GET /api/console/trace/{id}` */
  getTrace(id: string, options?: CallOptions): Call<DecisionTrace>
  /** Get the state of all chains: checkpoints, witnesses, generations, verdicts and alarms: `GET /api/console/integrity` */
  getIntegrity(options?: CallOptions): Call<Integrity>
  /** Judge the last thousand decisions under a policy that is not saved: `POST /api/console/policies/dry-run` */
  dryRunPolicy(body?: PolicyDryRun, options?: CallOptions): Call<DryRun>
}

export interface PlatformDecisions {
  /** List decisions of the center, newest first; `waiting=true` lists those that wait for an approval: `GET /api/decisions` */
  list(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    type?: DecisionEventType
    status?: DecisionEventStatus
    tag?: string
    waiting?: boolean | YesNo
    /** Id of who or what decided */
    actorId?: string
    /** Decision id, or any other id of the same record */
    decisionId?: string
    /** Recorded at this time or later */
    from?: string
    /** Recorded before this time */
    to?: string
    /** `pagination.nextCursor` of the page before; new decisions do not move it */
    cursor?: string
  }, options?: CallOptions): PageCall<DecisionEventSummary, DecisionCounts>
  /** Get one decision with all that an approver has to know; reading it changes nothing: `GET /api/decisions/{eventId}` */
  get(eventId: string, options?: CallOptions): Call<Decision>
  /** Withdraw a decision that you asked for, while it waits for an approval: `POST /api/decisions/{eventId}/withdraw` */
  withdraw(eventId: string, body?: Withdrawal, options?: CallOptions): Call<WithdrawnDecision>
  /** Note that you have opened a decision; your approval states the first time: `POST /api/decisions/{eventId}/opened` */
  open(eventId: string, body?: OpenedAction, options?: CallOptions): Call<OpenedDecision>
  /** Get the statement that your passkey signs to approve or reject a decision: `POST /api/decisions/{eventId}/approvals/challenge` */
  challengeApproval(eventId: string, body: NewApprovalChallenge, options?: CallOptions): Call<ApprovalChallenge>
  /** Approve or reject a decision as the member who is signed in: `POST /api/decisions/{eventId}/approvals` */
  approve(eventId: string, body: MemberApproval, options?: CallOptions): Call<GivenMemberApproval>
  /** Take your own approval back while the decision waits: `POST /api/decisions/{eventId}/approvals/take-back` */
  takeBackApproval(eventId: string, options?: CallOptions): Call<TakenBackApproval>
  /** Ask or answer a question about a decision that waits; the webhook event is `agent.approval.commented`: `POST /api/decisions/{eventId}/comments` */
  comment(eventId: string, body: NewDecisionComment, options?: CallOptions): Call<DecisionComment>
  /** Name the member who may approve in your place during an absence: `PUT /api/decisions/deputy` */
  setDeputy(body: NewDeputy, options?: CallOptions): Call<Deputy>
}

export interface PlatformDeliveries {
  /** List the deliveries to a webhook, newest first, also those that were not attempted yet: `GET /api/webhooks/{webhookId}/deliveries` */
  list(webhookId: string, query?: {
    state?: DeliveryState
    /** `next` of the page before */
    before?: string
    limit?: number
  }, options?: CallOptions): Call<TrackedDeliveries>
  /** Get one delivery with its attempts, its schedule and the exact body that is sent: `GET /api/webhooks/{webhookId}/deliveries/{eventId}` */
  get(webhookId: string, eventId: string, options?: CallOptions): Call<DeliveryDetails>
}

export interface PlatformDomains {
  /** Add a domain of a center, and get the TXT record that proves it: `POST /api/centers/{center}/domains` */
  add(center: string, body: NewDomain, options?: CallOptions): Call<Domain>
  /** Add an email domain of this partner, and get the TXT record that proves it: `POST /api/partner/domains` */
  addAsPartner(body: NewPartnerDomain, options?: CallOptions): Call<Domain>
  /** List the domains of a center: `GET /api/centers/{center}/domains` */
  list(center: string, options?: CallOptions): Call<Domain[]>
  /** List the email domains of this partner: `GET /api/partner/domains` */
  listAsPartner(options?: CallOptions): Call<Domain[]>
  /** Look for the TXT record of a domain now: `POST /api/centers/{center}/domains/{id}/check` */
  check(center: string, id: string, options?: CallOptions): Call<Domain>
  /** Look for the TXT record of a domain of this partner now: `POST /api/partner/domains/{id}/check` */
  checkAsPartner(id: string, options?: CallOptions): Call<Domain>
  /** Remove a domain of a center: `DELETE /api/centers/{center}/domains/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
  /** Remove an email domain of this partner: `DELETE /api/partner/domains/{id}` */
  removeAsPartner(id: string, options?: CallOptions): Call<void>
}

export interface PlatformDpus {
  /** List the decision proof units of the center, newest first: `GET /api/dpu` */
  list(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    evidenceLevel?: EvidenceLevel
    tag?: string
    referenceId?: string
    workflowId?: string
    /** Recorded at this time or later */
    from?: string
    /** Recorded before this time */
    to?: string
    /** `pagination.nextCursor` of the page before; `page` then counts from it */
    cursor?: string
  }, options?: CallOptions): PageCall<DpuSummary, DpuListCounts>
  /** Create a decision proof unit for a test: `POST /api/dpu/demo` */
  createDemo(body?: NewDemoDpu, options?: CallOptions): Call<Dpu>
  /** Count the decision proof units of the platform and of this center: `GET /api/dpu/stats` */
  getStats(options?: CallOptions): Call<DpuStats>
  /** Verify all hash chains of the center from the first entry to the last: `GET /api/dpu/verify-chain` */
  verifyChain(query?: {
    mode: VerificationMode
  }, options?: CallOptions): Call<CenterVerdict>
  /** Get a decision proof unit: `GET /api/dpu/{id}` */
  get(id: string, options?: CallOptions): Call<NamedDpu>
  /** Get the statement that your passkey signs to raise the evidence level of a decision proof unit: `POST /api/dpu/{id}/challenge` */
  challengeRaise(id: string, body: NewRaiseChallenge, options?: CallOptions): Call<RaiseChallenge>
  /** Raise the evidence level or replace the metadata of a decision proof unit: `PUT /api/dpu/{id}` */
  update(id: string, body: DpuUpdate, options?: CallOptions): Call<Dpu>
  /** Export a decision proof unit as a JSON-LD document that anyone can verify offline: `GET /api/dpu/{id}/export` */
  export(id: string, options?: CallOptions): Call<DecisionProof>
  /** Delete committed values of a record permanently; its hash and its proofs remain valid: `POST /api/dpu/{id}/redactions` */
  redact(id: string, body: NewRedaction, options?: CallOptions): Call<Redaction>
  /** Verify a decision proof unit and the chain from it back to the first entry: `GET /api/dpu/{id}/verify` */
  verify(id: string, options?: CallOptions): Call<DpuVerdict>
  /** Get who decided what, when, where, why and how: `GET /api/dpu/{id}/responsibility` */
  getResponsibility(id: string, options?: CallOptions): Call<Responsibility>
}

export interface PlatformEvidence {
  /** Get the JSON-LD context that exported proofs refer to: `GET /schema/decision-proof/v2` */
  getContext(options?: CallOptions): Call<JsonLdContext>
}

export interface PlatformExecutions {
  /** List the executions of a workflow in this center, newest first: `GET /api/workflows/{workflowId}/executions` */
  list(workflowId: string, query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
  }, options?: CallOptions): PageCall<Execution>
  /** Get an execution with its steps: `GET /api/workflows/executions/{executionId}` */
  get(executionId: string, options?: CallOptions): Call<ExecutionDetails>
  /** Cancel an execution: `POST /api/workflows/executions/{executionId}/cancel` */
  cancel(executionId: string, options?: CallOptions): Call<Execution>
}

export interface PlatformFamily {
  /** Get the children of the signed-in person with their centers, and guardianships that wait for an answer: `GET /api/family` */
  get(options?: CallOptions): Call<Family>
  /** Get the appointments of the children of the signed-in person, over all centers in the order of time: `GET /api/family/appointments` */
  listAppointments(query?: {
    /** At this time or later */
    from?: string
    /** Before this time; at most 366 days after `from` */
    to?: string
    /** Actor id */
    childId?: string
  }, options?: CallOptions): Call<FamilyAppointments>
  /** Get the attendance of the children of the signed-in person, over all centers, newest first: `GET /api/family/attendance` */
  listAttendance(query?: {
    /** At this time or later */
    from?: string
    /** Before this time; at most 366 days after `from` */
    to?: string
    /** Actor id */
    childId?: string
  }, options?: CallOptions): Call<FamilyAttendance>
}

export interface PlatformGuardianships {
  /** Invite a person by email to be the guardian of a child, also again: `POST /api/centers/{center}/children/{childId}/guardians` */
  invite(center: string, childId: string, body: NewGuardian, options?: CallOptions): Call<Guardianship>
  /** End a guardianship, or withdraw its invitation; access ends at once: `POST /api/centers/{center}/guardianships/{id}/end` */
  endAsCenter(center: string, id: string, options?: CallOptions): Call<Guardianship>
  /** Accept a guardianship: `POST /api/auth/guardianships/{id}/accept` */
  accept(id: string, options?: CallOptions): Call<MovedGuardianship>
  /** Give up a guardianship of the signed-in person, or decline one: `POST /api/auth/guardianships/{id}/end` */
  end(id: string, options?: CallOptions): Call<MovedGuardianship>
}

export interface PlatformInstructors {
  /** List the instructors with an ACTIVE membership: `GET /api/centers/{center}/instructors` */
  list(center: string, options?: CallOptions): Call<Instructor[]>
  /** Set the hours and specialties of an instructor; an instructor may change only their own: `PUT /api/centers/{center}/instructors/{actorId}/hours` */
  setHours(center: string, actorId: string, body: InstructorHoursUpdate, options?: CallOptions): Call<InstructorHours>
}

export interface PlatformLogs {
  /** Get the names and keys of the logs of this server, and their witnesses: `GET /.well-known/countersign-log.json` */
  get(options?: CallOptions): Call<LogDocument>
}

export interface PlatformMemberPasskeys {
  /** List the passkeys of a member that this center knows: `GET /api/centers/{center}/members/{actorId}/passkeys` */
  list(center: string, actorId: string, options?: CallOptions): Call<MemberPasskey[]>
  /** List the passkeys of members that wait for a confirmation, the oldest first, at most 100: `GET /api/centers/{center}/passkeys` */
  listUnconfirmed(center: string, options?: CallOptions): Call<UnconfirmedPasskey[]>
  /** Get the statement that your own passkey signs to confirm the passkey of another member: `POST /api/centers/{center}/members/{actorId}/passkeys/{id}/confirm/options` */
  challengeConfirmation(center: string, actorId: string, id: string, options?: CallOptions): Call<PasskeyConfirmation>
  /** Confirm that a passkey is that of this member: `POST /api/centers/{center}/members/{actorId}/passkeys/{id}/confirm` */
  confirm(center: string, actorId: string, id: string, body?: NewPasskeyConfirmation, options?: CallOptions): Call<MemberPasskey>
}

export interface PlatformMembers {
  /** List the members of a center by name, in every status: `GET /api/centers/{center}/members` */
  list(center: string, query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** Part of the name, or the beginning of the address */
    search?: string
    role?: ActorRole
    status?: MembershipStatus
    /** `pagination.nextCursor` of the page before; `page` then counts from it */
    cursor?: string
  }, options?: CallOptions): PageCall<ListedMember, MemberCounts>
  /** Get the members of a center as CSV, with the filters of the list: `GET /api/centers/{center}/members.csv` */
  exportCsv(center: string, query?: {
    /** Part of the name, or the beginning of the address */
    search?: string
    role?: ActorRole
    status?: MembershipStatus
  }, options?: CallOptions): Call<string>
  /** Invite a person by email: `POST /api/centers/{center}/members` */
  invite(center: string, body: NewMember, options?: CallOptions): Call<Member>
}

export interface PlatformMemberships {
  /** Change the role of a member: `PATCH /api/memberships/{id}` */
  update(id: string, body: MembershipPatch, options?: CallOptions): Call<Member>
  /** Accept an invitation: `POST /api/memberships/{id}/accept` */
  accept(id: string, options?: CallOptions): Call<Member>
  /** Admit a person who accepted; the membership takes a seat: `POST /api/memberships/{id}/approve` */
  approve(id: string, options?: CallOptions): Call<Member>
  /** Suspend a member; access ends at once and the seat is free: `POST /api/memberships/{id}/suspend` */
  suspend(id: string, options?: CallOptions): Call<Member>
  /** Reinstate a suspended member; the membership takes a seat: `POST /api/memberships/{id}/reinstate` */
  reinstate(id: string, options?: CallOptions): Call<Member>
  /** End a membership; only another invitation starts it again: `POST /api/memberships/{id}/end` */
  end(id: string, options?: CallOptions): Call<Member>
  /** Withdraw an invitation or reject a person who accepted: `POST /api/memberships/{id}/reject` */
  reject(id: string, options?: CallOptions): Call<Member>
  /** Invite a person again: earlier links stop working, and an ended membership starts again: `POST /api/memberships/{id}/reinvite` */
  reinvite(id: string, options?: CallOptions): Call<Member>
  /** List the members whose role does not count for approvals yet, the next one first, at most 100: `GET /api/memberships/waiting` */
  listWaiting(options?: CallOptions): Call<WaitingMember[]>
  /** Confirm the role of a member, so that it counts for approvals at once: `POST /api/memberships/{id}/confirm` */
  confirm(id: string, body?: MembershipConfirmation, options?: CallOptions): Call<Eligibility>
}

export interface PlatformNotificationChannels {
  /** Add a chat channel that is told that decisions wait: `POST /api/centers/{center}/notification-channels` */
  create(center: string, body: NewNotificationChannel, options?: CallOptions): Call<NotificationChannel>
  /** List the chat channels of a center, and what became of the last message: `GET /api/centers/{center}/notification-channels` */
  list(center: string, options?: CallOptions): Call<NotificationChannel[]>
  /** Send a test message; the list shows its result, and a success enables the channel again: `POST /api/centers/{center}/notification-channels/{id}/test` */
  test(center: string, id: string, options?: CallOptions): Call<NotificationChannel>
  /** Remove a chat channel and its URL: `DELETE /api/centers/{center}/notification-channels/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformPartner {
  /** Confirm the role of a member of one of your centers, so that it counts for approvals at once: `POST /api/partner/centers/{centerId}/memberships/{id}/confirm` */
  confirmMembership(centerId: number, id: string, options?: CallOptions): Call<Eligibility>
  /** Confirm a passkey of the only ADMIN of one of your centers: `POST /api/partner/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm` */
  confirmPasskey(centerId: number, actorId: string, id: string, options?: CallOptions): Call<MemberPasskey>
  /** List the centers of this partner, newest first: `GET /api/partner/centers` */
  listCenters(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** Part of the name or slug; small spelling mistakes are tolerated */
    search?: string
  }, options?: CallOptions): PageCall<Center>
  /** Get the centers of this partner as CSV, newest first: `GET /api/partner/centers.csv` */
  exportCentersCsv(options?: CallOptions): Call<string>
  /** Create a center of this partner and invite its administrator by email: `POST /api/partner/centers` */
  createCenter(body: NewPartnerCenter, options?: CallOptions): Call<CreatedPartnerCenter>
  /** Get one center of this partner: `GET /api/partner/centers/{centerId}` */
  getCenter(centerId: number, options?: CallOptions): Call<Center>
  /** Rename, suspend, reinstate or relocate a center of this partner, or change the branding of a franchise: `PATCH /api/partner/centers/{centerId}` */
  updateCenter(centerId: number, body: PartnerCenterPatch, options?: CallOptions): Call<Center>
  /** Invite an administrator to a center that has no ACTIVE one: `POST /api/partner/centers/{centerId}/admins` */
  nameCenterAdmin(centerId: number, body: NewCenterAdmin, options?: CallOptions): Call<Member>
  /** Get key figures of the centers of this partner: `GET /api/partner/stats/dashboard` */
  getDashboard(options?: CallOptions): Call<PartnerDashboard>
  /** List the audit entries of this partner and of all its centers, newest first: `GET /api/partner/audit` */
  listAuditEntries(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
    /** A day in UTC, included */
    startDate?: string
    /** A day in UTC, included */
    endDate?: string
  }, options?: CallOptions): PageCall<AuditEntry>
  /** List the memberships in all centers of this partner, in every state, ordered by center: `GET /api/partner/members` */
  listMembers(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
  }, options?: CallOptions): PageCall<Member>
  /** Get the settings of this partner: `GET /api/partner/settings` */
  getSettings(options?: CallOptions): Call<PartnerSettings>
  /** Change the settings of this partner by JSON merge patch (RFC 7396): `PATCH /api/partner/settings` */
  updateSettings(body: PartnerSettings, options?: CallOptions): Call<PartnerSettings>
  /** List the policies in force that a center of this partner has inherited: `GET /api/partner/centers/{centerId}/policies` */
  listCenterPolicies(centerId: number, options?: CallOptions): Call<Policy[]>
  /** Create a new version of a policy that a center of this franchise has inherited: `PATCH /api/partner/centers/{centerId}/policies/{id}` */
  updateCenterPolicy(centerId: number, id: string, body: PolicyPatch, options?: CallOptions): Call<Policy>
  /** Get the integrity of the chains of all your centers, broken ones first, at most 1,000: `GET /api/partner/integrity` */
  getIntegrity(options?: CallOptions): Call<CenterIntegrity[]>
}

export interface PlatformPartnerInvitations {
  /** Invite a person to act for this partner: `POST /api/partner/invitations` */
  create(body: NewPartnerInvitation, options?: CallOptions): Call<PartnerInvitation>
  /** List the open invitations to act for this partner, newest first: `GET /api/partner/invitations` */
  list(query?: {
    /** Page number, from 1 */
    page?: number
    /** Items per page */
    limit?: number
  }, options?: CallOptions): PageCall<PartnerInvitation>
  /** Revoke an open invitation: its link stops working: `DELETE /api/partner/invitations/{id}` */
  revoke(id: string, options?: CallOptions): Call<void>
}

export interface PlatformPasskeys {
  /** List your passkeys, the oldest first: `GET /api/auth/passkeys` */
  list(options?: CallOptions): Call<Passkey[]>
  /** Begin to register a passkey: `POST /api/auth/passkeys/register/options` */
  startRegistration(options?: CallOptions): Call<PasskeyRegistration>
  /** Send the new passkey, and get the statement that it signs: `POST /api/auth/passkeys/register/attestation` */
  attest(body: NewPasskeyAttestation, options?: CallOptions): Call<PasskeyAttested>
  /** Register the passkey with its signature over the statement: `POST /api/auth/passkeys/register` */
  register(body: NewPasskey, options?: CallOptions): Call<Passkey>
  /** Remove one of your passkeys: `DELETE /api/auth/passkeys/{id}` */
  remove(id: string, options?: CallOptions): Call<void>
  /** Begin to sign in by passkey: `POST /api/auth/passkeys/login/options` */
  startLogin(options?: CallOptions): Call<PasskeyLogin>
  /** Sign in by passkey: `POST /api/auth/passkeys/login` */
  login(body: PasskeyCredentials, options?: CallOptions): Call<AuthSession>
}

export interface PlatformPolicies {
  /** List the policies in force for this center, including those of its region and country and the global ones: `GET /api/policies` */
  list(options?: CallOptions): Call<Policy[]>
  /** Create a policy of this center: `POST /api/policies` */
  create(body: NewPolicy, options?: CallOptions): Call<Policy | PendingPolicyChange>
  /** Create a new version of a policy: `PATCH /api/policies/{id}` */
  update(id: string, body: PolicyPatch, options?: CallOptions): Call<Policy | PendingPolicyChange>
  /** Withdraw a policy; its versions remain readable: `DELETE /api/policies/{id}` */
  delete(id: string, options?: CallOptions): Call<PendingPolicyChange | void>
  /** List all versions of a policy, newest first: `GET /api/policies/{id}/versions` */
  listVersions(id: string, options?: CallOptions): Call<Policy[]>
  /** Ask which policies match a decision and what they ask for; nothing is recorded: `POST /api/policies/check` */
  check(body: NewAgentDecision, options?: CallOptions): Call<PolicyCheck>
}

export interface PlatformProvisioning {
  /** Create a center with its administrator, subscription, learning tenant and settings in one transaction: `POST /api/provisioning/center-tenant` */
  createCenter(body: NewCenter, options?: CallOptions): Call<ProvisionedCenter>
  /** Check whether a subdomain is available: `POST /api/provisioning/check-subdomain` */
  checkSubdomain(body: SubdomainCheck, options?: CallOptions): Call<SubdomainCheckResult>
  /** List the plans for centers: `GET /api/provisioning/center-plans` */
  listCenterPlans(options?: CallOptions): Call<Plan[]>
  /** List the plans for the learning application: `GET /api/provisioning/lms-plans` */
  listLmsPlans(options?: CallOptions): Call<Plan[]>
}

export interface PlatformPublicVerification {
  /** Verify a sealed record by its id: `GET /verify/{id}` */
  verify(id: string, options?: CallOptions): Call<PublicVerification>
}

export interface PlatformPush {
  /** Whether the browser of your session is told that decisions wait, and the key with which it subscribes: `GET /api/auth/push` */
  get(options?: CallOptions): Call<PushState>
  /** Tell the browser of your session that decisions wait: `PUT /api/auth/push` */
  subscribe(body: NewPushSubscription, options?: CallOptions): Call<void>
  /** Tell the browser of your session no more; also where it was not told: `DELETE /api/auth/push` */
  unsubscribe(options?: CallOptions): Call<void>
}

export interface PlatformSandboxes {
  /** Create the sandbox of a center: `POST /api/centers/{center}/sandbox` */
  create(center: string, options?: CallOptions): Call<Sandbox>
  /** Close the sandbox of a center and create a new one: `POST /api/centers/{center}/sandbox/reset` */
  reset(center: string, options?: CallOptions): Call<Sandbox>
}

export interface PlatformSessions {
  /** List your sessions that have not ended, the last used first, at most 100: `GET /api/auth/sessions` */
  list(options?: CallOptions): Call<OwnSession[]>
  /** End one of your sessions; every server refuses it within a second: `DELETE /api/auth/sessions/{id}` */
  end(id: string, options?: CallOptions): Call<void>
}

export interface PlatformSignInProviders {
  /** Let members sign in to a center by OpenID Connect: `POST /api/centers/{center}/sign-in-providers` */
  add(center: string, body: NewSignInProvider, options?: CallOptions): Call<SignInProvider>
  /** Let members sign in to all centers of this partner by OpenID Connect: `POST /api/partner/sign-in-providers` */
  addAsPartner(body: NewSignInProvider, options?: CallOptions): Call<SignInProvider>
  /** List the OpenID Connect providers of a center: `GET /api/centers/{center}/sign-in-providers` */
  list(center: string, options?: CallOptions): Call<SignInProvider[]>
  /** List the OpenID Connect providers of this partner: `GET /api/partner/sign-in-providers` */
  listAsPartner(options?: CallOptions): Call<SignInProvider[]>
  /** Change the name or the client secret of a provider: `PATCH /api/centers/{center}/sign-in-providers/{id}` */
  update(center: string, id: string, body: SignInProviderChange, options?: CallOptions): Call<SignInProvider>
  /** Change the name or the client secret of a provider of this partner: `PATCH /api/partner/sign-in-providers/{id}` */
  updateAsPartner(id: string, body: SignInProviderChange, options?: CallOptions): Call<SignInProvider>
  /** Remove a provider, its linked accounts and its sessions: `DELETE /api/centers/{center}/sign-in-providers/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
  /** Remove a provider of this partner, its linked accounts and its sessions: `DELETE /api/partner/sign-in-providers/{id}` */
  removeAsPartner(id: string, options?: CallOptions): Call<void>
}

export interface PlatformSubscription {
  /** Get the subscription of the current center, its seats and what it allows at present: `GET /api/center/subscription` */
  get(options?: CallOptions): Call<Subscription>
}

export interface PlatformSystem {
  /** Get the name of this server and links to the reference, the verifier and the health check: `GET /` */
  getHome(options?: CallOptions): Call<Home>
  /** Check that the process runs: `GET /health/live` */
  checkLive(options?: CallOptions): Call<Health>
  /** Check that the server can serve requests: `GET /health/ready` */
  checkReady(options?: CallOptions): Call<Health>
  /** Get the public keys of access tokens, as a JSON Web Key Set: `GET /.well-known/jwks.json` */
  getJwks(options?: CallOptions): Call<Jwks>
  /** Get this description, as OpenAPI 3.1: `GET /openapi.json` */
  getOpenApi(options?: CallOptions): Call<OpenApiDocument>
}

export interface PlatformWebhooks {
  /** Subscribe a URL to events; the signing secret is shown only in this reply: `POST /api/webhooks` */
  register(body: NewWebhook, options?: CallOptions): Call<RegisteredWebhook>
  /** List the webhooks of this center, newest first, with figures, the age of their secrets and the last recovery: `GET /api/webhooks` */
  list(options?: CallOptions): Call<ListedWebhook[]>
  /** Change the URL, the events or the state of a webhook: `PATCH /api/webhooks/{webhookId}` */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Call<Webhook>
  /** Delete a webhook and its secrets; the server sends nothing to it any more: `DELETE /api/webhooks/{webhookId}` */
  delete(webhookId: string, options?: CallOptions): Call<void>
  /** Create a new signing secret; the previous one remains valid for 24 hours: `POST /api/webhooks/{webhookId}/rotate-secret` */
  rotateSecret(webhookId: string, body?: SecretRotation, options?: CallOptions): Call<RotatedSecret>
  /** Send an event again, now, to every endpoint where it failed: `POST /api/webhooks/events/{eventId}/retry` */
  retryEvent(eventId: string, options?: CallOptions): Call<RetriedEvent>
  /** Send a `ping` event to this webhook, whatever its subscriptions are: `POST /api/webhooks/{webhookId}/test` */
  test(webhookId: string, options?: CallOptions): Call<TestEvent>
  /** Send all held and failed events since a given time again: `POST /api/webhooks/{webhookId}/recover` */
  recover(webhookId: string, body: NewRecovery, options?: CallOptions): Call<Recovery>
  /** List the event types, each with a JSON schema and an example of its `data`: `GET /api/webhooks/event-types` */
  listEventTypes(options?: CallOptions): Call<EventTypeDescription[]>
}

export interface PlatformWhitelabel {
  /** Get the branding and features of a center by its slug or custom domain: `GET /api/whitelabel/{domain}/config` */
  getConfig(domain: string, options?: CallOptions): Call<WhitelabelConfig>
}

export interface PlatformWorkflows {
  /** List the workflows of the current center: `GET /api/workflows` */
  list(options?: CallOptions): Call<Workflow[]>
  /** Set when a workflow starts by itself, its thresholds and its tags: `PUT /api/workflows/{workflowId}/settings` */
  putSettings(workflowId: string, body: NewWorkflowSettings, options?: CallOptions): Call<Workflow>
  /** Run a workflow now: `POST /api/workflows/{workflowId}/execute` */
  execute(workflowId: string, body?: NewExecution, options?: CallOptions): Call<StartedExecution>
}

/** The `data` of each type of event. */
export interface WebhookData {
  /** A decision proof unit was sealed: that of a decision when it is in the chain, another one when it is AUDIT_READY */
  'dpu.sealed': {
    /** The decision proof unit */
    dpuId: string
    /** SHA-256 in hex, without a prefix */
    chainHash: string
    domain: ChainDomain
    /** Who decided; `redacted` where the id was erased */
    actorId: string
    evidenceLevel: EvidenceLevel
    chainIndex: number
    /** Signed checkpoint of the log that contains the seal. Store it: if a later checkpoint does not continue it, history was rewritten */
    checkpoint?: string
    /** The decision event; null for a unit of the platform */
    eventId: string | null
    /** As in the answer to recording or `decide`; null for a unit of the platform */
    decisionId: string | null
    /** ISO 8601, UTC, milliseconds */
    sealedAt: string
    [name: string]: unknown
  }
  /** A member raised the evidence level of a decision that was sealed before */
  'dpu.raised': {
    /** The decision proof unit */
    dpuId: string
    /** SHA-256 in hex, without a prefix */
    chainHash: string
    domain: ChainDomain
    /** Who decided; `redacted` where the id was erased */
    actorId: string
    evidenceLevel: EvidenceLevel
    chainIndex: number
    /** Signed checkpoint of the log that contains the seal. Store it: if a later checkpoint does not continue it, history was rewritten */
    checkpoint?: string
    /** The decision event */
    eventId: string
    /** As in the answer to recording or `decide` */
    decisionId: string | null
    previousLevel: EvidenceLevel
    /** The member who raised it */
    reviewerId: string
    /** ISO 8601, UTC, milliseconds */
    raisedAt: string
    [name: string]: unknown
  }
  /** A decision proof unit was verified through its public address */
  'dpu.verified': {
    /** The decision proof unit */
    dpuId: string
    valid: boolean
    /** ISO 8601, UTC, milliseconds */
    verifiedAt: string
    [name: string]: unknown
  }
  /** A decision of an agent was sealed, without a person or after an approval */
  'agent.decision.completed': {
    /** As in the reply of `POST /api/v1/agents/decide` */
    decisionId: string
    /** The decision event */
    eventId: string
    /** The agent */
    agentId: string
    /** Who decided: the agent */
    actorId: string
    /** Action type of the decision */
    actionType: string
    /** `autonomous` without a person, else the result of the approval */
    outcome: 'autonomous' | 'approved' | 'rejected'
    /** The decision proof unit */
    dpuId: string
    evidenceLevel: EvidenceLevel
    /** SHA-256 in hex, without a prefix */
    chainHash: string
    /** ISO 8601, UTC, milliseconds */
    sealedAt: string
    [name: string]: unknown
  }
  /** A decision of an agent, or one that was recorded, requires an approval */
  'agent.approval.requested': {
    /** As in the reply of `POST /api/v1/agents/decide` */
    decisionId: string
    /** The decision event to approve */
    eventId: string
    /** The agent */
    agentId: string
    /** Action type of the decision */
    actionType: string
    riskScore: number | null
    policies: string[]
    /** ISO 8601, UTC, milliseconds */
    requestedAt: string
    /** A page for members who may approve; it contains no credential */
    approvalUrl: string
    /** Description of the action */
    description: string | null
    /** Salted digest of the action, as it will be sealed */
    actionDigest: string
    /** ISO 8601, UTC, milliseconds */
    expiresAt: string | null
    [name: string]: unknown
  }
  /** A decision that waited for an approval was approved, refused or withdrawn, expired or was replaced */
  'agent.approval.decided': {
    /** As in the reply of recording or `decide` */
    decisionId: string
    /** The decision event */
    eventId: string
    /** Who asked; `redacted` where the id was erased */
    agentId: string
    /** Action type of the decision */
    actionType: string
    /** `approved` and `refused` by a person; `expired` in time, `replaced` by a new decision, `withdrawn` by who asked */
    outcome: 'approved' | 'refused' | 'expired' | 'replaced' | 'withdrawn'
    /** What the last approver wrote, or who withdrew it; null if they wrote nothing */
    reason: string | null
    /** The last time at which an approved decision can be consumed */
    usableUntil: string | null
    /** ISO 8601, UTC, milliseconds */
    decidedAt: string
    [name: string]: unknown
  }
  /** A member asked or answered a question about a decision that waits for an approval */
  'agent.approval.commented': {
    /** As in the reply of recording or `decide` */
    decisionId: string
    /** The decision event */
    eventId: string
    /** The comment */
    commentId: string
    /** The member who wrote it */
    authorId: string
    text: string
    /** ISO 8601, UTC, milliseconds */
    commentedAt: string
    [name: string]: unknown
  }
  /** A payment was confirmed and reconciled */
  'payment.completed': {
    centerSubscription?: {
      /** The center whose key sends the event */
      centerId: number
      /** The state from now on: ACTIVE with `payment.completed`, another one with `payment.failed` */
      status: 'ACTIVE' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'
      /** Later than that of the last statement about this center; an earlier one changes nothing */
      occurredAt: string
      /** Until when it is paid */
      currentPeriodEnd?: string
      /** Another plan from now on */
      planId?: string
      /** Ed25519 signature of a key in BILLING_KEYS, base64 */
      signature: string
    }
    /** The payment */
    paymentId?: string
    /** What was paid for */
    orderId?: string
    amount?: number
    currency?: string
    /** ISO 8601, UTC, milliseconds */
    paidAt?: string
    [name: string]: unknown
  }
  /** A payment attempt failed */
  'payment.failed': {
    centerSubscription?: {
      /** The center whose key sends the event */
      centerId: number
      /** The state from now on: ACTIVE with `payment.completed`, another one with `payment.failed` */
      status: 'ACTIVE' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'
      /** Later than that of the last statement about this center; an earlier one changes nothing */
      occurredAt: string
      /** Until when it is paid */
      currentPeriodEnd?: string
      /** Another plan from now on */
      planId?: string
      /** Ed25519 signature of a key in BILLING_KEYS, base64 */
      signature: string
    }
    /** The payment */
    paymentId?: string
    /** What was paid for */
    orderId?: string
    amount?: number
    currency?: string
    reason?: string
    [name: string]: unknown
  }
  /** A check-in by QR code or an attendance at a workshop was confirmed */
  'attendance.verified': {
    /** The attendance record */
    attendanceId?: string
    /** Who was there */
    learnerId?: string
    /** Where */
    sessionId?: string
    method?: string
    /** ISO 8601, UTC, milliseconds */
    verifiedAt?: string
    [name: string]: unknown
  }
  /** A digital certificate with its proof was issued to a learner */
  'certificate.issued': {
    /** The certificate */
    certificateId?: string
    /** To whom */
    learnerId?: string
    /** For what */
    courseId?: string
    /** The decision proof unit, of the same center */
    dpuId: string
    /** ISO 8601, UTC, milliseconds */
    issuedAt?: string
    [name: string]: unknown
  }
  /** An execution of a workflow changed its state */
  'workflow.transitioned': {
    /** The execution */
    executionId: string
    /** The workflow */
    workflowId: string
    from: string | null
    to: string
    /** The decision proof unit of the execution */
    dpuId?: string | null
    /** ISO 8601, UTC, milliseconds */
    at: string
    [name: string]: unknown
  }
  /** A chain of the center does not hold; the operator is alarmed too */
  'integrity.alarm': {
    domain: ChainDomain
    /** The lowest entry that does not hold */
    chainIndex: number
    /** Nothing is sealed onto this chain until the operator has cleared the alarm; earlier entries stand */
    affected: 'chain'
    /** ISO 8601, UTC, milliseconds */
    foundAt: string
    /** Where to read on, with a key that has the scope `proof:read` */
    readOn: string
    [name: string]: unknown
  }
  /** The operator declared that sealed entries of the center were lost, after a restore for example */
  'integrity.loss': {
    domain: ChainDomain
    /** The name under which the log goes on */
    log: string
    generation: number
    /** Entries that the restored database had */
    restoredSize: number
    /** Entries that were signed before */
    lostSize: number
    /** Index of the first lost entry, as in its receipt */
    lostFrom: number
    /** Index of the last lost entry */
    lostTo: number
    reason: string
    declaredBy: string
    /** ISO 8601, UTC, milliseconds */
    declaredAt: string
    /** Where to read on, with a key that has the scope `proof:read` */
    readOn: string
    [name: string]: unknown
  }
}

export interface Accepted {
  accepted: true
}

export interface AcceptedInvitation {
  status: MembershipStatus
  /** Center domain slug */
  centerDomain: string | null
  /** Where the invitation is to act for a partner, of no center */
  partnerName: string | null
}

export interface ActionSummary {
  type: string
}

/** The template of the action type as it is now; null where neither the center nor its vertical has one. Its digest names what was shown */
export interface ActionTemplate {
  /** As it was sent when the version was made */
  type: string
  /** 0 is the starting template of the vertical, which applies where the center has none of its own */
  version: number
  /** `sha256:` and the SHA-256 of the canonical form of `{type, name, sentence, labels}` */
  digest: string
  name: ActionTypeName
  sentence: ActionTypeSentence | null
  labels: ActionTypeLabels
}

export interface ActionType {
  /** As it was sent when the version was made */
  type: string
  /** 0 is the starting template of the vertical, which applies where the center has none of its own */
  version: number
  /** `sha256:` and the SHA-256 of the canonical form of `{type, name, sentence, labels}` */
  digest: string
  name: ActionTypeName
  sentence: ActionTypeSentence | null
  labels: ActionTypeLabels
  /** Null for a starting template */
  createdAt: string | null
}

export interface ActionTypeLabel {
  ko?: string
  en?: string
}

/** By JSON Pointer (RFC 6901) below `action.input`: what a value is called */
export type ActionTypeLabels = Record<string, ActionTypeLabel>

export interface ActionTypeName {
  ko?: string
  en?: string
}

/** The headline of a decision. `{/payment/won}` is replaced by the value of `action.input` that the JSON Pointer names; an absent value shows as a gap. Braces have no other use */
export interface ActionTypeSentence {
  ko?: string
  en?: string
}

/** Role of a person in a center */
export type ActorRole = 'ADMIN' | 'INSTRUCTOR' | 'PARENT' | 'CHILD'

export interface Agent {
  id: string
  name?: string
}

export interface AgentDecision {
  /** The `Idempotency-Key` of the request, or a new `dec_` id */
  decisionId: string
  /** Decision event; approve it under this id where that is required */
  eventId: string
  outcome: DecisionOutcome
  /** Policies that applied */
  policies: AppliedPolicy[]
  /** `sha256:` and the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent; absent members are left out */
  actionDigest: string
  /** The salt of `actionDigest`, in base64url; null after a redaction of a digested value */
  actionSalt: string | null
  dpu: DecisionDpu
  receipt: Receipt | null
  /** What to do next; absent when there is nothing to do */
  note?: string
}

export interface AiContext {
  model?: string
  provider?: string
  confidence?: number
  reasoning?: string
  modelVersion?: string
  agentVersion?: string
  toolCallId?: string
  traceId?: string
  spanId?: string
  promptDigest?: string
}

/** What happened */
export type AlarmAction = 'found' | 'cleared'

export interface AlarmedEntry {
  index: number
  /** As stored */
  hash: string
  /** As stored */
  previousHash: string | null
  /** Of what is stored. It differs from `hash` where the entry was altered */
  computedHash: string
  sealedAt: string
}

/** State of the checkpoint: signed by this server, cosigned by witnesses, or time-stamped by an authority */
export type Anchoring = 'logged' | 'witnessed' | 'timestamped'

export interface ApiKey {
  /** API key id */
  id: string
  name: string
  /** First characters of the key, to recognize it by */
  prefix: string
  scopes: ApiKeyScope[]
  actor: ApiKeyActor | null
  /** A key with an actor that was made before such keys lost webhooks: it still reaches them. Replace it */
  keepsWebhooks: boolean
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string | null
  /** ISO 8601, UTC, milliseconds */
  lastUsedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

/** The only actor as whom the key records decisions; another one is refused with 403. The key sees only the decisions of this actor, and neither chains nor webhooks */
export interface ApiKeyActor {
  id: string
  type: EventActorType
}

/** What an API key may do. `decide` is for one agent: record, decide, consume, report outcomes and read, all as the actor that the key is bound to. `webhooks:write` manages webhooks. `policies:write` is for changes of policies, for which keys have no operation yet. `proof:write` and `proof:approve` include `proof:read`. Both may add approvals; where a policy accepts the approval of a person whom a key names, only `proof:approve` counts, and never from the key that recorded the decision */
export type ApiKeyScope = 'decide' | 'proof:read' | 'proof:write' | 'proof:approve' | 'events:write' | 'webhooks:write' | 'policies:write'

/** Event type that a companion application publishes */
export type AppEventType = 'payment.completed' | 'payment.failed' | 'attendance.verified' | 'certificate.issued'

/** A policy that was in force when the decision was sealed */
export interface AppliedPolicy {
  id: string
  version: number
  digest: string
}

export interface Approval {
  /** Approval id */
  approvalId: string
  decisionId: string
  approver: Approver
  result: ApprovalResult
  reason?: string
  evidenceLevel: EvidenceLevel
  /** `sha256:` and 64 hex digits */
  sealedHash: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  receipt: Receipt | null
}

export interface ApprovalChallenge {
  statement: ApprovalStatement
  /** What `reasonDigest` covers beside the reason */
  reasonSalt: string | null
  publicKey: PasskeyRequestOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

/** Where the approval was given */
export type ApprovalChannel = 'api' | 'page' | 'console'

export interface ApprovalIdentity {
  level: IdentityLevel
  /** API key or member that vouches for the approver; empty after it was redacted */
  by: string
}

/** Both results seal the decision */
export type ApprovalResult = 'approved' | 'rejected'

/** What the passkey signs. The export of the decision contains it */
export interface ApprovalStatement {
  type: 'countersign-approval-v2'
  log: string
  /** Decision event id */
  eventId: string
  decisionId: string
  actionDigest: string
  result: ApprovalResult
  /** Covers the reason and a salt; null without a reason */
  reasonDigest: string | null
  /** Actor id */
  approverId: string
  policies: AppliedPolicy[]
  /** Actor id */
  onBehalfOf: string | null
  /** Reserved */
  approvedActionDigest: null
  /** Reserved */
  emergency: null
  shown: ShownDecision | null
  /** Digest of the approvals before, as `prior` of the decision */
  prior: string
  rpId: string
  nonce: string
  /** ISO 8601, UTC, milliseconds */
  issuedAt: string
}

export interface Approver {
  id: string
  type: ApproverType
  name?: string
}

/** How sure the server is of the approver, and who vouches for it */
export interface ApproverIdentity {
  level: IdentityLevel
  /** The API key or the member */
  by?: string
}

/** Role of a member who may approve */
export type ApproverRole = 'ADMIN' | 'INSTRUCTOR'

/** Who or what approves */
export type ApproverType = 'human' | 'system'

/** A guard that asks for an approval */
export type ApprovingGuard = 'humanReview' | 'riskThreshold' | 'dualApproval' | 'minimumEvidenceLevel'

export interface Attendance {
  /** Attendance id */
  id: string
  kind: AttendanceKind
  source: AttendanceSource
  /** When the appointment began, or when the application verified it */
  at: string
  /** When it was recorded or corrected last */
  recordedAt: string
  /** Booking id */
  bookingId: string | null
  /** Actor id */
  clientId: string | null
  /** Null for a person who is not or no longer a member */
  clientName: string | null
  /** Of a client whom a companion application knows by an id of its own: `data.learnerId` */
  reference: string | null
  /** Actor id */
  instructorId: string | null
  /** Null for a person who is not or no longer a member */
  instructorName: string | null
}

export interface AttendanceByKind {
  attended: number
  no_show: number
}

export interface AttendanceCounts {
  /** Actor id */
  childId: string
  attended: number
  noShow: number
}

/** Whether the client came */
export type AttendanceKind = 'attended' | 'no_show'

export interface AttendanceOfChild {
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  /** Actor id */
  childId: string
  childName: string
  kind: AttendanceKind
  /** ISO 8601, UTC, milliseconds */
  at: string
  /** Booking id */
  bookingId: string | null
  /** Null for a person who is no member any more */
  instructorName: string | null
}

/** Who said so last: staff about an appointment (`booking`), or a companion application (`event`) */
export type AttendanceSource = 'booking' | 'event'

export interface AttendanceTotals {
  byKind: AttendanceByKind
}

export interface AuditCounts {
  byType: AuditEntriesByType
}

/** Entries of each type that the other filters match */
export interface AuditEntriesByType {
  'session.changed': number
  'membership.transitioned': number
  'center.provisioned': number
  'center.updated': number
  'settings.updated': number
  'policy.changed': number
  'dpu.changed': number
  'decision.sealed': number
  'api_key.changed': number
  'webhook.changed': number
  'workflow.executed': number
  'integrity.alarm': number
}

export interface AuditEntry {
  /** Audit entry id */
  id: string
  type: string
  /** ISO 8601, UTC, milliseconds */
  occurredAt: string
  /** Null for an entry about the partner itself */
  centerId: number | null
  centerName: string | null
  /** An actor, an API key or a job */
  actorId: string | null
  targetType: string
  targetId: string
  details: JsonObject
}

/** Kind of an audit entry */
export type AuditType = 'session.changed' | 'membership.transitioned' | 'center.provisioned' | 'center.updated' | 'settings.updated' | 'policy.changed' | 'dpu.changed' | 'decision.sealed' | 'api_key.changed' | 'webhook.changed' | 'workflow.executed' | 'integrity.alarm'

export interface AuthSession {
  /** JWT; send it as `Authorization: Bearer` */
  accessToken: string
  /** Opaque; each use replaces it */
  refreshToken: string
  /** Lifetime of the access token in seconds */
  expiresIn: number
  actor: SessionActor
  center: SessionCenter | null
  destination: Destination
}

export interface AvailableSlots {
  date: string
  timezone: string
  slots: Slot[]
}

/** How often the subscription is paid */
export type BillingCycle = 'MONTHLY' | 'YEARLY'

export interface Booking {
  /** Booking id */
  id: string
  /** Actor id */
  instructorId: string
  /** Actor id */
  bookedFor: string
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** ISO 8601, UTC, milliseconds */
  endsAt: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  status: BookingStatus
  /** Why it was canceled, if somebody said so */
  reason: string | null
}

export interface BookingCancellation {
  reason: string
}

export interface BookingCounts {
  byStatus: BookingsByStatus
}

export interface BookingRelocation {
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** Actor id */
  instructorId?: string
}

export interface BookingSettings {
  slotMinutes: number
  openingHours: WeekHours
}

export interface BookingSettingsPatch {
  slotMinutes?: number
  openingHours?: WeekHours
}

/** State of an appointment */
export type BookingStatus = 'booked' | 'attended' | 'no_show' | 'canceled'

export interface BookingsByStatus {
  booked: number
  attended: number
  no_show: number
  canceled: number
}

export interface Branding {
  /** An `https` URL of the logo, the logo itself as a `data:` URL of an image, or empty */
  logo: string
  description: string
  primaryColor: string
  customDomain: string | null
}

export interface BrandingPatch {
  /** An `https` URL of the logo, the logo itself as a `data:` URL of an image, or empty */
  logo?: string
  description?: string
  primaryColor?: string
  customDomain?: string | null
}

export interface BrokenChain {
  domain: ChainDomain
  brokenAt: number
}

/** The refresh token is in the cookie `refresh_token`, in production `__Host-refresh_token`, which no script can read */
export interface BrowserSession {
  /** JWT; send it as `Authorization: Bearer` */
  accessToken: string
  /** Lifetime of the access token in seconds */
  expiresIn: number
  actor: SessionActor
  center: SessionCenter | null
  destination: Destination
  /** Whether operations of platform operators are open to it */
  operator: boolean
  environment: EnvironmentName
}

export interface CellAlarm {
  /** Center id */
  centerId: number
  centerName: string
  centerDomain: string
  domain: ChainDomain
  brokenAt: number
}

export interface CellOverview {
  name: string
  /** Whether it answers within half a second and can be written */
  up: boolean
  centers: number
  /** Chains that were found broken and not cleared, at most 100 */
  alarms: CellAlarm[]
  queues: CellQueues | null
  /** Periodic jobs; none while the cell does not answer */
  jobs: JobOverview[]
}

export interface CellQueues {
  /** By how much the oldest due webhook delivery is late */
  overdueDeliverySeconds: number
  /** Deliveries of inactive webhooks, counted up to 100,000 */
  heldDeliveries: number
  /** Endpoints that failed so often that attempts pause */
  failingEndpoints: number
  /** Executions of workflows */
  runningExecutions: number
  /** By how much the oldest due step is late */
  overdueExecutionSeconds: number
}

export interface Center {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is the sandbox of another one: it holds test data only */
  sandbox: boolean
  vertical: Vertical
  memberCount: number
  settings: CenterSettings
}

export interface CenterAuditEntry {
  /** Audit entry id */
  id: string
  type: AuditType
  /** Which change it was */
  action: string
  /** ISO 8601, UTC, milliseconds */
  occurredAt: string
  /** A person, an API key or a job */
  actorId: string | null
  /** Name of the member or of the API key; null for others */
  actorName: string | null
  targetType: string
  targetId: string
  /** Name of the member that was changed; null for other targets */
  targetName: string | null
  details: JsonObject
}

export interface CenterChild {
  /** Actor id */
  actorId: string
  name: string
  membership: Membership
  /** Also those whose guardianship has ended */
  guardians: Guardianship[]
}

export interface CenterCounts {
  active: number
  suspended: number
  inactive: number
  sandboxes: number
}

export interface CenterExport {
  /** Export id */
  id: string
  status: 'running' | 'completed' | 'failed' | 'expired'
  /** ISO 8601, UTC, milliseconds */
  requestedAt: string
  /** ISO 8601, UTC, milliseconds */
  completedAt: string | null
  /** When its files are deleted */
  expiresAt: string
  progress: CenterExportProgress
  /** SHA-256 of `manifest.json` in hex, which names the SHA-256 of every other file */
  manifestSha256: string | null
  /** Why it failed */
  reason: string | null
}

export interface CenterExportProgress {
  /** What is written now; null at the end */
  part: string | null
  /** Parts that are complete */
  done: number
  /** Parts in all */
  of: number
  /** Files so far */
  files: number
  /** Lines in them */
  lines: number
  /** Their size, compressed */
  bytes: number
}

export interface CenterInfo {
  name: string
  description: string
  logo: string
  vertical: Vertical
}

export interface CenterIntegrity {
  /** Center id */
  centerId: number
  name: string
  domain: string
  status: CenterStatus
  /** Over all chains */
  entries: number
  broken: BrokenChain[]
  /** When the oldest of its last verdicts was made */
  verifiedAt: string | null
  /** False while the cell of the center cannot be read */
  reachable: boolean
}

export interface CenterOverview {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  centerDomain: string
  status: CenterStatus
  vertical: Vertical
  cell: string
  partner: NamedPartner | null
  members: number
  sandbox: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

export interface CenterSearch {
  query?: string
  vertical?: Vertical
}

export interface CenterSettings {
  locale: string
  /** IANA time zone */
  timezone: string
  country: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region: string | null
  branding: Branding
  features: Features
  booking: BookingSettings
  /** Settings that are still as the partner of the center gave them, such as `branding.logo` */
  inherited: string[]
}

export interface CenterSettingsPatch {
  locale?: string
  /** IANA time zone */
  timezone?: string
  country?: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region?: string | null
  branding?: BrandingPatch
  features?: FeaturesPatch
  booking?: BookingSettingsPatch
}

/** State of a center; INACTIVE is final */
export type CenterStatus = 'ACTIVE' | 'SUSPENDED' | 'INACTIVE'

export interface CenterSwitch {
  /** Center id */
  centerId: number
}

export interface CenterVerdict {
  valid: boolean
  chainLength: number
  /** Empty while the chain has no entry */
  genesisHash: string
  /** Lowest index at which the check failed */
  brokenAt: number | null
  /** What failed there, for people */
  reason: string | null
  mode: VerificationMode
  /** ISO 8601, UTC, milliseconds */
  verifiedAt: string
  allValid: boolean
  /** ISO 8601, UTC, milliseconds */
  recordsVerifiedAt: string | null
  domains: DomainVerdicts
}

export interface ChainAlarm {
  /** ISO 8601, UTC, milliseconds */
  at: string
  action: AlarmAction
  domain: string
  /** The lowest index that was found broken */
  brokenAt: number | null
  reason: string | null
}

export interface ChainAlarmPlace {
  /** Center id */
  centerId: number
  centerName: string
  centerDomain: string
  domain: ChainDomain
  brokenAt: number
  cell: string
  /** Name of the log */
  log: string
  length: number
  /** The last verdict of each mode */
  checks: ChainCheck[]
  before: AlarmedEntry | null
  entry: AlarmedEntry | null
}

export interface ChainCheck {
  mode: CheckMode
  scannedTo: number
  /** The lowest index that was found broken */
  brokenAt: number | null
  reason: string | null
  /** ISO 8601, UTC, milliseconds */
  verifiedAt: string
}

/** Hash chain: each center has one per domain */
export type ChainDomain = 'dpu' | 'proof' | 'history'

/** One line of the stream; `content` is the object that was hashed. With `values=true` also `values`, by the paths of their commitments, and their `salts` */
export interface ChainEntry {
  index: number
  id: string
  /** `sha256:` and 64 hex digits */
  hash: string
  previousHash: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string
  content: JsonObject
  values?: JsonObject
  salts?: JsonObject
}

export interface ChainOverview {
  domain: ChainDomain
  /** Name of the log */
  log: string
  length: number
  generation: number
  headHash: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
  /** The lowest index that was found broken */
  brokenAt: number | null
  checkpoint: ShownCheckpoint | null
  witnesses: WitnessLag[]
  generations: LogGeneration[]
  /** The server's own verdicts, one for each mode */
  checks: ChainCheck[]
}

export interface ChainPosition {
  /** `sha256:` and 64 hex digits */
  hash: string
  /** Null for the first entry of the chain */
  previousHash: string | null
  index: number
  domain: ChainDomain
}

export interface ChainVerdict {
  valid: boolean
  chainLength: number
  /** Empty while the chain has no entry */
  genesisHash: string
  /** Lowest index at which the check failed */
  brokenAt: number | null
  /** What failed there, for people */
  reason: string | null
}

export interface ChangedOutcome {
  /** Decision event id */
  eventId: string
  actionType: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  before: CheckOutcome
  after: CheckOutcome
}

/** `records` also compares stored values with their commitments */
export type CheckMode = 'chain' | 'records'

/** What `POST /api/v1/agents/decide` would answer; `refused` is its 422 `POLICY_VIOLATION` */
export type CheckOutcome = 'completed' | 'approval_required' | 'refused'

export interface CheckedApproval {
  identity: RequiredIdentity
  approvals: number
  /** Roles that every policy which asks allows */
  roles: ApproverRole[] | null
  /** ACTIVE members who may approve now or after an escalation */
  actorIds: string[]
  expiresAfterSeconds: number | null
  /** How long after the approval the decision can be consumed */
  usableForSeconds: number
  /** Why nobody, or fewer people than needed, can approve; null if enough can */
  problem: string | null
}

export interface CheckedPolicy {
  id: string
  version: number
  digest: string
  name: string
  /** The guards of this policy that ask for an approval */
  asks: ApprovingGuard[]
  approval: PolicyApproval | null
}

export interface CheckedRefusal {
  policyId: string
  rule: string
  guard: string
  message: string
}

export interface Checkpoint {
  /** Name of the log: host, center and domain of the chain */
  log: string
  size: number
  /** Root of the tree, base64; null while the chain is empty */
  root: string | null
  /** A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses */
  checkpoint: string | null
  anchoring: Anchoring | null
}

export interface Child {
  /** Actor id */
  actorId: string
  name: string
  memberships: Membership[]
}

export interface ChildsCenter {
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  /** Guardianship id */
  guardianshipId: string
  membership: Membership
  /** Guardian, child and center are ACTIVE */
  canBook: boolean
}

export interface ClosedLog {
  /** Name of the log: host, center and domain of the chain */
  log: string
  /** Size of its newest checkpoint that was restored */
  size: number
  /** A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses */
  checkpoint: string | null
}

export interface CommentAuthor {
  /** Actor id */
  id: string
  name: string
}

/** How the value is compared */
export type ConditionOperator = 'eq' | 'in' | 'gt' | 'lt' | 'exists'

export interface ConsistencyProof {
  /** Name of the log: host, center and domain of the chain */
  log: string
  from: number
  to: number
  /** Hashes of 32 bytes, base64, from the entry to the root */
  consistencyProof: string[]
}

export interface Consumption {
  /** Decision event id */
  eventId: string
  /** `sha256:` and 64 hex digits */
  actionDigest: string
  /** One attempt to run the action: new for each attempt, and kept only in memory */
  executor: string
  /** ISO 8601, UTC, milliseconds */
  consumedAt: string
  /** Whether this executor had consumed the decision before */
  replayed: boolean
  /** `sha256:` and 64 hex digits */
  chainHash: string
  receipt: Receipt | null
}

/** Country, ISO 3166-1 alpha-2 */
export type CountryCode = string

export interface CountsByLevel {
  DRAFT: number
  DOCUMENTED: number
  AUDIT_READY: number
}

export interface CountsByVertical {
  rehabilitation: number
  welfare: number
  education: number
  pharmacy: number
  commerce: number
  mentoring: number
  interior: number
}

export interface CreatedApiKey {
  /** API key id */
  id: string
  name: string
  /** First characters of the key, to recognize it by */
  prefix: string
  scopes: ApiKeyScope[]
  actor: ApiKeyActor | null
  /** A key with an actor that was made before such keys lost webhooks: it still reaches them. Replace it */
  keepsWebhooks: boolean
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string | null
  /** ISO 8601, UTC, milliseconds */
  lastUsedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** The key itself, shown only in this reply */
  key: string
}

export interface CreatedPartnerCenter {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is the sandbox of another one: it holds test data only */
  sandbox: boolean
  vertical: Vertical
  memberCount: number
  settings: CenterSettings
  adminMembership: Member
}

export interface Credentials {
  email?: string
  /** E.164 */
  phone?: string
  password: string
  /** Center domain slug */
  centerDomain?: string
}

export interface CurrentActor {
  /** Actor id */
  actorId: string
  email: string
  name: string
  role: ActorRole
  /** Center id */
  centerId: number | null
  /** Center domain slug */
  centerDomain: string | null
  authorizedDomains: string[]
  memberships: Membership[]
}

export interface Decision {
  /** Event id */
  id: string
  /** The `idempotencyKey` of the request, or a new `dec_` id */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  tags: string[]
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  action: EventAction
  aiContext?: AiContext
  riskScore: number | null
  reason: string | null
  /** `sha256:` and the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent; absent members are left out */
  actionDigest: string
  /** The salt of `actionDigest`, in base64url; null after a redaction of a digested value */
  actionSalt: string | null
  /** ISO 8601, UTC, milliseconds */
  occurredAt: string
  /** The `traceparent` header of the request that recorded it. It helps to find logs and is not sealed */
  traceparent?: string
  evidence: EvidenceState
  /** API key that recorded it */
  recordedBy: string | null
  /** The decision that this one replaces */
  replaces: string | null
  waiting: DecisionWaiting | null
  /** In the order in which they were given */
  approvals: GivenApproval[]
  /** Digest of these approvals; your own approval names it */
  prior: string
  /** Sealed: the last time at which the decision can be consumed; null where no policy asked */
  usableUntil: string | null
  /** Questions and answers, the oldest first */
  comments: DecisionComment[]
  execution: DecisionExecution | null
  /** The name of the API key that recorded it; null where a key reads */
  recordedByName: string | null
  actionType: ActionTemplate | null
}

export interface DecisionComment {
  /** Comment id */
  id: string
  author: CommentAuthor
  text: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

/** With every filter of the request except `status` and `waiting` */
export interface DecisionCounts {
  byStatus: DecisionsByStatus
  /** Those that wait for an approval */
  waiting: number
}

export interface DecisionDpu {
  /** DPU id */
  id: string
  status: EvidenceStatus
  /** `sha256:` and 64 hex digits */
  chainHash: string | null
}

export interface DecisionEvent {
  /** Event id */
  id: string
  /** The `idempotencyKey` of the request, or a new `dec_` id */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  tags: string[]
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  action: EventAction
  aiContext?: AiContext
  /** Risk by the estimate of the caller. Without one, every `riskThreshold` counts as exceeded */
  riskScore?: number
  reason?: string
  /** `sha256:` and the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent; absent members are left out */
  actionDigest: string
  /** The salt of `actionDigest`, in base64url; null after a redaction of a digested value */
  actionSalt: string | null
  /** ISO 8601, UTC, milliseconds */
  occurredAt: string
  /** The `traceparent` header of the request that recorded it. It helps to find logs and is not sealed */
  traceparent?: string
  evidence: EvidenceState
}

/** `recorded` until an approval or a rejection seals the decision */
export type DecisionEventStatus = 'recorded' | 'sealed' | 'approved' | 'rejected'

export interface DecisionEventSummary {
  /** Event id */
  id: string
  /** The `idempotencyKey` of the request, or a new `dec_` id */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  tags: string[]
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  action: ActionSummary
  /** Where a member reads: whether you have opened it, with its present `actionDigest` */
  opened?: boolean
}

/** Kind of decision */
export type DecisionEventType = 'agent_execution' | 'workflow_step' | 'human_approval' | 'ai_recommendation' | 'automated_action' | 'policy_decision' | 'escalation' | 'custom'

/** Who acts on the decision, and the outcome that was reported last, which proves no execution; null until it is consumed */
export interface DecisionExecution {
  /** One attempt to run the action: new for each attempt, and kept only in memory */
  executor: string
  /** ISO 8601, UTC, milliseconds */
  consumedAt: string
  outcome: ExecutionReport | null
}

/** `completed`: the decision is sealed. `approval_required`: a person has to approve it first. `refused`: a person refused it, it expired or another decision replaced it, and that is sealed. `pending`: it could not be sealed yet, and the same Idempotency-Key tries again */
export type DecisionOutcome = 'completed' | 'approval_required' | 'refused' | 'pending'

/** A portable proof that can be verified without this server */
export interface DecisionProof {
  '@context': string
  '@type': 'DecisionProof'
  version: '2.0'
  /** ISO 8601, UTC, milliseconds */
  exportedAt: string
  evidence: JsonObject
  verification: JsonObject
}

export interface DecisionTrace {
  /** Decision event id */
  eventId: string
  decisionId: string
  status: DecisionEventStatus
  /** ISO 8601, UTC, milliseconds */
  recordedAt: string
  /** API key that recorded it */
  recordedBy: string | null
  /** What was done about it, in order, at most 100 */
  requests: TracedRequest[]
  /** Its entry and later ones about it, in order */
  entries: TracedEntry[]
  /** At most 100; URLs only for an ADMIN */
  deliveries: TracedDelivery[]
}

/** What an open decision waits for; the seal judges anew, and it alone decides */
export interface DecisionWaiting {
  /** ISO 8601, UTC, milliseconds */
  since: string
  /** The guards that ask for an approval */
  reasons: ApprovingGuard[]
  /** The policies that ask for it, as they were last judged */
  policies: AppliedPolicy[]
  /** The same policies in short; one that has changed since is absent until the decision is judged again */
  rules: WaitingRule[]
  /** From then on the decision counts as refused; null if it never expires */
  expiresAt: string | null
  /** A page for members who may approve; it contains no credential */
  approvalUrl: string
}

export interface DecisionsByStatus {
  recorded: number
  approved: number
  sealed: number
  rejected: number
}

export interface Delivery {
  /** Id of the event, the same for every endpoint and every attempt */
  eventId: string
  eventType: string
  /** When the last attempt ended */
  deliveredAt: string
  status: DeliveryStatus
  /** Null when the endpoint sent no HTTP response, and always for brokers */
  responseStatus: number | null
  attempts: number
  /** Null when no attempt is scheduled */
  nextRetryAt: string | null
}

export interface DeliveryAttempt {
  attempt: number
  /** ISO 8601, UTC, milliseconds */
  at: string
  /** Duration in milliseconds */
  ms: number
  status: DeliveryStatus
  responseStatus: number | null
  /** The first 1,024 bytes; of JetStream the acknowledgment */
  responseBody: string
  /** Why there was no response, or that it was not 2xx */
  error: string | null
  /** The error for people */
  message: string | null
}

export interface DeliveryDetails {
  /** Id of the event, the same for every endpoint and every attempt */
  eventId: string
  eventType: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  state: DeliveryState
  attempts: number
  /** ISO 8601, UTC, milliseconds */
  attemptedAt: string | null
  responseStatus: number | null
  /** ISO 8601, UTC, milliseconds */
  nextRetryAt: string | null
  history: DeliveryAttempt[]
  /** Pauses before each attempt of a schedule */
  scheduleSeconds: number[]
  /** What the last attempt sent, or the next one would send, byte by byte; null after its retention */
  body: string | null
}

/** `pending`: an attempt is scheduled; `held`: the webhook is inactive; `failed`: no further attempt is scheduled */
export type DeliveryState = 'success' | 'failed' | 'pending' | 'held'

/** Result of the last attempt */
export type DeliveryStatus = 'success' | 'failed'

export interface Deputy {
  /** Actor id */
  actorId: string
  name: string
  /** ISO 8601, UTC, milliseconds */
  from: string
  /** ISO 8601, UTC, milliseconds */
  until: string
}

/** Page to show after signing in */
export type Destination = 'admin_dashboard' | 'workspace' | 'tenant_picker' | 'waiting' | 'onboarding' | 'partner_dashboard'

/** `http`: posted to a URL; `nats`: published to a stream of JetStream; `rabbitmq`: published to an exchange */
export type DestinationType = 'http' | 'nats' | 'rabbitmq'

export interface Domain {
  /** Domain id */
  id: string
  purpose: DomainPurpose
  /** A DNS name, without a dot at the end */
  domain: string
  status: DomainStatus
  record: DomainRecord
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  provenAt: string | null
  /** ISO 8601, UTC, milliseconds */
  checkedAt: string | null
  lastCheck: DomainCheck | null
}

/** Of this request: what the name servers said. Null where this request asked none */
export type DomainCheck = 'present' | 'absent' | 'error'

/** `email`: sign-in providers of the same owner may vouch for its addresses. `site`: the custom domain of a center */
export type DomainPurpose = 'email' | 'site'

export interface DomainRecord {
  type: 'TXT'
  /** Name of the record */
  name: string
  /** Value of the record; it must stay there */
  value: string
}

/** A domain counts while it is proven */
export type DomainStatus = 'pending' | 'proven'

export interface DomainVerdicts {
  dpu: ChainVerdict
  proof: ChainVerdict
  history: ChainVerdict
}

export interface Dpu {
  /** DPU id */
  id: string
  /** What was decided; empty after it was redacted */
  content: string
  evidenceLevel: EvidenceLevel
  /** SHA-256, 64 hex digits */
  chainHash: string
  metadata: JsonObject
  status: EvidenceStatus
  /** Center id */
  centerId: number
  domain: ChainDomain
  chainIndex: number
  /** SHA-256, 64 hex digits */
  previousHash: string | null
  referenceType: DpuReferenceType | null
  referenceId: string | null
  tags: string[]
  vertical: Vertical
  createdBy: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  timestamp: string
  /** Paths of committed values that were redacted; absent when there are none */
  redacted?: string[]
}

export interface DpuCounts {
  total: number
  byEvidenceLevel: CountsByLevel
  byVertical: CountsByVertical
}

/** Null after a redaction */
export interface DpuCreator {
  id: string
  name: string | null
}

export interface DpuListCounts {
  byEvidenceLevel: DpusByLevel
}

/** Kind of object that the record is about */
export type DpuReferenceType = 'lms-attendance' | 'lms-event' | 'demo' | 'workflow_execution'

export interface DpuState {
  /** DPU id */
  id: string
  status: EvidenceStatus
  evidenceLevel: EvidenceLevel
  /** `sha256:` and 64 hex digits */
  chainHash: string | null
  chainIndex: number | null
  domain: ChainDomain
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
}

export interface DpuStats {
  total: number
  byEvidenceLevel: CountsByLevel
  byVertical: CountsByVertical
  center: DpuCounts
}

export interface DpuSummary {
  /** DPU id */
  id: string
  /** What was decided, the first 300 characters; empty after it was redacted */
  content: string
  evidenceLevel: EvidenceLevel
  status: EvidenceStatus
  domain: ChainDomain
  chainIndex: number
  referenceType: DpuReferenceType | null
  referenceId: string | null
  workflowId: string | null
  tags: string[]
  createdBy: DpuCreator | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
}

export interface DpuUpdate {
  evidenceLevel?: EvidenceLevel
  metadata?: JsonObject
  assertion?: PasskeyAssertion
}

export interface DpuVerdict {
  valid: boolean
  chainLength: number
  /** Empty while the chain has no entry */
  genesisHash: string
  /** Lowest index at which the check failed */
  brokenAt: number | null
  /** What failed there, for people */
  reason: string | null
  /** Paths of committed values that were redacted; absent when there are none */
  redacted?: string[]
}

export interface DpusByLevel {
  DRAFT: number
  DOCUMENTED: number
  AUDIT_READY: number
}

export interface DryRun {
  /** Decisions that were judged, the newest */
  decisions: number
  /** Those that the policy matches */
  matched: number
  before: OutcomeCounts
  after: OutcomeCounts
  /** The newest 100 whose outcome differs */
  changed: ChangedOutcome[]
}

export interface DryRunPolicy {
  name: string
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  approval?: PolicyApproval
  /** True by default; an inactive policy matches nothing */
  active?: boolean
}

export interface Eligibility {
  /** Membership id */
  membershipId: string
  /** Actor id */
  actorId: string
  role: ActorRole
  /** From when approvals in this role count */
  countsFrom: string
  /** Actor id of whoever confirmed it, or `operator` */
  confirmedBy: string | null
}

export interface EnterableCenter {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is the sandbox of another one: it holds test data only */
  sandbox: boolean
  role: ActorRole
}

/** What the operator calls this installation */
export type EnvironmentName = 'production' | 'staging' | 'sandbox' | 'development'

export interface EventAction {
  type: string
  description?: string
  input?: JsonObject
  output?: JsonObject
}

export interface EventActor {
  id: string
  type: EventActorType
  name?: string
}

/** Who or what decided */
export type EventActorType = 'human' | 'ai_agent' | 'system' | 'service'

export interface EventTypeDescription {
  type: string
  description: string
  schema: JsonSchema
  example: JsonObject
}

export interface Evidence {
  /** Evidence id */
  id: string
  decisionId: string
  status: EvidenceStatus
  evidenceLevel: EvidenceLevel
  /** `sha256:` and the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent; absent members are left out */
  actionDigest: string
  /** The salt of `actionDigest`, in base64url; null after a redaction of a digested value */
  actionSalt: string | null
  event: SealedEvent
  approval: SealedApproval | null
  /** Earlier approvals, the oldest first; `void` says why one did not count */
  priorApprovals?: JsonObject[]
  control?: JsonObject
  policies?: AppliedPolicy[]
  chain: ChainPosition
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** Paths of committed values that were redacted; absent when there are none */
  redacted?: string[]
  receipt: Receipt | null
}

/** How far a record has been reviewed; the level only rises */
export type EvidenceLevel = 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY'

export interface EvidenceState {
  /** Evidence id; public verification takes it too */
  id: string
  status: EvidenceStatus
  /** `sha256:` and 64 hex digits; null until the decision is sealed */
  chainHash: string | null
  /** Index in the hash chain; null until the decision is sealed */
  chainIndex: number | null
}

/** `pending` until the record is in the hash chain, then `sealed` */
export type EvidenceStatus = 'pending' | 'sealed'

export interface Execution {
  /** Execution id */
  executionId: string
  status: ExecutionStatus
  /** ISO 8601, UTC, milliseconds */
  startedAt: string
  /** ISO 8601, UTC, milliseconds */
  completedAt: string | null
  /** Decision proof unit of the execution */
  dpuId: string | null
  evidenceLevel: EvidenceLevel | null
  /** Workflow id, the same in every center */
  workflowId: string
  trigger: ExecutionTrigger
  /** For people: why it failed and what to do */
  failure: string | null
}

export interface ExecutionDetails {
  /** Execution id */
  executionId: string
  status: ExecutionStatus
  /** ISO 8601, UTC, milliseconds */
  startedAt: string
  /** ISO 8601, UTC, milliseconds */
  completedAt: string | null
  /** Decision proof unit of the execution */
  dpuId: string | null
  evidenceLevel: EvidenceLevel | null
  /** Workflow id, the same in every center */
  workflowId: string
  trigger: ExecutionTrigger
  /** For people: why it failed and what to do */
  failure: string | null
  workflowName: string
  /** ISO 8601, UTC, milliseconds */
  scheduledFor: string | null
  parameters: JsonObject
  steps: ExecutionStep[]
}

/** `unknown`: nobody can tell whether the action ran, for example after a crash */
export type ExecutionOutcome = 'succeeded' | 'failed' | 'unknown'

/** The output that was reported. Only for the key that reported it and for members; absent after a redaction */
export type ExecutionOutput = Record<string, unknown>

export interface ExecutionReport {
  status: ExecutionOutcome
  /** ISO 8601, UTC, milliseconds */
  reportedAt: string
  output?: ExecutionOutput
}

/** State of an execution; all but RUNNING are final */
export type ExecutionStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED'

export interface ExecutionStep {
  name: string
  status: StepStatus
  attempts: number
  /** ISO 8601, UTC, milliseconds */
  startedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  completedAt: string | null
  /** Error of the last failed attempt */
  error: string | null
}

/** What started the execution */
export type ExecutionTrigger = 'manual' | 'schedule' | 'event'

export interface Family {
  children: FamilyChild[]
  /** Without the name of the child, until they are accepted */
  invitations: GuardianInvitation[]
}

export interface FamilyAppointment {
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  /** Booking id */
  id: string
  /** Actor id */
  childId: string
  childName: string
  /** Actor id */
  instructorId: string
  /** Null for a person who is no member any more */
  instructorName: string | null
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** ISO 8601, UTC, milliseconds */
  endsAt: string
  status: BookingStatus
  reason: string | null
}

export interface FamilyAppointments {
  appointments: FamilyAppointment[]
  /** There are more in the span than were read; ask for a shorter one */
  more: boolean
  /** Centers whose rows could not be read at present */
  unavailable: UnavailableCenter[]
}

export interface FamilyAttendance {
  attendance: AttendanceOfChild[]
  /** Of each child, of what was read */
  counts: AttendanceCounts[]
  /** There are more in the span than were read; ask for a shorter one */
  more: boolean
  /** Centers whose rows could not be read at present */
  unavailable: UnavailableCenter[]
}

export interface FamilyChild {
  /** Actor id */
  actorId: string
  name: string
  centers: ChildsCenter[]
}

export type Features = Record<string, boolean>

export type FeaturesPatch = Record<string, boolean | null>

/** With `centerSubscription`: the subscription as it stands now */
export interface FollowedSubscription {
  status: SubscriptionStatus
}

export interface FoundCenter {
  name: string
  /** Center domain slug */
  centerDomain: string
  vertical: Vertical
  tenantType: TenantType
  description: string
  logo: string
}

export interface GivenApproval {
  /** Approval id */
  approvalId: string
  approver: GivenApprover
  result: ApprovalResult
  reason?: string
  identity: ApprovalIdentity
  channel?: ApprovalChannel
  /** ISO 8601, UTC, milliseconds */
  openedAt?: string
  /** ISO 8601, UTC, milliseconds */
  decidedAt?: string
  /** The member whose deputy approved */
  onBehalfOf?: string
  /** ISO 8601, UTC, milliseconds */
  takenBackAt?: string
  /** Why it did not count when the decision was sealed */
  void?: string
  /** Their name now, where members read it */
  onBehalfOfName?: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

export interface GivenApprover {
  id?: string
  type?: ApproverType
  name?: string
}

export interface GivenMemberApproval {
  /** Approval id */
  approvalId: string
  decisionId: string
  approver: Approver
  result: ApprovalResult
  reason?: string
  evidenceLevel: EvidenceLevel
  /** `sha256:` and 64 hex digits */
  sealedHash: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  receipt: Receipt | null
}

export interface GuardianInvitation {
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  /** Guardianship id */
  id: string
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string | null
}

export interface Guardianship {
  /** Guardianship id */
  id: string
  /** Actor id */
  childId: string
  /** Actor id; null until the person accepts an invitation by mail */
  parentId: string | null
  /** Until the person accepts: as in the invitation */
  name: string
  /** Empty for a person without an address */
  email: string
  status: GuardianshipStatus
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  acceptedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  endedAt: string | null
}

/** State of a guardianship */
export type GuardianshipStatus = 'INVITED' | 'ACTIVE' | 'ENDED'

export interface Handoff {
  url: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface HandoffCode {
  url: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface HandoffCodeRequest {
  handoff: string
}

export interface HandoffRedemption {
  token: string
}

export interface Health {
  status: 'ok'
}

export interface HistoryPosition {
  index: number
  /** SHA-256, 64 hex digits */
  hash: string
}

export interface Home {
  name: 'Countersign'
  summary: string
  links: HomeLinks
}

/** Paths on this server */
export interface HomeLinks {
  docs: '/docs'
  verify: '/verify'
  openapi: '/openapi.json'
  health: '/health/ready'
}

/** Who vouches for the approver: an API key that names a person, a signed-in member, their passkey, or this service */
export type IdentityLevel = 'claim' | 'session' | 'passkey' | 'system'

export interface InboxAction {
  type: string
  /** The first 500 characters */
  description: string | null
}

export interface InboxCounts {
  waiting: number
  expiringWithinHour: number
  /** Those that you have not opened */
  unopened: number
  /** Those without a risk score */
  withoutRisk: number
}

/** Made of the type and the values of the action, never of its description */
export interface InboxHeadline {
  ko: string
  en: string
}

export interface InboxItem {
  /** Decision event id */
  eventId: string
  decisionId: string
  type: DecisionEventType
  actor: ShownEventActor
  action: InboxAction
  headline: InboxHeadline
  tags: string[]
  riskScore: number | null
  /** ISO 8601, UTC, milliseconds */
  since: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string | null
  reasons: ApprovingGuard[]
  /** Approvals that were given; one more is owed */
  approvals: number
  comments: number
  /** When you opened it for the first time */
  openedAt: string | null
  /** Whether you have opened it with its present content */
  opened: boolean
  /** Other members who have opened it */
  openedByOthers: number
}

/** The highest risk first, or the next to expire first */
export type InboxOrder = 'risk' | 'expiry'

export interface InclusionProof {
  /** Name of the log: host, center and domain of the chain */
  log: string
  index: number
  /** Size of the tree that the proof leads to */
  size: number
  /** Hashes of 32 bytes, base64, from the entry to the root */
  inclusionProof: string[]
  /** A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses */
  checkpoint: string
  /** The same proof as one text (c2sp.org/tlog-proof) */
  tlogProof: string
}

export interface InheritedBranding {
  /** An `https` URL of the logo, the logo itself as a `data:` URL of an image, or empty */
  logo?: string
  description?: string
  primaryColor?: string
}

export interface Instructor {
  /** Actor id */
  id: string
  name: string
  role: ActorRole
  specialties: string[]
}

export interface InstructorHours {
  /** Actor id */
  id: string
  hours: WeekHours | null
  specialties: string[]
}

export interface InstructorHoursUpdate {
  hours: WeekHours | null
  specialties?: string[]
}

export interface Integrity {
  chains: ChainOverview[]
  /** The newest 50 */
  alarms: ChainAlarm[]
}

export interface InvitationAcceptance {
  token: string
  /** At least ten characters that are not blanks, not one of the most used passwords, not the email address and not the name of the center */
  password: string
}

export interface JobOverview {
  name: string
  /** Cron, in UTC */
  schedule: string
  running: boolean
  /** ISO 8601, UTC, milliseconds */
  lastSuccessAt: string | null
  /** ISO 8601, UTC, milliseconds */
  lastFailureAt: string | null
  /** The kind of the last failure. Its message is in the log of the worker */
  lastError: string | null
  /** Runs that failed, of the last seven days */
  failures: number
  /** ISO 8601, UTC, milliseconds */
  nextAt: string
  /** Whether no run is in progress, and none succeeded since a time that was due five minutes ago or earlier */
  late: boolean
}

/** JSON-LD context */
export type JsonLdContext = Record<string, unknown>

/** Any JSON object */
export type JsonObject = Record<string, unknown>

/** A JSON schema */
export type JsonSchema = Record<string, unknown>

export interface Jwk {
  kty: string
  crv: string
  x: string
  y: string
  kid: string
  alg: string
  use: string
}

export interface Jwks {
  keys: Jwk[]
}

export interface LabeledPerson {
  label: string
  name: string
}

export interface ListedBooking {
  /** Booking id */
  id: string
  /** Actor id */
  instructorId: string
  /** Actor id */
  bookedFor: string
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** ISO 8601, UTC, milliseconds */
  endsAt: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  status: BookingStatus
  /** Why it was canceled, if somebody said so */
  reason: string | null
  /** Null for a person who is no member any more */
  instructorName: string | null
  /** Null for a person who is no member any more */
  clientName: string | null
  /** Actor id */
  bookedBy: string
}

export interface ListedMember {
  /** Membership id */
  id: string
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  role: ActorRole
  status: MembershipStatus
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string
  /** ISO 8601, UTC, milliseconds */
  endedAt: string | null
  /** Actor id; null until the person accepts an invitation by mail */
  actorId: string | null
  /** Until the person accepts: as in the invitation, or the part of the address before @ */
  name: string
  /** Empty for a person without an address */
  email: string
  /** When the link in the mail stops working; null unless INVITED */
  invitationExpiresAt: string | null
}

export interface ListedWebhook {
  /** Webhook id */
  id: string
  type: DestinationType
  /** Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them */
  url: string
  /** Of `nats`: the subject, without wildcards. A stream must store it */
  subject?: string
  /** Of `rabbitmq`: an exchange that exists; empty for the default exchange */
  exchange?: string
  /** Of `rabbitmq`: the routing key; with the default exchange the name of a queue */
  routingKey?: string
  /** Event types, `*` for all, or a prefix such as `payment.*` */
  events: string[]
  description: string
  /** While false, the server holds events and sends nothing */
  active: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  lastDeliveryAt: string | null
  lastDeliveryStatus: DeliveryStatus | null
  /** Why the server disabled the webhook; null if it did not */
  disabledReason: string | null
  recent: RecentDeliveries
  secrets: SecretAge[]
  recovery: Recovery | null
}

export interface LogDocument {
  logHost: string
  /** Name of a log, with `{centerId}` and `{domain}` to fill in */
  originTemplate: string
  /** Name of a log of a sandbox, which holds test data */
  sandboxOriginTemplate: string
  domains: ChainDomain[]
  /** Newest first; one key signs for all logs of this host, each under its own name */
  keys: LogKey[]
  witnesses: Witness[]
  quorum: string
  /** The same as a policy file for a verifier (c2sp.org/tlog-policy) */
  policy: string
}

export interface LogGeneration {
  generation: number
  /** Name of the log: host, center and domain of the chain */
  log: string
  predecessor: ClosedLog
  declaration: LogSuccession
}

export interface LogGenerations {
  /** Name of the log: host, center and domain of the chain */
  log: string
  generations: LogGeneration[]
}

export interface LogKey {
  /** Verifier key as in c2sp.org/signed-note */
  vkey: string
  /** ISO 8601, UTC, milliseconds */
  from: string
  /** ISO 8601, UTC, milliseconds */
  until: string | null
  /** When the key was reported stolen. What it signed afterwards proves nothing, and `policy` no longer trusts it */
  stolenAt: string | null
  /** Signature of the previous key over `endorsedText`, base64; null for the first key */
  endorsement: string | null
  endorsedText: string
}

/** The statement of what was restored and what is lost, and the proof that the log has it. Keep it with receipts of lost entries: `countersign verify --declaration` reads it. */
export type LogSuccession = Record<string, unknown>

export interface Member {
  /** Membership id */
  id: string
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  role: ActorRole
  status: MembershipStatus
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string
  /** ISO 8601, UTC, milliseconds */
  endedAt: string | null
  /** Actor id; null until the person accepts an invitation by mail */
  actorId: string | null
  /** Until the person accepts: as in the invitation, or the part of the address before @ */
  name: string
  /** Empty for a person without an address */
  email: string
}

export interface MemberApproval {
  result: ApprovalResult
  reason?: string
  /** The digest that you were shown */
  actionDigest?: string
  /** The policies that you were shown, from `waiting.policies`; empty if there were none */
  policies?: ShownPolicy[]
  /** `prior` of the decision that you were shown */
  prior?: string
  shown?: ShownDecision
  /** Where you decided, as your program states it; sealed */
  channel?: 'page' | 'console'
  assertion?: PasskeyAssertion
}

export interface MemberCounts {
  byRole: MembersByRole
  byStatus: MembersByStatus
  /** The last one cannot be suspended, ended or given another role */
  activeAdmins: number
  seats: MemberSeats | null
}

export interface MemberPasskey {
  /** Passkey id */
  id: string
  /** Actor id */
  actorId: string
  /** Thumbprint of the public key (RFC 7638) */
  thumbprint: string
  confirmed: PasskeyConfirmedBy
  /** Whether it counts for approvals that need a passkey */
  counts: boolean
  removed: boolean
  /** It may be kept in an account and be on several devices */
  backupEligible: boolean
  /** When this center sealed it */
  boundAt: string
}

/** Seats of the subscription */
export interface MemberSeats {
  used: number
  limit: number
}

/** Memberships of each role, with the requested status */
export interface MembersByRole {
  ADMIN: number
  INSTRUCTOR: number
  PARENT: number
  CHILD: number
}

/** Memberships of each status, with the requested role */
export interface MembersByStatus {
  INVITED: number
  PENDING: number
  ACTIVE: number
  SUSPENDED: number
  REJECTED: number
  ENDED: number
}

export interface Membership {
  /** Membership id */
  id: string
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
  role: ActorRole
  status: MembershipStatus
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string
  /** ISO 8601, UTC, milliseconds */
  endedAt: string | null
}

/** The role that you confirm; if it has changed since, 409 */
export interface MembershipConfirmation {
  role?: ApproverRole
}

export interface MembershipPatch {
  role: ActorRole
}

/** State of a membership; only ACTIVE gives access */
export type MembershipStatus = 'INVITED' | 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'REJECTED' | 'ENDED'

export interface MovedGuardianship {
  /** Guardianship id */
  id: string
  /** Center id */
  centerId: number
  status: GuardianshipStatus
}

export interface NamedDpu {
  /** DPU id */
  id: string
  /** What was decided; empty after it was redacted */
  content: string
  evidenceLevel: EvidenceLevel
  /** SHA-256, 64 hex digits */
  chainHash: string
  metadata: JsonObject
  status: EvidenceStatus
  /** Center id */
  centerId: number
  domain: ChainDomain
  chainIndex: number
  /** SHA-256, 64 hex digits */
  previousHash: string | null
  referenceType: DpuReferenceType | null
  referenceId: string | null
  tags: string[]
  vertical: Vertical
  createdBy: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  timestamp: string
  /** Paths of committed values that were redacted; absent when there are none */
  redacted?: string[]
  /** The names of the people whom a draft of a workflow calls by the end of their id, as `…a1b2c3d4`; for an ADMIN, who sees the member list. The draft itself holds no names */
  people: LabeledPerson[]
}

export interface NamedPartner {
  /** Partner id */
  id: string
  name: string
}

export interface NewAccount {
  /** Actor id */
  actorId: string
  email: string
}

export interface NewActionType {
  name: ActionTypeName
  sentence?: ActionTypeSentence
  labels?: ActionTypeLabels
}

export interface NewAgentDecision {
  agent: Agent
  action: EventAction
  aiContext?: AiContext
  /** Risk by the estimate of the caller. Without one, every `riskThreshold` counts as exceeded */
  riskScore?: number
  reason?: string
  tags?: string[]
  /** A decision of the same actor that still waits, and that this one replaces; it is refused with the reason `replaced` */
  replaces?: string
}

export interface NewApiKey {
  name: string
  scopes: ApiKeyScope[]
  /** ISO 8601, UTC, milliseconds */
  expiresAt?: string
  actor?: ApiKeyActor
}

export interface NewApproval {
  approver: Approver
  result: ApprovalResult
  reason?: string
}

export interface NewApprovalChallenge {
  result: ApprovalResult
  reason?: string
  /** The digest that you were shown */
  actionDigest?: string
  /** The policies that you were shown, from `waiting.policies`; empty if there were none */
  policies?: ShownPolicy[]
  /** `prior` of the decision that you were shown */
  prior?: string
  shown?: ShownDecision
}

export interface NewBooking {
  /** Actor id */
  instructorId: string
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** Actor id */
  bookedFor?: string
}

export interface NewBrowserSession {
  email?: string
  /** E.164 */
  phone?: string
  password?: string
  /** Center domain slug */
  centerDomain?: string
  refreshToken?: string
}

export interface NewCenter {
  /** One line, not blank, without control characters, addresses and links */
  centerName: string
  subdomain: string
  planId: string
  orderId: string
  /** Actor id */
  adminActorId: string
  businessNumber?: string
  vertical?: Vertical
  tenantType?: NewTenantType
  country?: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region?: string
}

export interface NewCenterAdmin {
  email: string
  /** One line, not blank, without control characters, addresses and links */
  name?: string
}

export interface NewChild {
  /** One line, not blank, without control characters, addresses and links */
  name?: string
  /** Actor id */
  childId?: string
}

export interface NewConsumption {
  /** `sha256:` and 64 hex digits */
  actionDigest: string
  /** One attempt to run the action: new for each attempt, and kept only in memory */
  executor: string
}

export interface NewDecisionComment {
  text: string
}

export interface NewDecisionEvent {
  type: DecisionEventType
  actor: EventActor
  action: EventAction
  aiContext?: AiContext
  /** Risk by the estimate of the caller. Without one, every `riskThreshold` counts as exceeded */
  riskScore?: number
  reason?: string
  tags?: string[]
  /** A decision of the same actor that still waits, and that this one replaces; it is refused with the reason `replaced` */
  replaces?: string
  /** Default: the time of arrival; at most 24 hours in the future */
  occurredAt?: string
  /** Becomes the `decisionId`, unique in the center */
  idempotencyKey?: string
}

export interface NewDemoDpu {
  content?: string
  referenceType?: NewDpuReferenceType
  referenceId?: string
  tags?: string[]
}

export interface NewDeputy {
  /** Actor id */
  actorId: string
  /** ISO 8601, UTC, milliseconds */
  from: string
  /** ISO 8601, UTC, milliseconds */
  until: string
}

export interface NewDomain {
  purpose: DomainPurpose
  /** A DNS name, without a dot at the end */
  domain: string
}

/** Kind of object that the record is about */
export type NewDpuReferenceType = 'lms-attendance' | 'lms-event' | 'demo'

export interface NewEvent {
  /** Visible ASCII characters, because a header of the delivery carries it */
  id: string
  type: AppEventType
  data: JsonObject
}

export interface NewExecution {
  parameters?: JsonObject
}

export interface NewGuardian {
  email: string
  /** One line, not blank, without control characters, addresses and links */
  name?: string
}

export interface NewMember {
  email: string
  role: ActorRole
  /** One line, not blank, without control characters, addresses and links */
  name?: string
  approved?: boolean
}

export interface NewNotificationChannel {
  /** Whose incoming webhook it is */
  kind: 'slack' | 'teams' | 'mattermost'
  name: string
  url: string
}

export interface NewOutcome {
  /** One attempt to run the action: new for each attempt, and kept only in memory */
  executor: string
  status: ExecutionOutcome
  output?: JsonObject
}

export interface NewPartner {
  /** One line, not blank, without control characters, addresses and links */
  name: string
  kind: PartnerKind
}

export interface NewPartnerAdmin {
  email: string
  /** One line, not blank, without control characters, addresses and links */
  name: string
}

export interface NewPartnerCenter {
  /** One line, not blank, without control characters, addresses and links */
  name: string
  tenantType: NewTenantType
  vertical: Vertical
  adminEmail: string
  country?: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region?: string
}

export interface NewPartnerDomain {
  /** A DNS name, without a dot at the end */
  domain: string
}

export interface NewPartnerFirstCenter {
  /** One line, not blank, without control characters, addresses and links */
  name: string
  vertical: Vertical
  tenantType: NewTenantType
  subdomain?: string
  country?: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region?: string
}

export interface NewPartnerInvitation {
  email: string
  role: PartnerRole
}

export interface NewPasskey {
  assertion: PasskeyAssertion
  confirmation?: PasskeyAssertion
  /** For you, to tell your passkeys apart */
  name?: string
}

export interface NewPasskeyAttestation {
  attestation: PasskeyAttestation
}

export interface NewPasskeyConfirmation {
  assertion?: PasskeyAssertion
}

export interface NewPolicy {
  name: string
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  approval?: PolicyApproval
  /** True by default; an inactive policy matches nothing */
  active?: boolean
  scope?: PolicyScope
}

export interface NewPushSubscription {
  endpoint: string
  keys: PushKeys
}

export interface NewRaiseChallenge {
  evidenceLevel: EvidenceLevel
}

export interface NewRecovery {
  /** ISO 8601, UTC, milliseconds */
  since: string
}

export interface NewRedaction {
  /** As listed in `commitments` of an export */
  paths: string[]
  /** Shown in every later proof */
  reason: string
}

export interface NewSignInProvider {
  /** One line, not blank, without control characters, addresses and links */
  name: string
  /** Issuer identifier, exactly as in its discovery document */
  issuer: string
  clientId: string
  clientSecret: string
}

export interface NewSsoToken {
  targetApp: TargetApp
}

/** One of the two */
export interface NewStepUp {
  password?: string
  assertion?: PasskeyAssertion
}

/** Kind of tenant to create */
export type NewTenantType = 'CENTER' | 'WORKSPACE' | 'WHITE_LABEL'

export interface NewWebhook {
  type?: DestinationType
  /** Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them */
  url: string
  /** Of `nats`: the subject, without wildcards. A stream must store it */
  subject?: string
  /** Of `rabbitmq`: an exchange that exists; empty for the default exchange */
  exchange?: string
  /** Of `rabbitmq`: the routing key; with the default exchange the name of a queue */
  routingKey?: string
  /** Event types, `*` for all, or a prefix such as `payment.*` */
  events: string[]
  description?: string
  active?: boolean
}

export interface NewWorkflowSettings {
  enabled?: boolean
  /** Minute, hour, day of month, month, day of week; at most once an hour */
  schedule?: string
  parameters?: JsonObject
  /** Tags of its drafts, beside its own */
  tags?: string[]
}

export interface NotificationChannel {
  /** Notification channel id */
  id: string
  /** Whose incoming webhook it is */
  kind: 'slack' | 'teams' | 'mattermost'
  name: string
  /** Host of the URL; the URL itself is a secret and never shown */
  host: string
  active: boolean
  /** Why the server sends nothing any more */
  disabledReason: string | null
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  lastSentAt: string | null
  lastStatus: 'success' | 'failed' | null
  /** What the last attempt met; null after a success */
  lastMessage: string | null
}

export interface OidcAccount {
  /** Id of the link */
  id: string
  provider: OidcAccountProvider
  /** Of the address with which it was linked */
  emailDomain: string
  /** ISO 8601, UTC, milliseconds */
  linkedAt: string
}

export interface OidcAccountProvider {
  /** Provider id */
  id: string
  name: string
  issuer: string
}

export interface OidcLink {
  /** `ticket` of the answer before */
  ticket: string
}

export interface OidcLinkConfirmation {
  token: string
}

export interface OidcLinked {
  provider: string
  email: string
}

export interface OidcLogin {
  authorizationUrl: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface OidcMail {
  /** `ticket` of the answer before */
  ticket: string
}

export interface OidcReturn {
  /** Provider id */
  providerId: string
  /** The query of the redirect URI, unchanged */
  query: string
}

export interface OidcStart {
  /** Provider id */
  providerId: string
  /** Center domain slug */
  centerDomain: string
  /** The provider asks the person again, although they are signed in there, and states when it did */
  again?: boolean
}

export interface OidcUnlinked {
  ticket: string
  email: string
  provider: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface OnboardedPartner {
  partner: Partner
  center: Center
  admin: PartnerAdmin
}

/** An OpenAPI 3.1 document */
export type OpenApiDocument = Record<string, unknown>

export interface OpenInterval {
  from: string
  to: string
}

export interface OpenedAction {
  actionDigest?: string
}

export interface OpenedDecision {
  /** Decision event id */
  eventId: string
  /** When you opened it for the first time */
  openedAt: string
}

export interface Outcome {
  /** Decision event id */
  eventId: string
  status: ExecutionOutcome
  /** ISO 8601, UTC, milliseconds */
  reportedAt: string
  /** `sha256:` and 64 hex digits */
  chainHash: string
}

export interface OutcomeCounts {
  completed: number
  approval_required: number
  refused: number
}

export interface Oversight {
  /** ISO 8601, UTC, milliseconds */
  since: string
  /** Decisions that were read */
  decisions: number
  policies: PolicyOversight[]
}

export interface OwnSession {
  /** Session id */
  id: string
  /** ISO 8601, UTC, milliseconds */
  signedInAt: string
  /** When its refresh token was used last */
  lastUsedAt: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
  center: OwnSessionCenter | null
  /** Whether it began with OpenID Connect */
  provider: boolean
  device: SessionDevice
  /** Whether this request belongs to it */
  current: boolean
}

export interface OwnSessionCenter {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  domain: string
}

/** JSON schema of the `parameters` of an execution */
export type ParameterSchema = Record<string, unknown>

export interface Partner {
  /** Partner id */
  id: string
  name: string
  kind: PartnerKind
}

export interface PartnerAdmin {
  /** Actor id */
  actorId: string
  email: string
  name: string
  partnerRole: PartnerRole
  membership: Member
}

export interface PartnerCenterPatch {
  /** One line, not blank, without control characters, addresses and links */
  name?: string
  status?: PartnerCenterStatus
  country?: CountryCode
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region?: string | null
  branding?: InheritedBranding
}

/** State that a partner can set */
export type PartnerCenterStatus = 'ACTIVE' | 'SUSPENDED'

export interface PartnerDashboard {
  totalCenters: number
  /** ACTIVE memberships */
  totalMembers: number
  /** Members with a session started or refreshed today, UTC */
  activeToday: number
  revenue: Revenue
}

export interface PartnerInvitation {
  /** Invitation id */
  id: string
  email: string
  role: PartnerRole
  /** Actor id */
  invitedBy: string
  /** ISO 8601, UTC, milliseconds */
  invitedAt: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

/** Kind of partner */
export type PartnerKind = 'white_label' | 'franchise'

export interface PartnerOnboarding {
  partner: NewPartner
  center: NewPartnerFirstCenter
  admin: NewPartnerAdmin
}

export interface PartnerOverview {
  /** Partner id */
  id: string
  name: string
  kind: PartnerKind
  centers: number
  members: number
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
}

/** A PARTNER_OPERATOR reads and creates; a PARTNER_ADMIN also changes */
export type PartnerRole = 'PARTNER_ADMIN' | 'PARTNER_OPERATOR'

/** Settings of the partner: any JSON object of at most 64 KiB */
export type PartnerSettings = Record<string, unknown>

export interface Passkey {
  /** Passkey id */
  id: string
  /** For you, to tell your passkeys apart */
  name: string | null
  /** Thumbprint of the public key (RFC 7638) */
  thumbprint: string
  confirmation: PasskeyRegistered
  /** Kind of authenticator, as the authenticator states it */
  aaguid: string
  /** It may be kept in an account and be on several devices */
  backupEligible: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  lastUsedAt: string | null
}

/** The answer of `navigator.credentials.get` */
export interface PasskeyAssertion {
  /** Credential id */
  id: string
  /** As the authenticator returned it */
  authenticatorData: string
  /** As the browser returned it */
  clientDataJSON: string
  /** As the authenticator returned it */
  signature: string
  /** As the authenticator returned it */
  userHandle?: string | null
}

/** The answer of `navigator.credentials.create` */
export interface PasskeyAttestation {
  /** Credential id */
  id: string
  /** As the browser returned it */
  clientDataJSON: string
  /** As the authenticator returned it */
  attestationObject: string
  transports?: string[]
}

export interface PasskeyAttested {
  statement: PasskeyStatement
  publicKey: PasskeyRequestOptions
  confirmWith: PasskeyRequestOptions | null
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface PasskeyConfirmStatement {
  type: 'countersign-passkey-confirm-v1'
  /** The log `history` of the center */
  log: string
  /** Actor id */
  actorId: string
  /** Thumbprint of the public key (RFC 7638) */
  thumbprint: string
  /** Actor id */
  confirmerId: string
  rpId: string
  nonce: string
  /** ISO 8601, UTC, milliseconds */
  issuedAt: string
}

export interface PasskeyConfirmation {
  statement: PasskeyConfirmStatement
  publicKey: PasskeyRequestOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

/** How it was confirmed in this center. `mail` is not enough for an approval that needs a passkey */
export type PasskeyConfirmedBy = 'mail' | 'passkey' | 'admin' | 'partner' | 'operator'

/** PublicKeyCredentialCreationOptionsJSON: pass it to `PublicKeyCredential.parseCreationOptionsFromJSON` */
export interface PasskeyCreationOptions {
  challenge: string
  rp: PasskeyRp
  user: PasskeyUser
  pubKeyCredParams: PasskeyParameters[]
  timeout: number
  /** The passkeys that you have */
  excludeCredentials: PasskeyCredential[]
  authenticatorSelection: PasskeySelection
  attestation: 'none'
}

export interface PasskeyCredential {
  /** Credential id */
  id: string
  type: 'public-key'
  transports?: string[]
}

export interface PasskeyCredentials {
  assertion: PasskeyAssertion
  /** Center domain slug */
  centerDomain?: string
}

export interface PasskeyLogin {
  publicKey: PasskeyRequestOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface PasskeyParameters {
  type: 'public-key'
  alg: number
}

/** How it was confirmed when it was registered */
export type PasskeyRegistered = 'mail' | 'passkey'

export interface PasskeyRegistration {
  publicKey: PasskeyCreationOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

/** PublicKeyCredentialRequestOptionsJSON: pass it to `PublicKeyCredential.parseRequestOptionsFromJSON` */
export interface PasskeyRequestOptions {
  /** Where there is a statement: SHA-256 of its canonical form */
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
  /** Empty: any passkey of this host */
  allowCredentials: PasskeyCredential[]
}

export interface PasskeyRp {
  id: string
  name: string
}

export interface PasskeySelection {
  residentKey: 'required'
  requireResidentKey: true
  userVerification: 'required'
}

export interface PasskeyStatement {
  type: 'countersign-passkey-v1'
  /** Actor id */
  actorId: string
  /** Thumbprint of the public key (RFC 7638) */
  thumbprint: string
  rpId: string
  nonce: string
  /** ISO 8601, UTC, milliseconds */
  issuedAt: string
}

export interface PasskeyUser {
  id: string
  name: string
  displayName: string
}

export interface PasswordReset {
  token: string
  /** At least ten characters that are not blanks, not one of the most used passwords, not the email address and not the name of the center */
  password: string
}

export interface PasswordResetRequest {
  email?: string
  /** E.164 */
  phone?: string
}

export interface PendingDecision {
  /** The decision that the change waits for */
  eventId: string
  /** The page on which a member approves it */
  approvalUrl: string
}

/** The change would loosen what policies ask, so people decide about it; the policy is as it was */
export interface PendingPolicyChange {
  pending: PendingDecision
  policy: Policy | null
}

export interface Plan {
  id: string
  name: string
  /** Whole units of the currency per billing cycle */
  price: number
  currency: string
  billingCycle: BillingCycle
  seatLimit: number
  features: string[]
}

export interface PlanRevenue {
  planId: string
  planName: string
  subscriptions: number
  /** In whole units of the currency */
  monthlyRecurring: number
}

export interface PlatformOverview {
  centers: CenterCounts
  partners: number
  cells: CellOverview[]
}

export interface Policy {
  /** Policy id */
  id: string
  version: number
  /** `sha256:` and the SHA-256 of the policy in canonical form; seals name it */
  digest: string
  name: string
  description: string | null
  scope: PolicyScope
  country: CountryCode | null
  /** Region, ISO 3166-2: the code of the country, a hyphen and up to three letters or digits */
  region: string | null
  match: PolicyMatch
  guards: PolicyGuards
  approval: PolicyApproval | null
  active: boolean
  /** Whether the partner gave it to the center when the center was created */
  inherited: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string | null
}

/** Who may approve what this policy asks for: members with one of `roles`, members of `actorIds`, or, without both, every ADMIN and INSTRUCTOR. If several policies ask, an approver must be allowed by each, the highest `identity` counts, and the shortest `expiresAfterSeconds` and `usableForSeconds` */
export interface PolicyApproval {
  identity?: RequiredIdentity
  /** Members with any of these roles */
  roles?: ApproverRole[]
  /** These members */
  actorIds?: string[]
  /** A decision that waits longer is refused */
  expiresAfterSeconds?: number
  /** How long after the approval the decision can be consumed. A policy that asks and does not say it counts as 604,800 (seven days) */
  usableForSeconds?: number
  escalateTo?: PolicyEscalation
}

export interface PolicyCheck {
  outcome: CheckOutcome
  refusal: CheckedRefusal | null
  /** The policies that match */
  policies: CheckedPolicy[]
  approval: CheckedApproval | null
}

/** A value that is absent or has another type satisfies every operator except `exists`, so that leaving out a value does not evade a policy. For `/tags`, `eq` and `in` mean any tag, and spelling makes no difference, as in `actionTypes` */
export interface PolicyCondition {
  /** JSON Pointer (RFC 6901) to a value of the decision: under `/action/input`, `/tags`, `/aiContext/confidence` or `/riskScore` */
  pointer: string
  op: ConditionOperator
  /** A value for `eq`, a list for `in`, a number for `gt` and `lt`, a boolean for `exists` (default true) */
  value?: string | number | boolean | (string | number | boolean)[]
}

export interface PolicyDryRun {
  policyId?: string
  policy?: DryRunPolicy
  withdraw?: boolean
}

/** Further members who may approve after that time; `roles`, `actorIds` or both */
export interface PolicyEscalation {
  /** Members with any of these roles */
  roles?: ApproverRole[]
  /** These members */
  actorIds?: string[]
  /** How long the decision has waited */
  afterSeconds: number
}

/** If several policies match, the strictest value of each guard applies */
export interface PolicyGuards {
  /** Refuse a decision that no other policy matches */
  policyRequired?: boolean
  minimumEvidenceLevel?: EvidenceLevel
  /** A person other than the one who decided must approve */
  humanReview?: boolean
  /** A higher risk score, or none, requires the approval of a person */
  riskThreshold?: number
  /** Two different people must approve */
  dualApproval?: boolean
}

/** All given conditions must hold; an empty object matches every decision */
export interface PolicyMatch {
  /** Any of these event types */
  eventTypes?: DecisionEventType[]
  /** Any of these action types. `*` matches any characters, as in `loan.*`. Case, full width, blanks and invisible characters make no difference; an action type of more than 255 characters matches every pattern */
  actionTypes?: string[]
  /** Centers of any of these verticals */
  verticals?: Vertical[]
  /** Decisions of any of these actor types */
  actorTypes?: EventActorType[]
  /** All of these conditions on values of the decision; requires `actionTypes` or `eventTypes` */
  when?: PolicyCondition[]
}

export interface PolicyOversight {
  policyId: string
  /** Null for a policy that was withdrawn */
  name: string | null
  /** Decisions that people approved or refused, or that expired */
  decided: number
  approved: number
  /** Refused by a person */
  refused: number
  /** Refused by the service because nobody decided in time */
  expired: number
  /** Decided by somebody who had opened the decision before */
  opened: number
  /** Median in seconds; null without a case */
  medianSecondsToDecide: number | null
  /** Median time between opening and deciding; a few seconds mean that nobody reads */
  medianSecondsOpen: number | null
}

export interface PolicyPatch {
  name?: string
  description?: string
  match?: PolicyMatch
  guards?: PolicyGuards
  approval?: PolicyApproval | null
  /** True by default; an inactive policy matches nothing */
  active?: boolean
}

/** Which centers a policy applies to */
export type PolicyScope = 'global' | 'country' | 'region' | 'center'

export interface ProvisionedCenter {
  center: Center
  membership: Membership
  subscription: Subscription
  tenantMapping: TenantMapping
  settings: CenterSettings
}

export interface PublicCheckpoint {
  size: number
  /** Root of the tree, base64 */
  root: string
  /** The signed checkpoint, a C2SP signed note */
  note: string
}

/** What the server checked in its own records during this request */
export interface PublicChecks {
  /** Whether all checks below hold */
  valid: boolean
  /** The stored entry still has its hash */
  hash: boolean
  /** The entry refers to the hash of the entry before it */
  link: boolean
  /** The hashed text names this log, this index and this record */
  place: boolean
  /** The hash leads to the root that the checkpoint signs; null before the first checkpoint */
  tree: boolean | null
  /** No verification found this chain broken at or before this record */
  chain: boolean
  /** The result for people */
  message: string
}

/** Facts about the hash; the content of the record is not part of it */
export interface PublicVerification {
  /** The id in the path: of the decision event, the evidence or the DPU */
  eventId: string
  /** DPU id */
  dpuId: string
  status: 'sealed'
  /** Name of the log that contains the record */
  log: string
  /** Whether the log is that of a sandbox: test data, and no evidence */
  sandbox: boolean
  domain: ChainDomain
  chainIndex: number
  /** `sha256:` and 64 hex digits */
  chainHash: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string
  evidenceLevel: EvidenceLevel
  result: ApprovalResult | null
  verified: PublicChecks
  /** ISO 8601, UTC, milliseconds */
  verifiedAt: string
  anchoring: Anchoring | null
  checkpoint: PublicCheckpoint | null
  /** Hashes from the leaf to the root, base64 */
  inclusionProof: string[] | null
}

export interface PublishedEvent {
  /** Id of the event, the same for every endpoint and every attempt */
  id: string
  type: AppEventType
  /** Number of webhooks that receive it */
  deliveries: number
  subscription?: FollowedSubscription
}

export interface PushKeys {
  /** Public key of the browser */
  p256dh: string
  /** Authentication secret of the browser */
  auth: string
}

export interface PushState {
  /** `applicationServerKey` of the browser (VAPID); null where this server sends none */
  publicKey: string | null
  /** Whether this session has a subscription */
  subscribed: boolean
}

export interface RaiseChallenge {
  statement: RaiseStatement
  publicKey: PasskeyRequestOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

/** What the passkey signs. The export of the record contains it */
export interface RaiseStatement {
  type: 'countersign-raise-v1'
  /** The log `history` of the center */
  log: string
  /** DPU id */
  dpuId: string
  evidenceLevel: EvidenceLevel
  /** The hash of the newest entry about the record */
  previous: string
  /** Actor id */
  approverId: string
  policies: AppliedPolicy[]
  rpId: string
  nonce: string
  /** ISO 8601, UTC, milliseconds */
  issuedAt: string
}

/** Store it: it proves that the entry was sealed, even if the database of this server is lost or changed */
export interface Receipt {
  /** Name of the log: host, center and domain of the chain */
  log: string
  index: number
  /** Size of the tree that the proof leads to */
  size: number
  /** Hashes of 32 bytes, base64, from the entry to the root */
  inclusionProof: string[]
  /** A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses */
  checkpoint: string
}

/** Of the newest 1,000 deliveries */
export interface RecentDeliveries {
  succeeded: number
  failed: number
  pending: number
  held: number
}

export interface Recovery {
  /** Recovery id */
  id: string
  /** Webhook id */
  webhookId: string
  /** ISO 8601, UTC, milliseconds */
  since: string
  status: RecoveryStatus
  /** Deliveries to send again, counted at the start */
  total: number
  /** Deliveries scheduled so far */
  recovered: number
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  completedAt: string | null
}

/** State of the recovery */
export type RecoveryStatus = 'running' | 'completed'

export interface RedactedBy {
  id: string
  name: string
  role: string
}

export interface RedactedValue {
  path: string
}

export interface Redaction {
  /** DPU id */
  dpuId: string
  redacted: RedactedValue[]
  history: HistoryPosition
  /** ISO 8601, UTC, milliseconds */
  redactedAt: string
  by: RedactedBy
}

export interface RefreshRequest {
  refreshToken: string
}

export interface RegisteredWebhook {
  /** Webhook id */
  id: string
  type: DestinationType
  /** Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them */
  url: string
  /** Of `nats`: the subject, without wildcards. A stream must store it */
  subject?: string
  /** Of `rabbitmq`: an exchange that exists; empty for the default exchange */
  exchange?: string
  /** Of `rabbitmq`: the routing key; with the default exchange the name of a queue */
  routingKey?: string
  /** Event types, `*` for all, or a prefix such as `payment.*` */
  events: string[]
  description: string
  /** While false, the server holds events and sends nothing */
  active: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** `whsec_` and 32 random bytes in base64, shown only in this reply */
  signingSecret: string
}

/** How an approver must be known. `claim`: an API key with the scope `proof:approve`, other than the key that recorded the decision, names the person. `session`: a member who is signed in. `passkey`: the same with a signature of their passkey, which no operation offers yet. The default is `session`; a higher level satisfies a lower one */
export type RequiredIdentity = 'claim' | 'session' | 'passkey'

export interface Responsibility {
  who: ResponsibilityWho
  what: ResponsibilityWhat
  when: ResponsibilityWhen
  where: ResponsibilityWhere
  why: ResponsibilityWhy
  how: ResponsibilityHow
}

export interface ResponsibilityHow {
  method: string | null
  workflowId: string | null
  model: string | null
  confidence: number | null
  evidenceLevel: EvidenceLevel
  provider: string | null
  promptHash: string | null
}

export interface ResponsibilityWhat {
  summary: string | null
  action: string | null
  output: JsonObject | null
}

export interface ResponsibilityWhen {
  /** ISO 8601, UTC, milliseconds */
  decidedAt: string | null
  /** ISO 8601, UTC, milliseconds */
  sealedAt: string | null
}

export interface ResponsibilityWhere {
  /** Center id */
  centerId: number
  centerName: string
  vertical: Vertical
  domain: ChainDomain
}

export interface ResponsibilityWho {
  id: string | null
  name: string | null
  role: string | null
  type: string | null
}

export interface ResponsibilityWhy {
  reason: string | null
  policies: AppliedPolicy[]
}

export interface RetriedEvent {
  /** Id of the event, the same for every endpoint and every attempt */
  eventId: string
  deliveries: ScheduledDelivery[]
}

export interface Revenue {
  currency: string
  /** Of subscriptions that are ACTIVE or PAST_DUE, in whole units of the currency; a yearly price counts as a twelfth */
  monthlyRecurring: number
  byPlan: PlanRevenue[]
}

export interface RotatedSecret {
  /** Webhook id */
  id: string
  /** `whsec_` and 32 random bytes in base64, shown only in this reply */
  signingSecret: string
}

export interface Sandbox {
  /** Center id */
  sandboxOf: number
  center: Center
  membership: Membership
}

export interface Schedule {
  /** Minute, hour, day of month, month, day of week */
  cron: string
  /** Time zone of the center, unless the workflow has its own */
  timezone: string
  /** ISO 8601, UTC, milliseconds */
  nextRun: string | null
}

export interface ScheduledDelivery {
  /** Webhook id */
  webhookId: string
  status: 'scheduled'
}

export interface SealedActor {
  id?: string
  type?: EventActorType
  name?: string
}

export interface SealedApproval {
  approver: SealedApprover
  result: ApprovalResult
  reason?: string
  submittedBy?: string
  identity: ApproverIdentity
  /** `api`, `page` or `console` */
  channel?: string
  /** ISO 8601, UTC, milliseconds */
  openedAt?: string
  /** ISO 8601, UTC, milliseconds */
  decidedAt?: string
  /** The member whose deputy approved */
  onBehalfOf?: string
  /** ISO 8601, UTC, milliseconds */
  approvedAt: string
}

export interface SealedApprover {
  id?: string
  type?: ApproverType
  name?: string
}

export interface SealedEvent {
  type: DecisionEventType
  actor: SealedActor
  action: EventAction
  aiContext?: AiContext
  /** Risk by the estimate of the caller. Without one, every `riskThreshold` counts as exceeded */
  riskScore?: number
  reason?: string
  tags?: string[]
  /** The API key that recorded it */
  recordedBy?: string
  /** The decision event that this one replaces */
  replaces?: string
  /** ISO 8601, UTC, milliseconds */
  occurredAt: string
}

export interface SeatUsage {
  used: number
  limit: number
  free: number
}

/** A valid signing secret */
export interface SecretAge {
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string | null
}

export interface SecretRotation {
  /** How long previous secrets remain valid; 0 after a secret has leaked */
  expirePreviousAfterSeconds?: number
}

export interface SessionActor {
  /** Actor id */
  id: string
  email: string
  name: string
  role: ActorRole
}

export interface SessionCenter {
  /** Center id */
  id: number
  name: string
  /** Center domain slug */
  domain: string
}

export interface SessionDevice {
  /** The program of the sign-in, such as `Chrome` */
  browser: string | null
  /** The system of the sign-in, such as `macOS` */
  system: string | null
}

export interface ShownCheckpoint {
  size: number
  /** base64 */
  root: string
  /** The signed checkpoint with its cosignatures */
  note: string
  anchoring: Anchoring | null
}

/** What your page states to have shown. It is sealed; that a screen showed it is not proved */
export interface ShownDecision {
  /** The form of the page that showed the decision */
  view: string
  language: string
  template: ShownTemplate | null
}

export interface ShownEventActor {
  /** Empty after it was redacted */
  id: string
  type: EventActorType
  name?: string
}

export interface ShownPolicy {
  id: string
  version: number
}

export interface ShownTemplate {
  version: number
  /** Digest of the template that made the headline */
  digest: string
}

export interface SignInOption {
  /** Provider id */
  id: string
  name: string
  /** The page from which the sign-in begins */
  url: string
}

export interface SignInProvider {
  /** Provider id */
  id: string
  /** What people read on the button */
  name: string
  issuer: string
  clientId: string
  /** Register it with the provider, exactly */
  redirectUri: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  updatedAt: string
}

export interface SignInProviderChange {
  /** One line, not blank, without control characters, addresses and links */
  name?: string
  clientSecret?: string
}

export interface SignUp {
  email: string
  /** One line, not blank, without control characters, addresses and links */
  name: string
}

export interface SignUpConfirmation {
  token: string
  /** At least ten characters that are not blanks, not one of the most used passwords, not the email address and not the name of the center */
  password: string
}

export interface Slot {
  /** Actor id */
  instructorId: string
  instructorName: string
  /** ISO 8601, UTC, milliseconds */
  startsAt: string
  /** ISO 8601, UTC, milliseconds */
  endsAt: string
}

export interface SsoIdentity {
  /** Actor id */
  actorId: string
  email: string
  name: string
  role: ActorRole
  /** Center id */
  centerId: number
  /** Center domain slug */
  centerDomain: string
  targetApp: TargetApp
  memberships: Membership[]
}

export interface SsoToken {
  token: string
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface SsoVerification {
  token: string
  targetApp?: TargetApp
}

export interface StartedExecution {
  /** Execution id */
  executionId: string
  status: ExecutionStatus
  /** ISO 8601, UTC, milliseconds */
  startedAt: string
}

/** RETRYING: the last attempt failed, and another one is scheduled */
export type StepStatus = 'PENDING' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELED'

export interface StepUpChallenge {
  statement: StepUpStatement
  publicKey: PasskeyRequestOptions
  /** ISO 8601, UTC, milliseconds */
  expiresAt: string
}

export interface StepUpStatement {
  type: 'countersign-step-up-v1'
  /** Actor id */
  actorId: string
  /** Session id */
  sid: string
  rpId: string
  nonce: string
  /** ISO 8601, UTC, milliseconds */
  issuedAt: string
}

export interface SteppedUp {
  /** ISO 8601, UTC, milliseconds */
  steppedUpAt: string
}

export interface SubdomainAvailability {
  available: boolean
  reason: string | null
}

export interface SubdomainCheck {
  subdomain: string
}

export interface SubdomainCheckResult {
  success: true
  available: boolean
  data: SubdomainAvailability
}

export interface Subscription {
  planId: string
  planName: string
  status: SubscriptionStatus
  billingCycle: BillingCycle
  /** ISO 8601, UTC, milliseconds */
  currentPeriodEnd: string
  seatLimit: number
  /** ACTIVE memberships */
  seatUsed: number
  usage: SubscriptionUsage
  standing: SubscriptionStanding
}

export interface SubscriptionStanding {
  /** For people: the state of the subscription and what to do next */
  message: string
  /** What the subscription allows at present */
  works: string[]
  /** What it does not allow until it is in order again */
  stopped: string[]
}

/** State of a subscription */
export type SubscriptionStatus = 'ACTIVE' | 'TRIAL' | 'PAST_DUE' | 'CANCELED' | 'SUSPENDED'

export interface SubscriptionUsage {
  seats: SeatUsage
}

export interface TakenBackApproval {
  /** Approval id */
  approvalId: string
  /** ISO 8601, UTC, milliseconds */
  takenBackAt: string
}

/** Companion application that a single-use token is for */
export type TargetApp = 'lms' | 'cms' | 'erp'

export interface TenantMapping {
  /** Center id */
  centerId: number
  lmsTenantId: string
}

/** Kind of tenant */
export type TenantType = 'CENTER' | 'WORKSPACE' | 'PROGRAM' | 'WHITE_LABEL'

export interface TestEvent {
  /** Id of the event, the same for every endpoint and every attempt */
  eventId: string
  type: 'ping'
}

export interface TracedDelivery {
  eventId: string
  eventType: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** Webhook id */
  webhookId: string
  url: string
  /** `success`, `failed`, `pending` or `held` */
  state: string
  attempts: number
  /** ISO 8601, UTC, milliseconds */
  attemptedAt: string | null
  responseStatus: number | null
  /** ISO 8601, UTC, milliseconds */
  nextRetryAt: string | null
}

export interface TracedEntry {
  domain: ChainDomain
  index: number
  hash: string
  sealedAt: string
  /** Of an entry of `history`: what changed */
  type: string | null
}

export interface TracedRequest {
  /** ISO 8601, UTC, milliseconds */
  at: string
  /** Request id, or the name of a job */
  requestId: string
  /** Member, API key or job */
  actorId: string | null
  type: string
  action: string
}

export interface TrackedDeliveries {
  deliveries: TrackedDelivery[]
  /** Where the next page begins */
  next: string | null
}

export interface TrackedDelivery {
  /** Id of the event, the same for every endpoint and every attempt */
  eventId: string
  eventType: string
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  state: DeliveryState
  attempts: number
  /** ISO 8601, UTC, milliseconds */
  attemptedAt: string | null
  responseStatus: number | null
  /** ISO 8601, UTC, milliseconds */
  nextRetryAt: string | null
}

export interface UnavailableCenter {
  /** Center id */
  centerId: number
  centerName: string
  /** Center domain slug */
  centerDomain: string
}

export interface UnconfirmedPasskey {
  /** Passkey id */
  id: string
  /** Actor id */
  actorId: string
  /** Thumbprint of the public key (RFC 7638) */
  thumbprint: string
  confirmed: PasskeyConfirmedBy
  /** Whether it counts for approvals that need a passkey */
  counts: boolean
  removed: boolean
  /** It may be kept in an account and be on several devices */
  backupEligible: boolean
  /** When this center sealed it */
  boundAt: string
  name: string
  email: string
}

/** `chain` recomputes hashes and links; `records` also compares every record with what was sealed */
export type VerificationMode = 'chain' | 'records'

/** Line of work of a center */
export type Vertical = 'rehabilitation' | 'welfare' | 'education' | 'pharmacy' | 'commerce' | 'mentoring' | 'interior'

export interface WaitingMember {
  /** Membership id */
  membershipId: string
  /** Actor id */
  actorId: string
  role: ActorRole
  /** From when approvals in this role count */
  countsFrom: string
  /** Actor id of whoever confirmed it, or `operator` */
  confirmedBy: string | null
  /** Whether you may confirm it */
  mayConfirm: boolean
}

export interface WaitingRule {
  id: string
  version: number
  name: string
  description: string | null
  /** The guards of this policy that ask */
  guards: ApprovingGuard[]
  identity: RequiredIdentity
  /** Members with any of these roles may approve */
  roles: ApproverRole[] | null
  expiresAfterSeconds: number | null
  /** How long after the approval the decision can be consumed */
  usableForSeconds: number
  /** The values of the decision that the conditions of the policy read */
  pointers: string[]
  /** The conditions of the policy, for showing its limits */
  conditions: PolicyCondition[]
  /** The guard of the policy on `riskScore`; null without one */
  riskThreshold: number | null
}

export interface Webhook {
  /** Webhook id */
  id: string
  type: DestinationType
  /** Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them */
  url: string
  /** Of `nats`: the subject, without wildcards. A stream must store it */
  subject?: string
  /** Of `rabbitmq`: an exchange that exists; empty for the default exchange */
  exchange?: string
  /** Of `rabbitmq`: the routing key; with the default exchange the name of a queue */
  routingKey?: string
  /** Event types, `*` for all, or a prefix such as `payment.*` */
  events: string[]
  description: string
  /** While false, the server holds events and sends nothing */
  active: boolean
  /** ISO 8601, UTC, milliseconds */
  createdAt: string
  /** ISO 8601, UTC, milliseconds */
  lastDeliveryAt: string | null
  lastDeliveryStatus: DeliveryStatus | null
  /** Why the server disabled the webhook; null if it did not */
  disabledReason: string | null
}

export interface WebhookPatch {
  type?: DestinationType
  /** Where the server posts or publishes events: `https://`, `tls://` for NATS, or `amqps://` for RabbitMQ, and no address of a private network. User and password are for brokers only; no reply shows them */
  url?: string
  /** Of `nats`: the subject, without wildcards. A stream must store it */
  subject?: string
  /** Of `rabbitmq`: an exchange that exists; empty for the default exchange */
  exchange?: string
  /** Of `rabbitmq`: the routing key; with the default exchange the name of a queue */
  routingKey?: string
  /** Event types, `*` for all, or a prefix such as `payment.*` */
  events?: string[]
  description?: string
  active?: boolean
}

/** Opening times per weekday, in the time zone of the center; an absent day is closed */
export interface WeekHours {
  mon?: OpenInterval[]
  tue?: OpenInterval[]
  wed?: OpenInterval[]
  thu?: OpenInterval[]
  fri?: OpenInterval[]
  sat?: OpenInterval[]
  sun?: OpenInterval[]
}

export interface WhitelabelConfig {
  /** Center domain slug */
  domain: string
  name: string
  vertical: Vertical
  branding: Branding
  features: Features
  locale: string
}

/** `true`: also send values and salts that are not redacted */
export type WithValues = 'true' | 'false'

export interface Withdrawal {
  reason?: string
}

export interface WithdrawnDecision {
  /** Decision event id */
  eventId: string
  decisionId: string
  /** ISO 8601, UTC, milliseconds */
  withdrawnAt: string
  /** `sha256:` and 64 hex digits */
  sealedHash: string
}

export interface Witness {
  name: string
  /** Verifier key as in c2sp.org/signed-note */
  vkey: string
  url: string | null
}

export interface WitnessLag {
  name: string
  /** The largest checkpoint that it cosigned; null for none */
  size: number | null
  /** Entries of the newest checkpoint that it has not cosigned */
  lag: number
}

export interface Workflow {
  /** Workflow id, the same in every center */
  id: string
  name: string
  type: WorkflowType
  status: WorkflowStatus
  vertical: Vertical
  /** ISO 8601, UTC, milliseconds */
  lastRun: string | null
  description: string
  schedule: Schedule | null
  /** Event that starts a workflow of the type EVENT */
  event: string | null
  parameters: ParameterSchema
  steps: string[]
  settings: WorkflowSettings
}

export interface WorkflowSettings {
  /** Whether its schedule or event starts it; a person can start it in any case */
  enabled: boolean
  /** Minute, hour, day of month, month, day of week; at most once an hour; null: that of the workflow */
  schedule: string | null
  parameters: JsonObject
  /** Tags of its drafts, beside its own */
  tags: string[]
}

/** INACTIVE: neither its schedule nor an event starts it */
export type WorkflowStatus = 'ACTIVE' | 'INACTIVE'

/** What starts the workflow; a person can start any of them */
export type WorkflowType = 'SCHEDULED' | 'MANUAL' | 'EVENT'

/** Whether a policy asks for an approval that is missing */
export type YesNo = 'true' | 'false'
