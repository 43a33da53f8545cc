/** Generated from packages/contract by `npm run generate`. */
import type { Call, CallOptions, PageCall } from './call.ts'

export interface ProofApi {
  readonly agents: ProofAgents
  readonly apiKeys: ProofApiKeys
  readonly approvals: ProofApprovals
  readonly chains: ProofChains
  readonly decisions: ProofDecisions
  readonly dpus: ProofDpus
  readonly events: ProofEvents
  readonly evidence: ProofEvidence
  readonly logs: ProofLogs
  readonly policies: ProofPolicies
  readonly publicVerification: ProofPublicVerification
  readonly sandboxes: ProofSandboxes
  readonly system: ProofSystem
  readonly testPeople: ProofTestPeople
  readonly webhooks: ProofWebhooks
}

export interface ProofAgents {
  /** Ask whether an agent may act: `POST /api/v1/agents/decide` */
  decide(body: NewAgentDecision, options?: CallOptions): Call<AgentDecision>
  /** Request an approval for another gateway: `POST /api/v1/approval-requests` */
  requestApproval(body: NewApprovalRequest, options?: CallOptions): Call<ApprovalVerdict | PendingApproval>
}

export interface ProofApiKeys {
  /** Retrieve the calling API key: `GET /api/v1/api-key` */
  getOwn(options?: CallOptions): Call<CallingKey>
}

export interface ProofApprovals {
  /** Approve or refuse a decision event: `POST /api/v1/decision-events/{id}/approvals` */
  create(id: string, body: NewApproval, options?: CallOptions): Call<Approval>
}

export interface ProofChains {
  /** Stream a chain: `GET /api/v1/chains/{domain}/entries` */
  listEntries(domain: ChainDomain, query?: {
    /** The index of the first entry to return, counted from 0. */
    from?: number
    values?: WithValues
  }, options?: CallOptions): AsyncIterable<ChainEntry>
  /** Retrieve the newest checkpoint: `GET /api/v1/chains/{domain}/checkpoint` */
  getCheckpoint(domain: ChainDomain, options?: CallOptions): Call<Checkpoint>
  /** Retrieve an inclusion proof: `GET /api/v1/chains/{domain}/proofs/{index}` */
  getInclusionProof(domain: ChainDomain, index: number, query?: {
    /** The size of the checkpoint that the proof should lead to. Defaults to the newest. */
    size?: number
  }, options?: CallOptions): Call<InclusionProof>
  /** Retrieve a consistency proof: `GET /api/v1/chains/{domain}/consistency` */
  getConsistencyProof(domain: ChainDomain, query: {
    /** The size of the earlier checkpoint, the one you stored. */
    from: number
    /** The size of the later checkpoint. Defaults to the newest. */
    to?: number
  }, options?: CallOptions): Call<ConsistencyProof>
  /** List a chain's declared losses: `GET /api/v1/chains/{domain}/generations` */
  listGenerations(domain: ChainDomain, options?: CallOptions): Call<LogGenerations>
}

export interface ProofDecisions {
  /** Record a decision event: `POST /api/v1/decision-events` */
  record(body: NewDecisionEvent, options?: CallOptions): Call<DecisionEvent>
  /** List decision events: `GET /api/v1/decision-events` */
  list(query?: {
    type?: DecisionEventType
    status?: DecisionEventStatus
    /** Only decisions with this tag. */
    tag?: string
    waiting?: boolean | YesNo
    /** Only decisions by this actor. */
    actorId?: string
    /** Only the decision with this ID. You can use any of the decision's IDs. */
    decisionId?: string
    /** Only decisions recorded at this time or later. */
    from?: string
    /** Only decisions recorded before this time. */
    to?: string
    /** `pagination.nextCursor` from the previous page. New decisions don't shift the pages that follow. */
    cursor?: string
    /** The number of items per page. */
    limit?: number
    /** The number of items to skip, counted from the start or from `cursor`. */
    offset?: number
  }, options?: CallOptions): PageCall<DecisionEventSummary>
  /** Retrieve a decision event: `GET /api/v1/decision-events/{id}` */
  get(id: string, options?: CallOptions): Call<Decision>
  /** Consume a sealed decision: `POST /api/v1/decision-events/{id}/consume` */
  consume(id: string, body: NewConsumption, options?: CallOptions): Call<Consumption>
  /** Report a consumed decision's outcome: `POST /api/v1/decision-events/{id}/outcome` */
  reportOutcome(id: string, body: NewOutcome, options?: CallOptions): Call<Outcome>
  /** Withdraw a decision: `POST /api/v1/decision-events/{id}/withdraw` */
  withdraw(id: string, body?: Withdrawal, options?: CallOptions): Call<WithdrawnDecision>
}

export interface ProofDpus {
  /** Retrieve a DPU's state: `GET /api/v1/dpu/{id}` */
  getState(id: string, options?: CallOptions): Call<DpuState>
}

export interface ProofEvents {
  /** Publish an event: `POST /api/v1/events` */
  publish(body: NewEvent, options?: CallOptions): Call<PublishedEvent>
}

export interface ProofEvidence {
  /** Retrieve a decision's evidence: `GET /api/v1/evidence/{id}` */
  get(id: string, options?: CallOptions): Call<Evidence>
  /** Export a decision's evidence: `GET /api/v1/evidence/{id}/export` */
  export(id: string, options?: CallOptions): Call<DecisionProof>
  /** Retrieve the JSON-LD context: `GET /schema/decision-proof/v2` */
  getContext(options?: CallOptions): Call<JsonLdContext>
}

export interface ProofLogs {
  /** Retrieve the log document: `GET /.well-known/countersign-log.json` */
  get(options?: CallOptions): Call<LogDocument>
}

export interface ProofPolicies {
  /** Check a decision against the policies: `POST /api/v1/policies/check` */
  check(body: PolicyCheckRequest, options?: CallOptions): Call<PolicyCheck>
  /** Export policies as a file: `GET /api/v1/policies/export` */
  export(options?: CallOptions): Call<PolicyExport>
  /** Import policies from a file: `PUT /api/v1/policies/import` */
  import(body: PolicyFile, options?: CallOptions): Call<PolicyImport>
}

export interface ProofPublicVerification {
  /** Verify a sealed record: `GET /verify/{id}` */
  verify(id: string, options?: CallOptions): Call<PublicVerification>
}

export interface ProofSandboxes {
  /** List sandboxes: `GET /api/v1/sandboxes` */
  list(options?: CallOptions): Call<NamedSandbox[]>
  /** Create a named sandbox: `POST /api/v1/sandboxes` */
  add(body: NewSandbox, options?: CallOptions): Call<NewNamedSandbox>
  /** Refresh a sandbox: `POST /api/v1/sandboxes/{sandboxId}/refresh` */
  refresh(sandboxId: number, options?: CallOptions): Call<NamedSandbox>
  /** End a sandbox: `DELETE /api/v1/sandboxes/{sandboxId}` */
  end(sandboxId: number, options?: CallOptions): Call<void>
}

export interface ProofSystem {
  /** Retrieve the start page: `GET /` */
  getHome(options?: CallOptions): Call<Home>
  /** Check liveness: `GET /health/live` */
  checkLive(options?: CallOptions): Call<Health>
  /** Check readiness: `GET /health/ready` */
  checkReady(options?: CallOptions): Call<Health>
  /** Retrieve the public keys: `GET /.well-known/jwks.json` */
  getJwks(options?: CallOptions): Call<Jwks>
  /** Retrieve the OpenAPI document: `GET /openapi.json` */
  getOpenApi(options?: CallOptions): Call<OpenApiDocument>
}

export interface ProofTestPeople {
  /** List test people: `GET /api/v1/sandbox/people` */
  list(options?: CallOptions): Call<TestPerson[]>
  /** Approve as a test person: `POST /api/v1/sandbox/approvals` */
  approve(body: TestApproval, options?: CallOptions): Call<Approval>
}

export interface ProofWebhooks {
  /** Create a webhook: `POST /api/v1/webhooks` */
  register(body: NewWebhook, options?: CallOptions): Call<RegisteredWebhook>
  /** List webhooks: `GET /api/v1/webhooks` */
  list(options?: CallOptions): Call<ListedWebhook[]>
  /** Update a webhook: `PATCH /api/v1/webhooks/{webhookId}` */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Call<Webhook>
  /** Delete a webhook: `DELETE /api/v1/webhooks/{webhookId}` */
  delete(webhookId: string, options?: CallOptions): Call<void>
  /** Rotate a signing secret: `POST /api/v1/webhooks/{webhookId}/rotate-secret` */
  rotateSecret(webhookId: string, body?: SecretRotation, options?: CallOptions): Call<RotatedSecret>
  /** List webhook deliveries: `GET /api/v1/webhooks/{webhookId}/deliveries` */
  listDeliveries(webhookId: string, query?: {
    /** The number of deliveries to return. */
    limit?: number
  }, options?: CallOptions): Call<Delivery[]>
  /** Retry an event: `POST /api/v1/webhooks/events/{eventId}/retry` */
  retryEvent(eventId: string, options?: CallOptions): Call<RetriedEvent>
  /** List delivery attempts: `GET /api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts` */
  listAttempts(webhookId: string, eventId: string, options?: CallOptions): Call<DeliveryAttempt[]>
  /** List a webhook's events: `GET /api/v1/webhooks/{webhookId}/events` */
  listEvents(webhookId: string, query?: {
    /** The value of `next` from the previous page. */
    after?: string
    /** Only events since this time. Ignored with `after`. */
    since?: string
    /** The number of events per page. */
    limit?: number
  }, options?: CallOptions): Call<WebhookEvents>
  /** Send a test event: `POST /api/v1/webhooks/{webhookId}/test` */
  test(webhookId: string, options?: CallOptions): Call<TestEvent>
  /** Recover missed events: `POST /api/v1/webhooks/{webhookId}/recover` */
  recover(webhookId: string, body: NewRecovery, options?: CallOptions): Call<Recovery>
  /** Retrieve a recovery: `GET /api/v1/webhooks/{webhookId}/recoveries/{recoveryId}` */
  getRecovery(webhookId: string, recoveryId: string, options?: CallOptions): Call<Recovery>
  /** List event types: `GET /api/v1/webhooks/event-types` */
  listEventTypes(options?: CallOptions): Call<EventTypeDescription[]>
}

export interface PlatformApi {
  readonly actionTypes: PlatformActionTypes
  readonly admin: PlatformAdmin
  readonly adminPasskeys: PlatformAdminPasskeys
  readonly apiKeys: PlatformApiKeys
  readonly attendance: PlatformAttendance
  readonly audit: PlatformAudit
  readonly auth: PlatformAuth
  readonly bookingSeries: PlatformBookingSeries
  readonly bookingWaits: PlatformBookingWaits
  readonly bookings: PlatformBookings
  readonly calendarFeed: PlatformCalendarFeed
  readonly centerExports: PlatformCenterExports
  readonly centers: PlatformCenters
  readonly chains: PlatformChains
  readonly children: PlatformChildren
  readonly closures: PlatformClosures
  readonly console: PlatformConsole
  readonly decisions: PlatformDecisions
  readonly deliveries: PlatformDeliveries
  readonly domains: PlatformDomains
  readonly dpus: PlatformDpus
  readonly drafts: PlatformDrafts
  readonly evidence: PlatformEvidence
  readonly executions: PlatformExecutions
  readonly family: PlatformFamily
  readonly freezes: PlatformFreezes
  readonly groups: PlatformGroups
  readonly guardianships: PlatformGuardianships
  readonly holidays: PlatformHolidays
  readonly instructors: PlatformInstructors
  readonly logos: PlatformLogos
  readonly logs: PlatformLogs
  readonly memberPasskeys: PlatformMemberPasskeys
  readonly members: PlatformMembers
  readonly memberships: PlatformMemberships
  readonly notificationChannels: PlatformNotificationChannels
  readonly notifications: PlatformNotifications
  readonly partner: PlatformPartner
  readonly partnerAccounts: PlatformPartnerAccounts
  readonly partnerInvitations: PlatformPartnerInvitations
  readonly passkeys: PlatformPasskeys
  readonly policies: PlatformPolicies
  readonly provisioning: PlatformProvisioning
  readonly publicVerification: PlatformPublicVerification
  readonly push: PlatformPush
  readonly sandboxes: PlatformSandboxes
  readonly search: PlatformSearch
  readonly sessions: PlatformSessions
  readonly signInProviders: PlatformSignInProviders
  readonly subscription: PlatformSubscription
  readonly system: PlatformSystem
  readonly views: PlatformViews
  readonly webhooks: PlatformWebhooks
  readonly whitelabel: PlatformWhitelabel
  readonly workflows: PlatformWorkflows
}

export interface PlatformActionTypes {
  /** List action types: `GET /api/action-types` */
  list(options?: CallOptions): Call<ActionType[]>
  /** Retrieve an action type: `GET /api/action-types/{type}` */
  get(type: string, options?: CallOptions): Call<ActionType>
  /** Set an action type's template: `PUT /api/action-types/{type}` */
  put(type: string, body: NewActionType, options?: CallOptions): Call<ActionType>
  /** Delete an action type's template: `DELETE /api/action-types/{type}` */
  delete(type: string, options?: CallOptions): Call<void>
}

export interface PlatformAdmin {
  /** List passkeys for the operator to confirm: `GET /api/admin/passkeys` */
  listPasskeys(options?: CallOptions): Call<SoleAdminPasskey[]>
  /** Confirm a passkey as the operator: `POST /api/admin/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm` */
  confirmPasskey(centerId: number, actorId: string, id: string, options?: CallOptions): Call<MemberPasskey>
  /** Onboard a partner: `POST /api/admin/partners/onboard` */
  onboardPartner(body: PartnerOnboarding, options?: CallOptions): Call<OnboardedPartner>
  /** Retrieve a center as the operator: `GET /api/admin/centers/{centerId}` */
  getCenter(centerId: number, options?: CallOptions): Call<OperatedCenter>
  /** Suspend or reinstate a center: `PUT /api/admin/centers/{centerId}/status` */
  setCenterStatus(centerId: number, body: CenterStatusUpdate, options?: CallOptions): Call<OperatedCenter>
  /** Change a center's subscription: `PATCH /api/admin/centers/{centerId}/subscription` */
  updateSubscription(centerId: number, body: SubscriptionUpdate, options?: CallOptions): Call<OperatedCenter>
  /** Acknowledge a chain alarm: `POST /api/admin/alarms/{centerId}/{domain}/acknowledge` */
  acknowledgeAlarm(centerId: number, domain: ChainDomain, body: NewAlarmAcknowledgement, options?: CallOptions): Call<AlarmAcknowledgement>
  /** List plan versions: `GET /api/admin/plans` */
  listPlans(options?: CallOptions): Call<PlanVersion[]>
  /** Add a plan: `POST /api/admin/plans` */
  addPlan(body: NewPlan, options?: CallOptions): Call<PlanVersionId>
  /** Add a version of a plan: `POST /api/admin/plans/{id}/versions` */
  addPlanVersion(id: string, body: NewPlanVersion, options?: CallOptions): Call<PlanVersionId>
  /** Retrieve the platform overview: `GET /api/admin/overview` */
  getOverview(options?: CallOptions): Call<PlatformOverview>
  /** List all partners: `GET /api/admin/partners` */
  listPartners(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Part of the partner's name. */
    search?: string
  }, options?: CallOptions): PageCall<PartnerOverview>
  /** List all centers: `GET /api/admin/centers` */
  listCenters(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Part of the center's name or subdomain, or the center's ID. */
    search?: string
    status?: CenterStatus
    /** Only centers in this cell. */
    cell?: string
    /** Only this partner's centers. */
    partnerId?: string
  }, options?: CallOptions): PageCall<CenterOverview>
  /** Retrieve a chain alarm: `GET /api/admin/alarms/{centerId}/{domain}` */
  getAlarm(centerId: number, domain: ChainDomain, options?: CallOptions): Call<ChainAlarmPlace>
}

export interface PlatformAdminPasskeys {
  /** Retrieve whether administrators need passkeys: `GET /api/centers/{center}/admin-passkeys` */
  get(center: string, options?: CallOptions): Call<AdminPasskeys>
  /** Ask administrators for passkeys: `PUT /api/centers/{center}/admin-passkeys` */
  set(center: string, body: AdminPasskeysUpdate, options?: CallOptions): Call<AdminPasskeysSetting>
}

export interface PlatformApiKeys {
  /** Create an API key: `POST /api/api-keys` */
  create(body: NewApiKey, options?: CallOptions): Call<CreatedApiKey>
  /** List API keys: `GET /api/api-keys` */
  list(options?: CallOptions): Call<ApiKey[]>
  /** Rotate an API key: `POST /api/api-keys/{id}/rotate` */
  rotate(id: string, body?: ApiKeyRotation, options?: CallOptions): Call<CreatedApiKey>
  /** Revoke an API key: `DELETE /api/api-keys/{id}` */
  revoke(id: string, options?: CallOptions): Call<void>
}

export interface PlatformAttendance {
  /** List attendance: `GET /api/centers/{center}/attendance` */
  list(center: string, query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Only attendance at this time or later. */
    from?: string
    /** Only attendance before this time. */
    to?: string
    /** Only this client's attendance. */
    clientId?: string
    /** Only attendance at this instructor's appointments. */
    instructorId?: string
    kind?: AttendanceKind
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
  }, options?: CallOptions): PageCall<Attendance, AttendanceTotals>
  /** Export attendance as CSV: `GET /api/centers/{center}/attendance.csv` */
  exportCsv(center: string, query?: {
    /** Only attendance at this time or later. */
    from?: string
    /** Only attendance before this time. */
    to?: string
    /** Only this client's attendance. */
    clientId?: string
    /** Only attendance at this instructor's appointments. */
    instructorId?: string
    kind?: AttendanceKind
  }, options?: CallOptions): Call<string>
}

export interface PlatformAudit {
  /** List audit entries: `GET /api/audit` */
  list(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    type?: AuditType
    /** Only entries by this person, API key or job. */
    actorId?: string
    /** Only entries about this object. For a decision, any of its IDs finds all the entries about it. */
    targetId?: string
    /** Only entries at this time or later. */
    from?: string
    /** Only entries before this time. */
    to?: string
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
  }, options?: CallOptions): PageCall<CenterAuditEntry, AuditCounts>
  /** Export audit entries as CSV: `GET /api/audit.csv` */
  exportCsv(query?: {
    type?: AuditType
    /** Only entries by this person, API key or job. */
    actorId?: string
    /** Only entries about this object. For a decision, any of its IDs finds all the entries about it. */
    targetId?: string
    /** Only entries at this time or later. */
    from?: string
    /** Only entries before this time. */
    to?: string
  }, options?: CallOptions): Call<string>
}

export interface PlatformAuth {
  /** Sign in: `POST /api/auth/login` */
  login(body: Credentials, options?: CallOptions): Call<AuthSession>
  /** Start a browser session: `POST /api/auth/session` */
  startSession(body?: NewBrowserSession, options?: CallOptions): Call<BrowserSession>
  /** Retrieve the signed-in person: `GET /api/auth/me` */
  getMe(options?: CallOptions): Call<CurrentActor>
  /** Change your name or language: `PATCH /api/auth/me` */
  updateMe(body: CurrentActorPatch, options?: CallOptions): Call<CurrentActor>
  /** Change your password: `POST /api/auth/me/password` */
  changePassword(body: PasswordChange, options?: CallOptions): Call<void>
  /** Change your email address: `POST /api/auth/me/email` */
  changeEmail(body: EmailChange, options?: CallOptions): Call<Accepted>
  /** Confirm your new email address: `POST /api/auth/me/email/confirm` */
  confirmEmail(body: AddressConfirmation, options?: CallOptions): Call<CurrentActor>
  /** Add or change your phone number: `POST /api/auth/me/phone` */
  changePhone(body: PhoneChange, options?: CallOptions): Call<Accepted>
  /** Confirm your phone number: `POST /api/auth/me/phone/confirm` */
  confirmPhone(body: AddressConfirmation, options?: CallOptions): Call<CurrentActor>
  /** Remove your phone number: `DELETE /api/auth/me/phone` */
  removePhone(options?: CallOptions): Call<void>
  /** Preview deleting your account: `GET /api/auth/me/erasure` */
  getErasure(options?: CallOptions): Call<AccountErasure>
  /** Delete your account: `DELETE /api/auth/me` */
  deleteMe(query: {
    /** Your own actor ID. A request from the wrong session deletes nothing: the response is 409. */
    actorId: string
  }, options?: CallOptions): Call<AccountErasure>
  /** Switch centers: `POST /api/auth/switch-center` */
  switchCenter(body: CenterSwitch, options?: CallOptions): Call<AuthSession>
  /** Switch centers in a browser: `POST /api/auth/session/center` */
  switchSession(body: CenterSwitch, options?: CallOptions): Call<BrowserSession>
  /** Refresh the tokens: `POST /api/auth/refresh-token` */
  refreshToken(body: RefreshRequest, options?: CallOptions): Call<AuthSession>
  /** Refresh a browser session: `POST /api/auth/session/refresh` */
  refreshSession(options?: CallOptions): Call<BrowserSession>
  /** Create an SSO token: `POST /api/auth/sso/token` */
  createSsoToken(body: NewSsoToken, options?: CallOptions): Call<SsoToken>
  /** Redeem an SSO token: `POST /api/auth/sso/verify` */
  verifySsoToken(body: SsoVerification, options?: CallOptions): Call<SsoIdentity>
  /** Sign out: `POST /api/auth/logout` */
  logout(options?: CallOptions): Call<void>
  /** Sign out of a browser session: `DELETE /api/auth/session` */
  endSession(options?: CallOptions): Call<void>
  /** Create a step-up challenge: `POST /api/auth/step-up/options` */
  challengeStepUp(options?: CallOptions): Call<StepUpChallenge>
  /** Confirm that it's you: `POST /api/auth/step-up` */
  stepUp(body?: NewStepUp, options?: CallOptions): Call<SteppedUp>
  /** List a center's sign-in providers: `GET /api/auth/oidc/providers` */
  listSignInOptions(query: {
    /** The center's subdomain. */
    centerDomain: string
  }, options?: CallOptions): Call<SignInOption[]>
  /** Start signing in with OpenID Connect: `POST /api/auth/oidc/start` */
  startOidcLogin(body: OidcStart, options?: CallOptions): Call<OidcLogin>
  /** Finish signing in with OpenID Connect: `POST /api/auth/oidc/callback` */
  finishOidcLogin(body: OidcReturn, options?: CallOptions): Call<AuthSession | OidcUnlinked>
  /** Link a provider account: `POST /api/auth/oidc/link` */
  linkOidcAccount(body: OidcLink, options?: CallOptions): Call<OidcLinked>
  /** List linked provider accounts: `GET /api/auth/oidc/accounts` */
  listOidcAccounts(options?: CallOptions): Call<OidcAccount[]>
  /** Unlink a provider account: `DELETE /api/auth/oidc/accounts/{id}` */
  unlinkOidcAccount(id: string, options?: CallOptions): Call<void>
  /** Email a link for linking a provider account: `POST /api/auth/oidc/link/mail` */
  mailOidcLink(body: OidcMail, options?: CallOptions): Call<Accepted>
  /** Confirm linking a provider account: `POST /api/auth/oidc/link/confirm` */
  confirmOidcLink(body: OidcLinkConfirmation, options?: CallOptions): Call<AuthSession>
  /** Start signing in from a custom domain: `POST /api/auth/handoff/start` */
  startHandoff(options?: CallOptions): Call<Handoff>
  /** Create a code for the custom domain: `POST /api/auth/handoff/code` */
  issueHandoffCode(body: HandoffCodeRequest, options?: CallOptions): Call<HandoffCode>
  /** Sign in on a custom domain: `POST /api/auth/handoff/redeem` */
  redeemHandoff(body: HandoffRedemption, options?: CallOptions): Call<AuthSession>
  /** Sign up: `POST /api/auth/signup` */
  signUp(body: SignUp, options?: CallOptions): Call<Accepted>
  /** Create an account: `POST /api/auth/signup/confirm` */
  confirmSignUp(body: SignUpConfirmation, options?: CallOptions): Call<NewAccount>
  /** Request a password reset: `POST /api/auth/password/forgot` */
  requestPasswordReset(body?: PasswordResetRequest, options?: CallOptions): Call<Accepted>
  /** Set a new password: `POST /api/auth/password/reset` */
  resetPassword(body: PasswordReset, options?: CallOptions): Call<void>
  /** Read an emailed invitation: `POST /api/auth/invitations/read` */
  readInvitation(body: InvitationToken, options?: CallOptions): Call<Invitation>
  /** Accept an emailed invitation: `POST /api/auth/invitations/accept` */
  acceptInvitation(body: InvitationAcceptance, options?: CallOptions): Call<AcceptedInvitation>
  /** Accept an emailed invitation with your account: `POST /api/auth/me/invitations/accept` */
  acceptOwnInvitation(body: InvitationToken, options?: CallOptions): Call<AcceptedInvitation>
  /** List your children: `GET /api/auth/me/children` */
  listChildren(options?: CallOptions): Call<Child[]>
}

export interface PlatformBookingSeries {
  /** Preview a weekly series: `GET /api/centers/{center}/booking-series/preview` */
  preview(center: string, query: {
    /** The instructor to book. */
    instructorId: string
    /** When the first slot starts. Later weeks have the same local time, also after a clock change. */
    startsAt: string
    /** How many weeks the series has, including weeks without an appointment. */
    weeks: number
    /** The client's actor ID. */
    bookedFor: string
  }, options?: CallOptions): Call<BookingSeriesPreview>
  /** Book a weekly series: `POST /api/centers/{center}/booking-series` */
  create(center: string, body: NewBookingSeries, options?: CallOptions): Call<BookingSeries>
  /** Retrieve a weekly series: `GET /api/centers/{center}/booking-series/{id}` */
  get(center: string, id: string, options?: CallOptions): Call<BookingSeries>
}

export interface PlatformBookingWaits {
  /** Wait for a place: `POST /api/centers/{center}/waiting-list` */
  create(center: string, body: NewBookingWait, options?: CallOptions): Call<BookingWait>
  /** List who waits for a place: `GET /api/centers/{center}/waiting-list` */
  list(center: string, query?: {
    /** Only this client. */
    clientId?: string
    /** Only this day and later ones. */
    from?: string
    /** Only this day and earlier ones. */
    to?: string
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<BookingWait>
  /** Leave the waiting list: `DELETE /api/centers/{center}/waiting-list/{id}` */
  delete(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformBookings {
  /** List free slots: `GET /api/centers/{center}/available-slots` */
  listSlots(center: string, query: {
    /** The day, as a date in the center's time zone. */
    date: string
    /** Only this instructor's slots. */
    instructorId?: string
  }, options?: CallOptions): Call<AvailableSlots>
  /** List appointments: `GET /api/centers/{center}/bookings` */
  list(center: string, query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Only appointments that start at this time or later. */
    from?: string
    /** Only appointments that start before this time. */
    to?: string
    /** Only this client's appointments. */
    clientId?: string
    /** Only this instructor's appointments. */
    instructorId?: string
    status?: BookingStatus
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
  }, options?: CallOptions): PageCall<ListedBooking, BookingCounts>
  /** Export appointments as CSV: `GET /api/centers/{center}/bookings.csv` */
  exportCsv(center: string, query?: {
    /** Only appointments that start at this time or later. */
    from?: string
    /** Only appointments that start before this time. */
    to?: string
    /** Only this client's appointments. */
    clientId?: string
    /** Only this instructor's appointments. */
    instructorId?: string
    status?: BookingStatus
  }, options?: CallOptions): Call<string>
  /** Book an appointment: `POST /api/centers/{center}/bookings` */
  create(center: string, body: NewBooking, options?: CallOptions): Call<Booking>
  /** Move an appointment: `POST /api/centers/{center}/bookings/{id}/move` */
  move(center: string, id: string, body: BookingRelocation, options?: CallOptions): Call<Booking>
  /** Mark an appointment as attended: `POST /api/centers/{center}/bookings/{id}/attended` */
  markAttended(center: string, id: string, options?: CallOptions): Call<Booking>
  /** Mark an appointment as a no-show: `POST /api/centers/{center}/bookings/{id}/no-show` */
  markNoShow(center: string, id: string, options?: CallOptions): Call<Booking>
  /** Record the attendance of several appointments: `POST /api/centers/{center}/bookings/attendance` */
  recordAttendance(center: string, body: AttendanceMarks, options?: CallOptions): Call<AttendanceResults>
  /** Cancel an appointment: `POST /api/centers/{center}/bookings/{id}/cancel` */
  cancelWithReason(center: string, id: string, body: BookingCancellation, options?: CallOptions): Call<Booking>
  /** Cancel an appointment without a reason: `DELETE /api/centers/{center}/bookings/{id}` */
  cancel(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformCalendarFeed {
  /** Retrieve your calendar subscription: `GET /api/auth/me/calendar` */
  get(options?: CallOptions): Call<CalendarFeed>
  /** Turn on or reset your calendar subscription: `POST /api/auth/me/calendar` */
  create(body: CalendarFeedChoice, options?: CallOptions): Call<NewCalendarFeed>
  /** Change what your calendar shows: `PATCH /api/auth/me/calendar` */
  update(body: CalendarFeedChoice, options?: CallOptions): Call<void>
  /** Turn off your calendar subscription: `DELETE /api/auth/me/calendar` */
  delete(options?: CallOptions): Call<void>
  /** Read a calendar by its secret address: `GET /api/calendar/{file}` */
  read(file: string, options?: CallOptions): Call<string>
}

export interface PlatformCenterExports {
  /** Export a center: `POST /api/centers/{center}/export` */
  create(center: string, options?: CallOptions): Call<CenterExport>
  /** Retrieve the latest export: `GET /api/centers/{center}/export` */
  get(center: string, options?: CallOptions): Call<CenterExport>
  /** Download an export file: `GET /api/centers/{center}/export/files/{name}` */
  getFile(center: string, name: string, options?: CallOptions): Call<ReadableStream<Uint8Array>>
  /** Download an export: `GET /api/centers/{center}/export.tar` */
  download(center: string, options?: CallOptions): Call<ReadableStream<Uint8Array>>
}

export interface PlatformCenters {
  /** List your centers: `GET /api/centers` */
  list(options?: CallOptions): Call<EnterableCenter[]>
  /** Retrieve a center: `GET /api/centers/{center}` */
  get(center: string, options?: CallOptions): Call<Center>
  /** List companion applications: `GET /api/centers/{center}/apps` */
  listApps(center: string, options?: CallOptions): Call<CompanionApp[]>
  /** Retrieve a center's public profile: `GET /api/centers/{center}/info` */
  getInfo(center: string, options?: CallOptions): Call<CenterInfo>
  /** Search centers: `POST /api/centers/search` */
  search(body?: CenterSearch, options?: CallOptions): Call<FoundCenter[]>
  /** Update a center's settings: `PATCH /api/centers/{center}/settings` */
  updateSettings(center: string, body: CenterSettingsPatch, options?: CallOptions): Call<CenterSettings>
  /** Rename a center: `PATCH /api/centers/{center}` */
  rename(center: string, body: CenterName, options?: CallOptions): Call<Center>
}

export interface PlatformChains {
  /** List chain entries: `GET /api/chains/{domain}/entries` */
  listEntries(domain: ChainDomain, query?: {
    /** The index of the first entry to return, counted from 0. */
    from?: number
    /** The number of entries to return. */
    limit?: number
  }, options?: CallOptions): AsyncIterable<ChainEntry>
}

export interface PlatformChildren {
  /** List a center's clients: `GET /api/centers/{center}/children` */
  list(center: string, query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<CenterChild>
  /** Add a child to a center: `POST /api/centers/{center}/children` */
  create(center: string, body?: NewChild, options?: CallOptions): Call<CenterChild>
}

export interface PlatformClosures {
  /** List closed days: `GET /api/centers/{center}/closures` */
  list(center: string, query?: {
    /** The first day of the period. */
    from?: string
    /** The last day of the period. */
    to?: string
  }, options?: CallOptions): Call<Closure[]>
  /** Close the center for a day or several days: `POST /api/centers/{center}/closures` */
  add(center: string, body: ClosureRequest, options?: CallOptions): Call<NewClosures>
  /** Open the center on a closed day: `DELETE /api/centers/{center}/closures/{date}` */
  remove(center: string, date: string, options?: CallOptions): Call<void>
}

export interface PlatformConsole {
  /** Retrieve today's overview: `GET /api/console/today` */
  getToday(options?: CallOptions): Call<Today>
  /** Retrieve the center's notices: `GET /api/console/notices` */
  getNotices(options?: CallOptions): Call<Notices>
  /** List the inbox: `GET /api/console/inbox` */
  listInbox(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    view?: InboxView
    sort?: InboxOrder
  }, options?: CallOptions): PageCall<InboxItem, InboxCounts>
  /** List agents: `GET /api/console/agents` */
  listAgents(options?: CallOptions): Call<SeenAgents>
  /** Retrieve the oversight figures over time: `GET /api/console/oversight` */
  getOversight(query?: {
    period: OversightPeriod
    step: OversightStep
    /** Only requests that this policy applied to. */
    policyId?: string
    /** Only approvals and refusals by this member. */
    actorId?: string
    /** Only requests by the actor with this ID. */
    agentId?: string
  }, options?: CallOptions): Call<Oversight>
  /** List the oversight figures by policy, person or agent: `GET /api/console/oversight/groups` */
  listOversightGroups(query?: {
    by: OversightGrouping
    period: OversightPeriod
  }, options?: CallOptions): Call<OversightGroups>
  /** Trace a decision: `GET /api/console/trace/{id}` */
  getTrace(id: string, options?: CallOptions): Call<DecisionTrace>
  /** Retrieve the integrity status of all chains: `GET /api/console/integrity` */
  getIntegrity(options?: CallOptions): Call<Integrity>
  /** Dry-run an unsaved policy: `POST /api/console/policies/dry-run` */
  dryRunPolicy(body?: PolicyDryRun, options?: CallOptions): Call<DryRun>
}

export interface PlatformDecisions {
  /** List decisions: `GET /api/decisions` */
  list(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    type?: DecisionEventType
    status?: DecisionEventStatus
    /** Only decisions with this tag. */
    tag?: string
    waiting?: boolean | YesNo
    /** Only decisions by this actor. */
    actorId?: string
    /** Only the decision with this ID. You can use any of the decision's IDs. */
    decisionId?: string
    /** Only decisions recorded at this time or later. */
    from?: string
    /** Only decisions recorded before this time. */
    to?: string
    /** `pagination.nextCursor` from the previous page. New decisions don't shift the pages that follow. */
    cursor?: string
    /** Only closed decisions that a policy keeps you informed about (`approval.inform`). */
    informed?: 'true'
  }, options?: CallOptions): PageCall<DecisionEventSummary, DecisionCounts>
  /** Retrieve a decision: `GET /api/decisions/{eventId}` */
  get(eventId: string, options?: CallOptions): Call<Decision>
  /** Ask for an approval: `POST /api/decisions` */
  ask(body: NewRequest, options?: CallOptions): Call<AskedDecision>
  /** Withdraw your decision: `POST /api/decisions/{eventId}/withdraw` */
  withdraw(eventId: string, body?: Withdrawal, options?: CallOptions): Call<WithdrawnDecision>
  /** Mark a decision as opened: `POST /api/decisions/{eventId}/opened` */
  open(eventId: string, body?: OpenedAction, options?: CallOptions): Call<OpenedDecision>
  /** Create an approval challenge: `POST /api/decisions/{eventId}/approvals/challenge` */
  challengeApproval(eventId: string, body: NewApprovalChallenge, options?: CallOptions): Call<ApprovalChallenge>
  /** Approve or refuse a decision: `POST /api/decisions/{eventId}/approvals` */
  approve(eventId: string, body: MemberApproval, options?: CallOptions): Call<GivenMemberApproval>
  /** Take back your approval: `POST /api/decisions/{eventId}/approvals/take-back` */
  takeBackApproval(eventId: string, options?: CallOptions): Call<TakenBackApproval>
  /** Create a confirmation challenge: `POST /api/decisions/{eventId}/confirmations/challenge` */
  challengeConfirmation(eventId: string, body: NewConfirmationChallenge, options?: CallOptions): Call<ConfirmationChallenge>
  /** Confirm an emergency approval, or object to it: `POST /api/decisions/{eventId}/confirmations` */
  confirm(eventId: string, body: NewConfirmation, options?: CallOptions): Call<GivenConfirmation>
  /** Close an emergency approval that wasn't confirmed: `POST /api/decisions/{eventId}/confirmations/close` */
  closeEmergency(eventId: string, body: EmergencyClosing, options?: CallOptions): Call<ClosedEmergency>
  /** Comment on a decision: `POST /api/decisions/{eventId}/comments` */
  comment(eventId: string, body: NewDecisionComment, options?: CallOptions): Call<DecisionComment>
  /** Retrieve your deputies: `GET /api/decisions/deputy` */
  getDeputies(options?: CallOptions): Call<Deputies>
  /** Name a deputy: `PUT /api/decisions/deputy` */
  setDeputy(body: NewDeputy, options?: CallOptions): Call<Deputy>
  /** End your deputy's right: `DELETE /api/decisions/deputy` */
  endDeputy(options?: CallOptions): Call<void>
}

export interface PlatformDeliveries {
  /** List a webhook's deliveries: `GET /api/webhooks/{webhookId}/deliveries` */
  list(webhookId: string, query?: {
    state?: DeliveryState
    /** The value of `next` from the previous page. */
    before?: string
    /** The number of deliveries per page. */
    limit?: number
  }, options?: CallOptions): Call<TrackedDeliveries>
  /** Retrieve a delivery: `GET /api/webhooks/{webhookId}/deliveries/{eventId}` */
  get(webhookId: string, eventId: string, options?: CallOptions): Call<DeliveryDetails>
}

export interface PlatformDomains {
  /** Add a domain: `POST /api/centers/{center}/domains` */
  add(center: string, body: NewDomain, options?: CallOptions): Call<Domain>
  /** Add a partner's email domain: `POST /api/partner/domains` */
  addAsPartner(body: NewPartnerDomain, options?: CallOptions): Call<Domain>
  /** List domains: `GET /api/centers/{center}/domains` */
  list(center: string, options?: CallOptions): Call<Domain[]>
  /** List a partner's email domains: `GET /api/partner/domains` */
  listAsPartner(options?: CallOptions): Call<Domain[]>
  /** Check a domain: `POST /api/centers/{center}/domains/{id}/check` */
  check(center: string, id: string, options?: CallOptions): Call<Domain>
  /** Check a partner's domain: `POST /api/partner/domains/{id}/check` */
  checkAsPartner(id: string, options?: CallOptions): Call<Domain>
  /** Remove a domain: `DELETE /api/centers/{center}/domains/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
  /** Remove a partner's email domain: `DELETE /api/partner/domains/{id}` */
  removeAsPartner(id: string, options?: CallOptions): Call<void>
}

export interface PlatformDpus {
  /** List DPUs: `GET /api/dpu` */
  list(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    evidenceLevel?: EvidenceLevel
    /** Only DPUs with this tag. */
    tag?: string
    /** Only DPUs about the object with this ID. */
    referenceId?: string
    /** Only DPUs that this workflow produced. */
    workflowId?: string
    /** Only DPUs recorded at this time or later. */
    from?: string
    /** Only DPUs recorded before this time. */
    to?: string
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
  }, options?: CallOptions): PageCall<DpuSummary, DpuListCounts>
  /** Create a demo DPU: `POST /api/dpu/demo` */
  createDemo(body?: NewDemoDpu, options?: CallOptions): Call<Dpu>
  /** Retrieve DPU statistics: `GET /api/dpu/stats` */
  getStats(options?: CallOptions): Call<DpuStats>
  /** Verify all chains: `GET /api/dpu/verify-chain` */
  verifyChain(query?: {
    mode: VerificationMode
  }, options?: CallOptions): Call<CenterVerdict>
  /** Retrieve a DPU: `GET /api/dpu/{id}` */
  get(id: string, options?: CallOptions): Call<NamedDpu>
  /** Create an evidence-level challenge: `POST /api/dpu/{id}/challenge` */
  challengeRaise(id: string, body: NewRaiseChallenge, options?: CallOptions): Call<RaiseChallenge>
  /** Update a DPU: `PUT /api/dpu/{id}` */
  update(id: string, body: DpuUpdate, options?: CallOptions): Call<Dpu>
  /** Export a DPU: `GET /api/dpu/{id}/export` */
  export(id: string, query?: {
    /** Whether to include the texts of the policies that the seal names. */
    policies?: 'text'
  }, options?: CallOptions): Call<DecisionProof>
  /** Redact a DPU: `POST /api/dpu/{id}/redactions` */
  redact(id: string, body: NewRedaction, options?: CallOptions): Call<Redaction>
  /** Verify a DPU: `GET /api/dpu/{id}/verify` */
  verify(id: string, options?: CallOptions): Call<DpuVerdict>
  /** Retrieve the responsibility for a DPU: `GET /api/dpu/{id}/responsibility` */
  getResponsibility(id: string, options?: CallOptions): Call<Responsibility>
}

export interface PlatformDrafts {
  /** Edit a draft's text: `PUT /api/dpu/{id}/draft` */
  edit(id: string, body: DraftText, options?: CallOptions): Call<DraftReview>
  /** Send a draft for review: `POST /api/dpu/{id}/draft/send` */
  send(id: string, body: DraftRequest, options?: CallOptions): Call<DraftReview>
  /** Refuse a draft: `POST /api/dpu/{id}/draft/refuse` */
  refuse(id: string, body: DraftRefusal, options?: CallOptions): Call<DraftReview>
}

export interface PlatformEvidence {
  /** Retrieve the JSON-LD context: `GET /schema/decision-proof/v2` */
  getContext(options?: CallOptions): Call<JsonLdContext>
}

export interface PlatformExecutions {
  /** List executions: `GET /api/workflows/{workflowId}/executions` */
  list(workflowId: string, query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<Execution>
  /** Retrieve an execution: `GET /api/workflows/executions/{executionId}` */
  get(executionId: string, options?: CallOptions): Call<ExecutionDetails>
  /** Cancel an execution: `POST /api/workflows/executions/{executionId}/cancel` */
  cancel(executionId: string, options?: CallOptions): Call<Execution>
}

export interface PlatformFamily {
  /** Retrieve your family: `GET /api/family` */
  get(options?: CallOptions): Call<Family>
  /** List your children's appointments: `GET /api/family/appointments` */
  listAppointments(query?: {
    /** Only records from this time or later. */
    from?: string
    /** Only records from before this time, which can be at most 366 days after `from`. */
    to?: string
    /** Only this child's records. With your own ID: your own, in all centers where you're an ACTIVE member. */
    childId?: string
  }, options?: CallOptions): Call<FamilyAppointments>
  /** List your children's attendance: `GET /api/family/attendance` */
  listAttendance(query?: {
    /** Only records from this time or later. */
    from?: string
    /** Only records from before this time, which can be at most 366 days after `from`. */
    to?: string
    /** Only this child's records. With your own ID: your own, in all centers where you're an ACTIVE member. */
    childId?: string
  }, options?: CallOptions): Call<FamilyAttendance>
}

export interface PlatformFreezes {
  /** Stop an agent, an API key, action types or the whole center: `POST /api/freezes` */
  create(body: NewFreeze, options?: CallOptions): Call<FreezeMade>
  /** List stops: `GET /api/freezes` */
  list(options?: CallOptions): Call<Freeze[]>
  /** Preview what a stop covers: `GET /api/freezes/coverage` */
  getCoverage(query?: {
    /** Covers everything that this agent or person requests. What a person approves is not covered. */
    actorId?: string
    /** Covers everything that this API key requests, approves or runs. */
    keyId?: string
    /** Action types, separated by commas. As in a policy, `*` matches any characters. */
    actionTypes?: string
    /** The `historyIndex` of a stop: what was consumed before and after the stop's entry is counted too. */
    index?: number
  }, options?: CallOptions): Call<FreezeCoverage>
  /** Lift a stop: `POST /api/freezes/{id}/lift` */
  lift(id: string, body: FreezeLifting, options?: CallOptions): Call<Freeze>
}

export interface PlatformGroups {
  /** List groups: `GET /api/centers/{center}/groups` */
  list(center: string, options?: CallOptions): Call<ListedGroup[]>
  /** Create a group: `POST /api/centers/{center}/groups` */
  create(center: string, body: NewGroup, options?: CallOptions): Call<Group>
  /** Update a group: `PATCH /api/centers/{center}/groups/{id}` */
  update(center: string, id: string, body: GroupPatch, options?: CallOptions): Call<Group>
  /** Confirm a group's new people: `POST /api/centers/{center}/groups/{id}/confirm` */
  confirm(center: string, id: string, body: GroupConfirmation, options?: CallOptions): Call<Group>
  /** End a group: `DELETE /api/centers/{center}/groups/{id}` */
  end(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformGuardianships {
  /** Invite a guardian: `POST /api/centers/{center}/children/{childId}/guardians` */
  invite(center: string, childId: string, body: NewGuardian, options?: CallOptions): Call<Guardianship>
  /** End a guardianship: `POST /api/centers/{center}/guardianships/{id}/end` */
  endAsCenter(center: string, id: string, options?: CallOptions): Call<Guardianship>
  /** Accept a guardianship: `POST /api/auth/guardianships/{id}/accept` */
  accept(id: string, options?: CallOptions): Call<MovedGuardianship>
  /** End your guardianship: `POST /api/auth/guardianships/{id}/end` */
  end(id: string, options?: CallOptions): Call<MovedGuardianship>
}

export interface PlatformHolidays {
  /** Retrieve public holidays: `GET /api/centers/{center}/holidays` */
  get(center: string, options?: CallOptions): Call<PublicHolidays>
  /** Close the center on public holidays: `POST /api/centers/{center}/holidays` */
  adopt(center: string, body: HolidayAdoption, options?: CallOptions): Call<NewClosures>
}

export interface PlatformInstructors {
  /** List instructors: `GET /api/centers/{center}/instructors` */
  list(center: string, options?: CallOptions): Call<Instructor[]>
  /** Set an instructor's hours: `PUT /api/centers/{center}/instructors/{actorId}/hours` */
  setHours(center: string, actorId: string, body: InstructorHoursUpdate, options?: CallOptions): Call<InstructorHours>
}

export interface PlatformLogos {
  /** Upload a logo: `POST /api/centers/{center}/logos` */
  add(center: string, body: NewLogo, options?: CallOptions): Call<Logo>
  /** Upload a partner's logo: `POST /api/partner/logos` */
  addAsPartner(body: NewLogo, options?: CallOptions): Call<Logo>
}

export interface PlatformLogs {
  /** Retrieve the log document: `GET /.well-known/countersign-log.json` */
  get(options?: CallOptions): Call<LogDocument>
}

export interface PlatformMemberPasskeys {
  /** List a member's passkeys: `GET /api/centers/{center}/members/{actorId}/passkeys` */
  list(center: string, actorId: string, options?: CallOptions): Call<MemberPasskey[]>
  /** List unconfirmed passkeys: `GET /api/centers/{center}/passkeys` */
  listUnconfirmed(center: string, options?: CallOptions): Call<UnconfirmedPasskey[]>
  /** Create a challenge for confirming a passkey: `POST /api/centers/{center}/members/{actorId}/passkeys/{id}/confirm/options` */
  challengeConfirmation(center: string, actorId: string, id: string, options?: CallOptions): Call<PasskeyConfirmation>
  /** Confirm a member's passkey: `POST /api/centers/{center}/members/{actorId}/passkeys/{id}/confirm` */
  confirm(center: string, actorId: string, id: string, body?: NewPasskeyConfirmation, options?: CallOptions): Call<MemberPasskey>
}

export interface PlatformMembers {
  /** List members: `GET /api/centers/{center}/members` */
  list(center: string, query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Part of the name, or the beginning of the email address. */
    search?: string
    /** Only members who have this role, alone or among others. */
    role?: ActorRole
    status?: MembershipStatus
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
  }, options?: CallOptions): PageCall<ListedMember, MemberCounts>
  /** Export members as CSV: `GET /api/centers/{center}/members.csv` */
  exportCsv(center: string, query?: {
    /** Part of the name, or the beginning of the email address. */
    search?: string
    /** Only members who have this role, alone or among others. */
    role?: ActorRole
    status?: MembershipStatus
  }, options?: CallOptions): Call<string>
  /** Invite a member: `POST /api/centers/{center}/members` */
  invite(center: string, body: NewMember, options?: CallOptions): Call<Member>
  /** Import members and children: `POST /api/centers/{center}/members/import` */
  import(center: string, body: MemberImport, options?: CallOptions): Call<ImportReport>
}

export interface PlatformMemberships {
  /** Change a member's roles or name: `PATCH /api/memberships/{id}` */
  update(id: string, body: MembershipPatch, options?: CallOptions): Call<Member>
  /** Accept a membership: `POST /api/memberships/{id}/accept` */
  accept(id: string, options?: CallOptions): Call<Member>
  /** Leave a center: `POST /api/memberships/{id}/leave` */
  leave(id: string, options?: CallOptions): Call<Member>
  /** Decline an invitation: `POST /api/memberships/{id}/decline` */
  decline(id: string, options?: CallOptions): Call<Member>
  /** Approve a member: `POST /api/memberships/{id}/approve` */
  approve(id: string, options?: CallOptions): Call<Member>
  /** Suspend a member: `POST /api/memberships/{id}/suspend` */
  suspend(id: string, options?: CallOptions): Call<Member>
  /** Reinstate a member: `POST /api/memberships/{id}/reinstate` */
  reinstate(id: string, options?: CallOptions): Call<Member>
  /** End a membership: `POST /api/memberships/{id}/end` */
  end(id: string, options?: CallOptions): Call<Member>
  /** Decline a member: `POST /api/memberships/{id}/reject` */
  reject(id: string, options?: CallOptions): Call<Member>
  /** Invite a member again: `POST /api/memberships/{id}/reinvite` */
  reinvite(id: string, options?: CallOptions): Call<Member>
  /** List roles waiting for confirmation: `GET /api/memberships/waiting` */
  listWaiting(options?: CallOptions): Call<WaitingMember[]>
  /** Confirm a member's role: `POST /api/memberships/{id}/confirm` */
  confirm(id: string, body?: MembershipConfirmation, options?: CallOptions): Call<Eligibility>
}

export interface PlatformNotificationChannels {
  /** Add a chat channel to notify about waiting decisions: `POST /api/centers/{center}/notification-channels` */
  create(center: string, body: NewNotificationChannel, options?: CallOptions): Call<NotificationChannel>
  /** List chat channels: `GET /api/centers/{center}/notification-channels` */
  list(center: string, options?: CallOptions): Call<NotificationChannel[]>
  /** Send a test message: `POST /api/centers/{center}/notification-channels/{id}/test` */
  test(center: string, id: string, options?: CallOptions): Call<NotificationChannel>
  /** Remove a chat channel: `DELETE /api/centers/{center}/notification-channels/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
}

export interface PlatformNotifications {
  /** Retrieve your notification settings: `GET /api/auth/me/notifications` */
  get(options?: CallOptions): Call<NotificationSettings>
  /** Change your notification settings: `PUT /api/auth/me/notifications` */
  put(body: NotificationChoices, options?: CallOptions): Call<NotificationSettings>
}

export interface PlatformPartner {
  /** Confirm a member's role as a partner: `POST /api/partner/centers/{centerId}/memberships/{id}/confirm` */
  confirmMembership(centerId: number, id: string, options?: CallOptions): Call<Eligibility>
  /** List the stops in your centers: `GET /api/partner/freezes` */
  listFreezes(options?: CallOptions): Call<PartnerFreezes>
  /** Create a stop in one of your centers: `POST /api/partner/centers/{centerId}/freezes` */
  createFreeze(centerId: number, body: NewFreeze, options?: CallOptions): Call<FreezeMade>
  /** Lift a stop in one of your centers: `POST /api/partner/centers/{centerId}/freezes/{id}/lift` */
  liftFreeze(centerId: number, id: string, body: FreezeLifting, options?: CallOptions): Call<Freeze>
  /** Confirm a passkey as a partner: `POST /api/partner/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm` */
  confirmPasskey(centerId: number, actorId: string, id: string, options?: CallOptions): Call<MemberPasskey>
  /** List a partner's passkeys to confirm: `GET /api/partner/passkeys` */
  listPasskeys(options?: CallOptions): Call<SoleAdminPasskey[]>
  /** List a partner's centers: `GET /api/partner/centers` */
  listCenters(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** Part of the name or subdomain. Small spelling mistakes are tolerated. */
    search?: string
  }, options?: CallOptions): PageCall<PartnerCenter>
  /** Export a partner's centers as CSV: `GET /api/partner/centers.csv` */
  exportCentersCsv(options?: CallOptions): Call<string>
  /** Create a center as a partner: `POST /api/partner/centers` */
  createCenter(body: NewPartnerCenter, options?: CallOptions): Call<CreatedPartnerCenter>
  /** Retrieve a partner's center: `GET /api/partner/centers/{centerId}` */
  getCenter(centerId: number, options?: CallOptions): Call<PartnerCenter>
  /** Update a partner's center: `PATCH /api/partner/centers/{centerId}` */
  updateCenter(centerId: number, body: PartnerCenterPatch, options?: CallOptions): Call<Center>
  /** Name an administrator for a center: `POST /api/partner/centers/{centerId}/admins` */
  nameCenterAdmin(centerId: number, body: NewCenterAdmin, options?: CallOptions): Call<Member>
  /** Retrieve the partner dashboard: `GET /api/partner/stats/dashboard` */
  getDashboard(options?: CallOptions): Call<PartnerDashboard>
  /** List a partner's audit entries: `GET /api/partner/audit` */
  listAuditEntries(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
    /** The first day, in UTC. */
    startDate?: string
    /** The last day, in UTC. */
    endDate?: string
    type?: AuditType
    /** Only entries by this person, API key or job. */
    actorId?: string
  }, options?: CallOptions): PageCall<AuditEntry>
  /** List the members of a partner's centers: `GET /api/partner/members` */
  listMembers(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<Member>
  /** Retrieve the partner settings: `GET /api/partner/settings` */
  getSettings(options?: CallOptions): Call<PartnerSettings>
  /** Update the partner settings: `PATCH /api/partner/settings` */
  updateSettings(body: PartnerSettings, options?: CallOptions): Call<PartnerSettings>
  /** Close an emergency approval in one of your centers: `POST /api/partner/centers/{centerId}/decisions/{eventId}/confirmations/close` */
  closeEmergency(centerId: number, eventId: string, body: EmergencyClosing, options?: CallOptions): Call<ClosedEmergency>
  /** List a center's inherited policies: `GET /api/partner/centers/{centerId}/policies` */
  listCenterPolicies(centerId: number, options?: CallOptions): Call<Policy[]>
  /** Update an inherited policy: `PATCH /api/partner/centers/{centerId}/policies/{id}` */
  updateCenterPolicy(centerId: number, id: string, body: PolicyPatch, options?: CallOptions): Call<Policy>
  /** Retrieve your centers' integrity status: `GET /api/partner/integrity` */
  getIntegrity(options?: CallOptions): Call<CenterIntegrity[]>
}

export interface PlatformPartnerAccounts {
  /** List partner accounts: `GET /api/partner/accounts` */
  list(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<PartnerAccount>
  /** Change the role of a partner account: `PATCH /api/partner/accounts/{actorId}` */
  update(actorId: string, body: PartnerAccountPatch, options?: CallOptions): Call<PartnerAccount>
  /** Remove a partner account: `DELETE /api/partner/accounts/{actorId}` */
  end(actorId: string, options?: CallOptions): Call<void>
}

export interface PlatformPartnerInvitations {
  /** Invite a person to a partner: `POST /api/partner/invitations` */
  create(body: NewPartnerInvitation, options?: CallOptions): Call<PartnerInvitation>
  /** List partner invitations: `GET /api/partner/invitations` */
  list(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<PartnerInvitation>
  /** Revoke a partner invitation: `DELETE /api/partner/invitations/{id}` */
  revoke(id: string, options?: CallOptions): Call<void>
}

export interface PlatformPasskeys {
  /** List your passkeys: `GET /api/auth/passkeys` */
  list(options?: CallOptions): Call<Passkey[]>
  /** Start registering a passkey: `POST /api/auth/passkeys/register/options` */
  startRegistration(options?: CallOptions): Call<PasskeyRegistration>
  /** Submit a new passkey: `POST /api/auth/passkeys/register/attestation` */
  attest(body: NewPasskeyAttestation, options?: CallOptions): Call<PasskeyAttested>
  /** Register a passkey: `POST /api/auth/passkeys/register` */
  register(body: NewPasskey, options?: CallOptions): Call<Passkey>
  /** Remove a passkey: `DELETE /api/auth/passkeys/{id}` */
  remove(id: string, options?: CallOptions): Call<void>
  /** Start signing in with a passkey: `POST /api/auth/passkeys/login/options` */
  startLogin(options?: CallOptions): Call<PasskeyLogin>
  /** Sign in with a passkey: `POST /api/auth/passkeys/login` */
  login(body: PasskeyCredentials, options?: CallOptions): Call<AuthSession>
  /** Retrieve how your passkeys stand in the center: `GET /api/auth/passkeys/standing` */
  getStanding(options?: CallOptions): Call<PasskeyStanding>
}

export interface PlatformPolicies {
  /** List policies: `GET /api/policies` */
  list(options?: CallOptions): Call<Policy[]>
  /** Create a policy: `POST /api/policies` */
  create(body: NewPolicy, options?: CallOptions): Call<Policy | PendingPolicyChange>
  /** Update a policy: `PATCH /api/policies/{id}` */
  update(id: string, body: PolicyPatch, options?: CallOptions): Call<Policy | PendingPolicyChange>
  /** Delete a policy: `DELETE /api/policies/{id}` */
  delete(id: string, options?: CallOptions): Call<PendingPolicyChange | void>
  /** List policy versions: `GET /api/policies/{id}/versions` */
  listVersions(id: string, options?: CallOptions): Call<Policy[]>
  /** Check a decision against the policies: `POST /api/policies/check` */
  check(body: PolicyCheckRequest, options?: CallOptions): Call<PolicyCheck>
  /** Export policies as a file: `GET /api/policies/export` */
  export(options?: CallOptions): Call<PolicyExport>
  /** Import policies from a file: `PUT /api/policies/import` */
  import(body: PolicyFile, options?: CallOptions): Call<PolicyImport>
}

export interface PlatformProvisioning {
  /** Create a center: `POST /api/provisioning/center-tenant` */
  createCenter(body: NewCenter, options?: CallOptions): Call<ProvisionedCenter>
  /** Check a subdomain: `POST /api/provisioning/check-subdomain` */
  checkSubdomain(body: SubdomainCheck, options?: CallOptions): Call<SubdomainCheckResult>
  /** List the plans for centers: `GET /api/provisioning/center-plans` */
  listCenterPlans(options?: CallOptions): Call<Plan[]>
  /** List the plans for the learning application: `GET /api/provisioning/lms-plans` */
  listLmsPlans(options?: CallOptions): Call<Plan[]>
}

export interface PlatformPublicVerification {
  /** Verify a sealed record: `GET /verify/{id}` */
  verify(id: string, options?: CallOptions): Call<PublicVerification>
}

export interface PlatformPush {
  /** Retrieve your push subscription: `GET /api/auth/push` */
  get(options?: CallOptions): Call<PushState>
  /** Subscribe this browser to notifications about waiting decisions: `PUT /api/auth/push` */
  subscribe(body: NewPushSubscription, options?: CallOptions): Call<void>
  /** Unsubscribe this browser from notifications: `DELETE /api/auth/push` */
  unsubscribe(options?: CallOptions): Call<void>
}

export interface PlatformSandboxes {
  /** Create a sandbox: `POST /api/centers/{center}/sandbox` */
  create(center: string, options?: CallOptions): Call<Sandbox>
  /** Reset a sandbox: `POST /api/centers/{center}/sandbox/reset` */
  reset(center: string, options?: CallOptions): Call<Sandbox>
  /** List sandboxes: `GET /api/centers/{center}/sandboxes` */
  list(center: string, options?: CallOptions): Call<NamedSandbox[]>
  /** Create a named sandbox: `POST /api/centers/{center}/sandboxes` */
  add(center: string, body: NewSandbox, options?: CallOptions): Call<NewNamedSandbox>
  /** Refresh a sandbox: `POST /api/centers/{center}/sandboxes/{sandboxId}/refresh` */
  refresh(center: string, sandboxId: number, options?: CallOptions): Call<NamedSandbox>
  /** End a sandbox: `DELETE /api/centers/{center}/sandboxes/{sandboxId}` */
  end(center: string, sandboxId: number, options?: CallOptions): Call<void>
}

export interface PlatformSearch {
  /** Search decisions: `GET /api/search/decisions` */
  decisions(query?: {
    /** Up to eight words: names, amounts (`1200000`, `1,200,000` or `120만`), words of the description, the reason or the values, the name of the action type, or an ID. Every word must match. Korean words are also found inside compounds, and with or without the endings that Korean attaches to them. */
    q?: string
    /** Only decisions that this member asked for, approved or refused. */
    personId?: string
    /** Only decisions by the actor with this ID, such as an agent. */
    agentId?: string
    /** Only decisions that this policy applied to. */
    policyId?: string
    type?: DecisionEventType
    /** Only decisions with this tag. */
    tag?: string
    status?: DecisionEventStatus
    waiting?: boolean | YesNo
    /** Only decisions whose amount is at least this. */
    minAmount?: number
    /** Only decisions whose amount is at most this. */
    maxAmount?: number
    /** Only decisions recorded at this time or later. */
    from?: string
    /** Only decisions recorded before this time. */
    to?: string
    /** `pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on. */
    cursor?: string
    /** The largest number of decisions to return. */
    limit?: number
  }, options?: CallOptions): Call<FoundDecisions>
  /** Search a center: `GET /api/search` */
  all(query: {
    /** Up to eight words: names, amounts (`1200000`, `1,200,000` or `120만`), words of the description, the reason or the values, the name of the action type, or an ID. Every word must match. Korean words are also found inside compounds, and with or without the endings that Korean attaches to them. */
    q: string
    /** The largest number of results of each kind. */
    limit?: number
  }, options?: CallOptions): Call<Found>
}

export interface PlatformSessions {
  /** List your sessions: `GET /api/auth/sessions` */
  list(options?: CallOptions): Call<OwnSession[]>
  /** End a session: `DELETE /api/auth/sessions/{id}` */
  end(id: string, options?: CallOptions): Call<void>
}

export interface PlatformSignInProviders {
  /** Add a sign-in provider: `POST /api/centers/{center}/sign-in-providers` */
  add(center: string, body: NewSignInProvider, options?: CallOptions): Call<SignInProvider>
  /** Add a partner's sign-in provider: `POST /api/partner/sign-in-providers` */
  addAsPartner(body: NewSignInProvider, options?: CallOptions): Call<SignInProvider>
  /** List sign-in providers: `GET /api/centers/{center}/sign-in-providers` */
  list(center: string, options?: CallOptions): Call<SignInProvider[]>
  /** List a partner's sign-in providers: `GET /api/partner/sign-in-providers` */
  listAsPartner(options?: CallOptions): Call<SignInProvider[]>
  /** Update a sign-in provider: `PATCH /api/centers/{center}/sign-in-providers/{id}` */
  update(center: string, id: string, body: SignInProviderChange, options?: CallOptions): Call<SignInProvider>
  /** Update a partner's sign-in provider: `PATCH /api/partner/sign-in-providers/{id}` */
  updateAsPartner(id: string, body: SignInProviderChange, options?: CallOptions): Call<SignInProvider>
  /** Check a sign-in provider: `POST /api/centers/{center}/sign-in-providers/{id}/check` */
  check(center: string, id: string, options?: CallOptions): Call<SignInProviderCheck>
  /** Check a partner's sign-in provider: `POST /api/partner/sign-in-providers/{id}/check` */
  checkAsPartner(id: string, options?: CallOptions): Call<SignInProviderCheck>
  /** Remove a sign-in provider: `DELETE /api/centers/{center}/sign-in-providers/{id}` */
  remove(center: string, id: string, options?: CallOptions): Call<void>
  /** Remove a partner's sign-in provider: `DELETE /api/partner/sign-in-providers/{id}` */
  removeAsPartner(id: string, options?: CallOptions): Call<void>
}

export interface PlatformSubscription {
  /** Retrieve the subscription: `GET /api/center/subscription` */
  get(options?: CallOptions): Call<Subscription>
  /** Retrieve the subscription notice: `GET /api/center/subscription/notice` */
  getNotice(options?: CallOptions): Call<SubscriptionNotice>
  /** List invoices: `GET /api/center/subscription/invoices` */
  listInvoices(query?: {
    /** The page to return, counted from 1. */
    page?: number
    /** The number of items per page. */
    limit?: number
  }, options?: CallOptions): PageCall<SubscriptionInvoice>
}

export interface PlatformSystem {
  /** Retrieve the start page: `GET /` */
  getHome(options?: CallOptions): Call<Home>
  /** Check liveness: `GET /health/live` */
  checkLive(options?: CallOptions): Call<Health>
  /** Check readiness: `GET /health/ready` */
  checkReady(options?: CallOptions): Call<Health>
  /** Retrieve the public keys: `GET /.well-known/jwks.json` */
  getJwks(options?: CallOptions): Call<Jwks>
  /** Retrieve the OpenAPI document: `GET /openapi.json` */
  getOpenApi(options?: CallOptions): Call<OpenApiDocument>
}

export interface PlatformViews {
  /** List saved views: `GET /api/views` */
  list(options?: CallOptions): Call<SavedView[]>
  /** Save a view: `PUT /api/views` */
  put(body: NewView, options?: CallOptions): Call<SavedView>
  /** Delete a saved view: `DELETE /api/views/{id}` */
  delete(id: string, options?: CallOptions): Call<void>
}

export interface PlatformWebhooks {
  /** Create a webhook: `POST /api/webhooks` */
  register(body: NewWebhook, options?: CallOptions): Call<RegisteredWebhook>
  /** List webhooks: `GET /api/webhooks` */
  list(options?: CallOptions): Call<ListedWebhook[]>
  /** Update a webhook: `PATCH /api/webhooks/{webhookId}` */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Call<Webhook>
  /** Delete a webhook: `DELETE /api/webhooks/{webhookId}` */
  delete(webhookId: string, options?: CallOptions): Call<void>
  /** Rotate a signing secret: `POST /api/webhooks/{webhookId}/rotate-secret` */
  rotateSecret(webhookId: string, body?: SecretRotation, options?: CallOptions): Call<RotatedSecret>
  /** Retry an event: `POST /api/webhooks/events/{eventId}/retry` */
  retryEvent(eventId: string, options?: CallOptions): Call<RetriedEvent>
  /** Send a test event: `POST /api/webhooks/{webhookId}/test` */
  test(webhookId: string, options?: CallOptions): Call<TestEvent>
  /** Recover missed events: `POST /api/webhooks/{webhookId}/recover` */
  recover(webhookId: string, body: NewRecovery, options?: CallOptions): Call<Recovery>
  /** List event types: `GET /api/webhooks/event-types` */
  listEventTypes(options?: CallOptions): Call<EventTypeDescription[]>
}

export interface PlatformWhitelabel {
  /** Retrieve a center's branding: `GET /api/whitelabel/{domain}/config` */
  getConfig(domain: string, options?: CallOptions): Call<WhitelabelConfig>
}

export interface PlatformWorkflows {
  /** List workflows: `GET /api/workflows` */
  list(options?: CallOptions): Call<Workflow[]>
  /** Set a workflow's settings: `PUT /api/workflows/{workflowId}/settings` */
  putSettings(workflowId: string, body: NewWorkflowSettings, options?: CallOptions): Call<Workflow>
  /** Run a workflow: `POST /api/workflows/{workflowId}/execute` */
  execute(workflowId: string, body?: NewExecution, options?: CallOptions): Call<StartedExecution>
}

/** The `data` of each type of event. */
export interface WebhookData {
  /** A DPU was sealed. A decision's DPU is sealed when it enters the chain; any other is sealed when it becomes AUDIT_READY. */
  'dpu.sealed': {
    /** The DPU that the event is about. */
    dpuId: string
    /** A SHA-256 hash in hex, without a prefix. */
    chainHash: string
    domain: ChainDomain
    /** The ID of the person, agent or system that decided. `redacted` if the ID was erased. */
    actorId: string
    evidenceLevel: EvidenceLevel
    /** The entry's index in the chain, counted from 0. */
    chainIndex: number
    /** A signed checkpoint of the log that contains the seal. Store it: if a later checkpoint isn't consistent with it, history was rewritten. */
    checkpoint?: string
    /** The decision event's ID. Null if the DPU doesn't belong to a decision. */
    eventId: string | null
    /** The decision's own ID, as returned when it was recorded. Null if the DPU doesn't belong to a decision. */
    decisionId: string | null
    /** When the DPU was sealed. */
    sealedAt: string
    [name: string]: unknown
  }
  /** A member raised the evidence level of a decision that was already sealed. */
  'dpu.raised': {
    /** The DPU that the event is about. */
    dpuId: string
    /** A SHA-256 hash in hex, without a prefix. */
    chainHash: string
    domain: ChainDomain
    /** The ID of the person, agent or system that decided. `redacted` if the ID was erased. */
    actorId: string
    evidenceLevel: EvidenceLevel
    /** The entry's index in the chain, counted from 0. */
    chainIndex: number
    /** A signed checkpoint of the log that contains the seal. Store it: if a later checkpoint isn't consistent with it, history was rewritten. */
    checkpoint?: string
    /** The decision event's ID. */
    eventId: string
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string | null
    previousLevel: EvidenceLevel
    /** The member who raised the level. */
    reviewerId: string
    /** When the level was raised. */
    raisedAt: string
    [name: string]: unknown
  }
  /** Someone verified a DPU through its public address. */
  'dpu.verified': {
    /** The DPU that was verified. */
    dpuId: string
    /** Whether every check passed. */
    valid: boolean
    /** When the DPU was verified. */
    verifiedAt: string
    [name: string]: unknown
  }
  /** An agent's decision was sealed, with or without an approval. */
  'agent.decision.completed': {
    /** The decision's own ID, as returned by `POST /api/v1/agents/decide`. */
    decisionId: string
    /** The decision event's ID. */
    eventId: string
    /** The requesting agent's ID in your own system. */
    agentId: string
    /** The ID of whoever decided, which is always the agent. */
    actorId: string
    /** The kind of action. */
    actionType: string
    /** How the decision was made: `autonomous` without a person; otherwise, the result of the approval. */
    outcome: 'autonomous' | 'approved' | 'rejected'
    /** The DPU that holds the decision's evidence. */
    dpuId: string
    evidenceLevel: EvidenceLevel
    /** A SHA-256 hash in hex, without a prefix. */
    chainHash: string
    /** When the decision was sealed. */
    sealedAt: string
    [name: string]: unknown
  }
  /** A decision is waiting for an approval. */
  'agent.approval.requested': {
    /** The decision's own ID, as returned by `POST /api/v1/agents/decide`. */
    decisionId: string
    /** The ID of the decision event to approve. */
    eventId: string
    /** The requesting agent's ID in your own system. */
    agentId: string
    /** The kind of action. */
    actionType: string
    /** The requester's estimate of the risk. Null if none was sent. */
    riskScore: number | null
    /** The policies that require the approval. */
    policies: string[]
    /** When the approval was requested. */
    requestedAt: string
    /** The page where a member can approve. The link contains no credential. */
    approvalUrl: string
    /** What the action does, in the requester's words. Null if nothing was sent. */
    description: string | null
    /** The salted digest of the action, as it will be sealed. */
    actionDigest: string
    /** When the decision expires. Null if it never does. */
    expiresAt: string | null
    [name: string]: unknown
  }
  /** A decision that waited for an approval was approved, refused, replaced or withdrawn, or it expired. */
  'agent.approval.decided': {
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string
    /** The ID of the decision event. */
    eventId: string
    /** The requester's ID in your own system. `redacted` if it was redacted. */
    agentId: string
    /** The kind of action. */
    actionType: string
    /** How the decision ended: `approved` or `refused` by a person, `expired`, `replaced` by a new decision, or `withdrawn` by the requester. */
    outcome: 'approved' | 'refused' | 'expired' | 'replaced' | 'withdrawn'
    /** The reason that the last approver, or whoever withdrew the decision, gave. Null if none was given. */
    reason: string | null
    /** The last time at which the decision can be consumed. Null if it wasn't approved. */
    usableUntil: string | null
    /** When the decision was closed. */
    decidedAt: string
    [name: string]: unknown
  }
  /** A member asked or answered a question about a decision that is waiting for an approval. */
  'agent.approval.commented': {
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string
    /** The decision event's ID. */
    eventId: string
    /** The ID of the new comment. */
    commentId: string
    /** The member who wrote the comment. */
    authorId: string
    /** What the member wrote. */
    text: string
    /** When the comment was written. */
    commentedAt: string
    [name: string]: unknown
  }
  /** An emergency approval was confirmed by its approval line. */
  'agent.approval.confirmed': {
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string
    /** The ID of the decision event. */
    eventId: string
    /** The requester's ID in your own system. `redacted` if it was redacted. */
    agentId: string
    /** The kind of action. */
    actionType: string
    /** Who approved in an emergency. */
    usedBy: string[]
    /** The last time at which it could be confirmed. */
    confirmBy: string
    /** Who confirmed it. */
    confirmedBy: string[]
    /** When the last of them confirmed it. */
    confirmedAt: string
    [name: string]: unknown
  }
  /** Someone objected to an emergency approval. The decision can't be consumed anymore. */
  'agent.approval.objected': {
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string
    /** The ID of the decision event. */
    eventId: string
    /** The requester's ID in your own system. `redacted` if it was redacted. */
    agentId: string
    /** The kind of action. */
    actionType: string
    /** Who approved in an emergency. */
    usedBy: string[]
    /** The last time at which it could be confirmed. */
    confirmBy: string
    /** Who objected. */
    objectedBy: string
    /** The reason given for the objection. */
    reason: string
    /** When the objection was sealed. */
    objectedAt: string
    [name: string]: unknown
  }
  /** Nobody confirmed an emergency approval in time. The decision can't be consumed anymore. */
  'agent.approval.unconfirmed': {
    /** The decision's own ID, as returned when it was recorded. */
    decisionId: string
    /** The ID of the decision event. */
    eventId: string
    /** The requester's ID in your own system. `redacted` if it was redacted. */
    agentId: string
    /** The kind of action. */
    actionType: string
    /** Who approved in an emergency. */
    usedBy: string[]
    /** The last time at which it could be confirmed. */
    confirmBy: string
    /** When the service sealed that nobody confirmed it in time. */
    unconfirmedAt: string
    [name: string]: unknown
  }
  /** An agent, an API key, action types or the whole center were stopped. */
  'agent.frozen': {
    /** The stop's ID. */
    freezeId: string
    /** The agent or person whose requests are stopped. */
    actorId?: string
    /** The API key that is stopped. */
    keyId?: string
    /** The action types that are stopped. */
    actionTypes?: string[]
    /** Present if the whole center is stopped. */
    center?: true
    /** The reason given for stopping or lifting. */
    reason: string
    /** Who made the stop. Only the same rank or a higher one can lift it. */
    rank: 'center' | 'partner' | 'operator'
    /** The actor ID of the person who made the stop, or `operator`. */
    madeBy: string
    /** When the stop took effect. */
    madeAt: string
    [name: string]: unknown
  }
  /** A stop was lifted. Everything it covered can continue. */
  'agent.resumed': {
    /** The stop's ID. */
    freezeId: string
    /** The agent or person whose requests are stopped. */
    actorId?: string
    /** The API key that is stopped. */
    keyId?: string
    /** The action types that are stopped. */
    actionTypes?: string[]
    /** Present if the whole center is stopped. */
    center?: true
    /** The reason given for stopping or lifting. */
    reason: string
    /** Who made the stop. Only the same rank or a higher one can lift it. */
    rank: 'center' | 'partner' | 'operator'
    /** The actor ID of the person who lifted the stop, or `operator`. */
    liftedBy: string
    /** When the stop was lifted. */
    liftedAt: string
    [name: string]: unknown
  }
  /** A payment was confirmed and reconciled. */
  'payment.completed': {
    /** A signed statement that also changes the center's subscription. */
    centerSubscription?: SubscriptionStatement
    /** The payment's ID in your own system. */
    paymentId?: string
    /** The order that the payment is for. */
    orderId?: string
    /** The amount that the payment is for. */
    amount?: number
    /** The currency of the amount, as an ISO 4217 code. */
    currency?: string
    /** When the payment was made. */
    paidAt?: string
    [name: string]: unknown
  }
  /** A payment attempt failed. */
  'payment.failed': {
    /** A signed statement that also changes the center's subscription. */
    centerSubscription?: SubscriptionStatement
    /** The payment's ID in your own system. */
    paymentId?: string
    /** The order that the payment is for. */
    orderId?: string
    /** The amount that the payment is for. */
    amount?: number
    /** The currency of the amount, as an ISO 4217 code. */
    currency?: string
    /** Why the payment failed, in your payment provider's words. */
    reason?: string
    [name: string]: unknown
  }
  /** A check-in by QR code or attendance at a workshop was confirmed. */
  'attendance.verified': {
    /** The ID of the attendance record in your own system. */
    attendanceId?: string
    /** The ID of the person who attended: their actor ID if they're a member of the center, otherwise their ID in your own system. */
    learnerId?: string
    /** The ID of the session: the appointment's ID if it was booked here, otherwise the ID in your own system. */
    sessionId?: string
    /** How attendance was checked. */
    method?: string
    /** When attendance was confirmed. */
    verifiedAt?: string
    [name: string]: unknown
  }
  /** A digital certificate with its proof was issued to a learner. */
  'certificate.issued': {
    /** The certificate's ID in your own system. */
    certificateId?: string
    /** The person who received the certificate. */
    learnerId?: string
    /** The course that the certificate is for. */
    courseId?: string
    /** The DPU that proves the certificate. It must belong to the same center. */
    dpuId: string
    /** When the certificate was issued. */
    issuedAt?: string
    [name: string]: unknown
  }
  /** A workflow execution changed state. */
  'workflow.transitioned': {
    /** The execution that changed. */
    executionId: string
    /** The workflow that the execution runs. */
    workflowId: string
    /** The previous state. Null when the execution was created. */
    from: string | null
    /** The new state. */
    to: string
    /** The execution's DPU. Null or absent while it has none. */
    dpuId?: string | null
    /** When the state changed. */
    at: string
    [name: string]: unknown
  }
  /** One of the center's chains failed verification. The operator has been alerted too. */
  'integrity.alarm': {
    domain: ChainDomain
    /** The index of the first entry that doesn't match. */
    chainIndex: number
    /** What is affected: always the chain. Nothing can be added to it until the operator clears the alarm; entries before `chainIndex` aren't affected. */
    affected: 'chain'
    /** When the problem was found. */
    foundAt: string
    /** The URL to read for details, with an API key that has the `proof:read` scope. */
    readOn: string
    [name: string]: unknown
  }
  /** The operator declared that some of the center's sealed entries were lost, for example after a restore. */
  'integrity.loss': {
    domain: ChainDomain
    /** The name under which the log continues. */
    log: string
    /** The log's generation in this chain: 2 after the first declared loss. */
    generation: number
    /** The number of entries in the restored database. */
    restoredSize: number
    /** The number of entries that had been signed before the loss. */
    lostSize: number
    /** The index of the first lost entry, as in its receipt. */
    lostFrom: number
    /** The index of the last lost entry. */
    lostTo: number
    /** Why entries were lost, in the operator's words. */
    reason: string
    /** Who declared the loss. */
    declaredBy: string
    /** When the loss was declared. */
    declaredAt: string
    /** The URL to read for details, with an API key that has the `proof:read` scope. */
    readOn: string
    [name: string]: unknown
  }
}

/** The request was accepted. */
export interface Accepted {
  /** Always true: the request was accepted. */
  accepted: true
}

/** The center or partner that you're now a member of. */
export interface AcceptedInvitation {
  /** The membership's current state. */
  status: MembershipStatus
  /** The center's subdomain. Null if a partner invited you. */
  centerDomain: string | null
  /** The center's name. Null if a partner invited you. */
  centerName: string | null
  /** The partner's name. Null if a center invited you. */
  partnerName: string | null
}

/** What deleting the account ends, what it keeps, and what prevents it. */
export interface AccountErasure {
  /** What has to change before the account can be deleted. Empty if it can be deleted now. */
  obstacles: ErasureObstacle[]
  ends: ErasureEnds
  keeps: ErasureKeeps
}

/** What the gateway will run, as `action_digest` covers it. */
export interface ActionBinding {
  /** The version of the format. */
  schema_version: '1.0'
  /** What the agent wants to do. It becomes the decision's action type, which policies match. */
  operation: string
  /** The ID of the agent that wants to act. If your API key is bound to an actor, this must be that actor's ID. */
  agent_id: string
  /** Whom the agent acts for; null if nobody is named. */
  subject_id: string | null
  target: ActionTarget
  /** The exact parameters of the call. Approvers see all of them. */
  parameters: JsonObject
}

/** The action, without its content. */
export interface ActionSummary {
  /** The action's type, as it was sent. */
  type: string
}

/** The tool that the gateway will call. */
export interface ActionTarget {
  /** The tool's name. */
  tool_name: string
  /** The version of the tool's schema. */
  tool_schema_version: string
  /** What the tool acts on; null if nothing is named. */
  resource: string | null
}

/** The action type's current template. Null if neither the center nor its vertical has one. The digest identifies the template that approvers were shown. */
export interface ActionTemplate {
  /** The action type, spelled as it was sent when this version was created. */
  type: string
  /** The version number, starting at 1. Version 0 is the vertical's starting template, which applies if the center has no template of its own. */
  version: number
  /** `sha256:` followed by the SHA-256 of the canonical form of `{type, name, sentence, labels}`. */
  digest: string
  name: ActionTypeName
  /** The headline of a decision. Null if the template has none. */
  sentence: ActionTypeSentence | null
  labels: ActionTypeLabels
}

/** An action type, with the template used to show its decisions. */
export interface ActionType {
  /** The action type, spelled as it was sent when this version was created. */
  type: string
  /** The version number, starting at 1. Version 0 is the vertical's starting template, which applies if the center has no template of its own. */
  version: number
  /** `sha256:` followed by the SHA-256 of the canonical form of `{type, name, sentence, labels}`. */
  digest: string
  name: ActionTypeName
  /** The headline of a decision. Null if the template has none. */
  sentence: ActionTypeSentence | null
  labels: ActionTypeLabels
  /** When this version was created. Null for a starting template. */
  createdAt: string | null
}

/** The value's label, in one language or both. */
export interface ActionTypeLabel {
  /** The text in this language. */
  ko?: string
  /** The text in this language. */
  en?: string
}

/** Labels for the values in `action.input`. Each key is a JSON Pointer (RFC 6901) to a value. */
export type ActionTypeLabels = Record<string, ActionTypeLabel>

/** The action type's name, in one language or both. */
export interface ActionTypeName {
  /** The text in this language. */
  ko?: string
  /** The text in this language. */
  en?: string
}

/** The headline of a decision. A JSON Pointer in braces, such as `{/payment/amount}`, is replaced with that value from `action.input`; a missing value is shown as a marked gap. Braces can't be used for anything else. */
export interface ActionTypeSentence {
  /** The text in this language. */
  ko?: string
  /** The text in this language. */
  en?: string
}

/** A person's role in a center: administrator (`ADMIN`), instructor (`INSTRUCTOR`), guardian (`PARENT`) or client (`CHILD`). */
export type ActorRole = 'ADMIN' | 'INSTRUCTOR' | 'PARENT' | 'CHILD'

/** The code that was sent to the new address. */
export interface AddressConfirmation {
  /** The six digits that we sent to the address. */
  code: string
}

/** An administrator, and whether they have a passkey that counts. */
export interface AdminPasskeyHolder {
  /** The administrator's actor ID. */
  actorId: string
  /** The administrator's name. */
  name: string
  /** Whether one of their passkeys counts in this center. */
  counts: boolean
}

/** Whether the center asks its administrators for passkeys, and who has one. */
export interface AdminPasskeys {
  /** Whether administrators can work in this center only with a passkey that counts in it. */
  required: boolean
  /** The center's first 100 ACTIVE administrators. */
  admins: AdminPasskeyHolder[]
}

/** Whether administrators need a passkey. */
export interface AdminPasskeysSetting {
  /** Whether administrators can work in this center only with a passkey that counts in it. */
  required: boolean
}

/** Whether to ask. */
export interface AdminPasskeysUpdate {
  /** Whether administrators can work in this center only with a passkey that counts in it. */
  required: boolean
}

/** What let the person approve at this step: their role, a group, being named in the policy, an escalation, or the right to approve in an emergency. */
export type AdmittedBy = 'role' | 'group' | 'person' | 'escalation' | 'emergency'

/** The agent that wants to act. */
export interface Agent {
  /** The agent's ID in your own system. If your API key is bound to an actor, this must be that actor's ID. */
  id: string
  /** The name that approvers see. */
  name?: string
}

/** The answer to an agent that asked whether it may act. */
export interface AgentDecision {
  /** The request's `Idempotency-Key`, or a new `dec_` ID if no key was sent. */
  decisionId: string
  /** The decision event's ID. If an approval is required, use this ID to follow the decision. */
  eventId: string
  outcome: DecisionOutcome
  /** The policies that applied. */
  policies: AppliedPolicy[]
  /** The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out. */
  actionDigest: string
  /** The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted. */
  actionSalt: string | null
  dpu: DecisionDpu
  /** The receipt for the seal. Null until the decision is sealed. */
  receipt: Receipt | null
  /** The page where a member can approve or refuse. The URL contains no credential. Null unless `outcome` is `approval_required`. */
  approvalUrl: string | null
  /** What to do next. Absent if there is nothing to do. */
  note?: string
}

/** An agent's last decision. */
export interface AgentLastDecision {
  /** The decision event's ID. */
  eventId: string
  /** The first 255 characters of the action's type. */
  actionType: string
  /** When the decision was recorded. */
  createdAt: string
}

/** The model and the run behind a decision. All fields are optional and are sealed as you send them. */
export interface AiContext {
  /** The model that made the decision. */
  model?: string
  /** Who runs the model. */
  provider?: string
  /** The model's own confidence, from 0 to 1. */
  confidence?: number
  /** The reasoning behind the decision, as the model or your code states it. */
  reasoning?: string
  /** The model's exact version. */
  modelVersion?: string
  /** The version of your agent's code. */
  agentVersion?: string
  /** The ID of the tool call in your framework that led to this decision. */
  toolCallId?: string
  /** The ID of the trace that the run belongs to. */
  traceId?: string
  /** The ID of the span within the trace. */
  spanId?: string
  /** A digest of the prompt, so that you can prove later which prompt was used without storing it here. */
  promptDigest?: string
}

/** An operator who looks after an alarm. */
export interface AlarmAcknowledgement {
  /** The operator who looks after the alarm. */
  name: string
  /** What they are doing about it. */
  note: string
  /** When they acknowledged it. */
  at: string
}

/** Whether a broken chain was found or its alarm was cleared. */
export type AlarmAction = 'found' | 'cleared'

/** A chain entry as it is stored, without its content. */
export interface AlarmedEntry {
  /** The entry's index in the chain. */
  index: number
  /** The entry's hash, as stored. */
  hash: string
  /** The previous entry's hash, as stored. Null for the first entry. */
  previousHash: string | null
  /** The hash computed from the stored entry. It differs from `hash` if the entry was altered. */
  computedHash: string
  /** When the entry was sealed. */
  sealedAt: string
}

/** How well the checkpoint is attested: `logged` (signed by this server), `witnessed` (cosigned by witnesses) or `timestamped` (by a time-stamping authority). */
export type Anchoring = 'logged' | 'witnessed' | 'timestamped'

/** An API key, without the key itself. */
export interface ApiKey {
  /** The API key's ID. */
  id: string
  /** A name that helps you recognize the key. */
  name: string
  /** The key's first characters, which help you recognize it. */
  prefix: string
  /** What the key can do. */
  scopes: ApiKeyScope[]
  /** The only actor that the key can record decisions as. Null if the key isn't bound to an actor. */
  actor: ApiKeyActor | null
  /** Whether the key is bound to an actor but still has access to webhooks, because it was created before such keys lost that access. If true, replace the key. */
  keepsWebhooks: boolean
  /** The key that this one replaces. Null if it was created on its own. */
  replaces: string | null
  /** When the key stops working. Null if it never expires. */
  expiresAt: string | null
  /** When the key was last used. Null if it has never been used. */
  lastUsedAt: string | null
  /** When the key was created. */
  createdAt: string
}

/** The only actor that the key can record decisions as; for any other actor, the response is 403. The key can read only this actor's decisions, and has no access to chains or webhooks. */
export interface ApiKeyActor {
  /** The actor's ID in your own system. */
  id: string
  type: EventActorType
}

/** How long the previous key and the new one work. */
export interface ApiKeyRotation {
  /** How long the previous key keeps working, in seconds. Send 0 after a key has leaked. */
  expirePreviousAfterSeconds?: number
  /** When the new key should stop working. Null: never. If you omit this, the new key gets as much time as the previous one had when it was created. */
  expiresAt?: string | null
}

/** What an API key can do. `decide` is for a single agent: the key can record and read decisions, ask whether the agent may act, consume decisions and report outcomes, always as the actor that the key is bound to. `proof:read` allows reading decisions, evidence and chains. `proof:write` allows recording decisions, and `proof:approve` approving them; both include `proof:read`, and both can add approvals. If a policy accepts an approver who is named by an API key, the key must have the `proof:approve` scope and can't be the key that recorded the decision. `events:write` allows publishing events. `webhooks:write` allows managing webhooks. `policies:write` allows reading policies and importing them from a file; what loosens them still needs people's approval. `sandboxes:write` allows creating, refreshing and ending the center's sandboxes, which start with its policies. */
export type ApiKeyScope = 'decide' | 'proof:read' | 'proof:write' | 'proof:approve' | 'events:write' | 'webhooks:write' | 'policies:write' | 'sandboxes:write'

/** An event type that a companion application can publish. */
export type AppEventType = 'payment.completed' | 'payment.failed' | 'attendance.verified' | 'certificate.issued'

/** A policy that applied to the decision, with its version. */
export interface AppliedPolicy {
  /** The policy's ID. */
  id: string
  /** The version that applied. */
  version: number
  /** The policy version's digest. */
  digest: string
}

/** An approval or refusal, with the seal if it completed the decision. */
export interface Approval {
  /** The ID of this approval or refusal. */
  approvalId: string
  /** The decision's own ID, as returned when it was recorded. */
  decisionId: string
  approver: Approver
  result: ApprovalResult
  /** The comment that came with the approval. */
  reason?: string
  evidenceLevel: EvidenceLevel
  /** The hash of the chain entry. Null while another approval is still needed. */
  sealedHash: string | null
  /** When the decision was sealed. Null while another approval is still needed. */
  sealedAt: string | null
  /** When the server received the approval. */
  createdAt: string
  /** The receipt for the seal. Null while another approval is still needed. */
  receipt: Receipt | null
}

/** What your passkey signs to approve or refuse the decision. */
export interface ApprovalChallenge {
  statement: ApprovalStatement
  /** The salt that goes into `reasonDigest` with the comment. Null if there is no comment. */
  reasonSalt: string | null
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** Where the approval was given: through the API, on the approval page or in the console. */
export type ApprovalChannel = 'api' | 'page' | 'console'

/** How the approver's identity was established. */
export interface ApprovalIdentity {
  level: IdentityLevel
  /** The API key or member that vouches for the approver. Empty if it has been redacted. */
  by: string
}

/** Whether the decision is approved or refused. Either result is sealed. */
export type ApprovalResult = 'approved' | 'rejected'

/** The statement that the passkey signs. The decision's export contains it. */
export interface ApprovalStatement {
  /** The statement's format. */
  type: 'countersign-approval-v2'
  /** The name of the log that the decision will be sealed into. */
  log: string
  /** The decision event's ID. */
  eventId: string
  /** The decision's own ID, as returned when it was recorded. */
  decisionId: string
  /** The digest of the action being approved or refused. */
  actionDigest: string
  result: ApprovalResult
  /** The digest of the comment and its salt. Null if there is no comment. */
  reasonDigest: string | null
  /** The member who approves or refuses the decision. */
  approverId: string
  /** The policies that require the approval. */
  policies: AppliedPolicy[]
  /** The member on whose behalf a deputy approves. Null if the approver isn't a deputy. */
  onBehalfOf: string | null
  /** Reserved; always null. */
  approvedActionDigest: null
  /** True for an emergency approval. Null for any other approval or refusal. */
  emergency: boolean | null
  shown: ShownDecision | null
  /** The digest of the earlier approvals, as in the decision's `prior`. */
  prior: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** The answer of a person, with a proof that anyone can verify offline. */
export interface ApprovalVerdict {
  /** The version of the format. */
  schema_version: '1.0'
  /** The kind of message. */
  type: 'approval_response'
  /** The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name. */
  approval_request_id: string
  /** The `action_digest` of the request. */
  action_digest: string
  /** The decision event's ID. */
  event_id: string
  /** How the request ended: `approved` or `refused` by a person or a policy, `expired`, or `withdrawn` or `replaced` by the requester. */
  status: 'approved' | 'refused' | 'expired' | 'replaced' | 'withdrawn'
  /** Whether the gateway may run the action, once. Never rely on it alone: verify `proof`. */
  approved: boolean
  /** Who decided last, by their actor ID; null if the ID has been redacted. */
  approver: string | null
  /** The reason that came with the decision; empty if none was given. */
  reason: string
  /** Until when the approval can be used. Null if it was not approved. */
  usable_until: string | null
  proof: DecisionProof
}

/** Who approves or refuses. */
export interface Approver {
  /** The approver's ID in your own system, or their actor ID if they're a member of the center. */
  id: string
  type: ApproverType
  /** The approver's name, as it should appear in the record. */
  name?: string
}

/** How the approver's identity was established, and who vouches for it. */
export interface ApproverIdentity {
  level: IdentityLevel
  /** The API key or member that vouches for the approver. */
  by?: string
}

/** The role of a member who may approve. */
export type ApproverRole = 'ADMIN' | 'INSTRUCTOR'

/** Whether a person or a system approves. */
export type ApproverType = 'human' | 'system'

/** A policy guard that requires an approval. */
export type ApprovingGuard = 'humanReview' | 'riskThreshold' | 'dualApproval' | 'minimumEvidenceLevel'

/** The decision, which waits for its approvals. */
export interface AskedDecision {
  /** The decision event's ID. */
  eventId: string
  /** The page on which the approvers decide. */
  approvalUrl: string
}

/** Whether a client came to one appointment or session. */
export interface Attendance {
  /** The attendance record's ID. */
  id: string
  kind: AttendanceKind
  source: AttendanceSource
  /** When the appointment began, or when the companion application verified attendance. */
  at: string
  /** When attendance was recorded or last corrected. */
  recordedAt: string
  /** The booking's ID. Null if there was no booking. */
  bookingId: string | null
  /** The client's actor ID. Null if the client is known only to a companion application. */
  clientId: string | null
  /** The person's name. Null if they aren't currently a member. */
  clientName: string | null
  /** The companion application's own ID for the client (`data.learnerId`). Null if there is none. */
  reference: string | null
  /** The instructor's actor ID. Null if there was no instructor. */
  instructorId: string | null
  /** The person's name. Null if they aren't currently a member. */
  instructorName: string | null
}

/** The number of records of each kind. */
export interface AttendanceByKind {
  /** The number of times that a client came. */
  attended: number
  /** The number of times that a client didn't come. */
  no_show: number
}

/** A child's attendance counts. */
export interface AttendanceCounts {
  /** The child's actor ID. */
  childId: string
  /** How often the child came. */
  attended: number
  /** How often the child didn't come. */
  noShow: number
}

/** Whether the client came. */
export type AttendanceKind = 'attended' | 'no_show'

/** An appointment's attendance. */
export interface AttendanceMark {
  /** The appointment. */
  bookingId: string
  kind: AttendanceKind
  /** The status that you saw. Omit this to replace any earlier mark. */
  expected?: BookingStatus
}

/** The attendance to record. */
export interface AttendanceMarks {
  /** The marks, at most one for each appointment. */
  marks: AttendanceMark[]
}

/** Whether a child came to an appointment. */
export interface AttendanceOfChild {
  /** The center's numeric ID. */
  centerId: number
  /** The center's name, as people see it. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The child's actor ID. */
  childId: string
  /** The child's name, as the center recorded it. */
  childName: string
  kind: AttendanceKind
  /** When the appointment began. */
  at: string
  /** The booking's ID. Null if there was none. */
  bookingId: string | null
  /** The instructor's name. Null if they are no longer a member. */
  instructorName: string | null
}

/** What happened to the mark: it was recorded (`recorded`), the appointment already had it (`unchanged`), or nothing was changed because the status wasn't the expected one (`changed`), the appointment hasn't started (`notStarted`), is canceled (`canceled`) or isn't in this center (`notFound`). */
export type AttendanceOutcome = 'recorded' | 'unchanged' | 'changed' | 'notStarted' | 'canceled' | 'notFound'

/** What happened to a mark, and what stands now. */
export interface AttendanceResult {
  /** The appointment. */
  bookingId: string
  outcome: AttendanceOutcome
  /** The appointment's status now. Null if it isn't in this center. */
  status: BookingStatus | null
  /** When staff recorded or last corrected the attendance. Null if they haven't, and for members who aren't staff. */
  recordedAt: string | null
  /** The actor ID of the person who recorded or last corrected it. Null if that isn't known, and for members who aren't staff. */
  recordedBy: string | null
  /** That person's name. Null if they are no longer a member or that isn't known, and for members who aren't staff. */
  recordedByName: string | null
}

/** What was recorded. */
export interface AttendanceResults {
  /** How many marks were recorded. */
  recorded: number
  /** What happened to each mark, in the order of the request. */
  results: AttendanceResult[]
}

/** Who last recorded the attendance: staff, for an appointment (`booking`), or a companion application (`event`). */
export type AttendanceSource = 'booking' | 'event'

/** Counts of all matching attendance records. */
export interface AttendanceTotals {
  byKind: AttendanceByKind
}

/** Counts of all matching entries. */
export interface AuditCounts {
  byType: AuditEntriesByType
}

/** How many entries of each type match the other filters. */
export interface AuditEntriesByType {
  /** The number of `session.changed` entries. */
  'session.changed': number
  /** The number of `membership.transitioned` entries. */
  'membership.transitioned': number
  /** The number of `center.provisioned` entries. */
  'center.provisioned': number
  /** The number of `center.updated` entries. */
  'center.updated': number
  /** The number of `settings.updated` entries. */
  'settings.updated': number
  /** The number of `policy.changed` entries. */
  'policy.changed': number
  /** The number of `dpu.changed` entries. */
  'dpu.changed': number
  /** The number of `decision.sealed` entries. */
  'decision.sealed': number
  /** The number of `api_key.changed` entries. */
  'api_key.changed': number
  /** The number of `webhook.changed` entries. */
  'webhook.changed': number
  /** The number of `workflow.executed` entries. */
  'workflow.executed': number
  /** The number of `integrity.alarm` entries. */
  'integrity.alarm': number
}

/** A change to the partner or in one of its centers. */
export interface AuditEntry {
  /** The audit entry's ID. */
  id: string
  /** The kind of change. */
  type: string
  /** When the change happened. */
  occurredAt: string
  /** The center that the entry is about. Null for an entry about the partner. */
  centerId: number | null
  /** The center's name. Null for an entry about the partner. */
  centerName: string | null
  /** The ID of the person, API key or job that made the change. Null if it isn't known. */
  actorId: string | null
  /** The name of the person who made the change. Null if nobody of you or your centers did. */
  actorName: string | null
  /** What kind of object was changed. */
  targetType: string
  /** The ID of the object that was changed. */
  targetId: string
  /** The member's name, if the change was to a member. Null otherwise. */
  targetName: string | null
  /** The names of the members whose IDs are in `details`, by ID. */
  names: JsonObject
  /** Additional information about the change. */
  details: JsonObject
}

/** The kind of change. */
export type AuditType = 'session.changed' | 'membership.transitioned' | 'center.provisioned' | 'center.updated' | 'settings.updated' | 'policy.changed' | 'dpu.changed' | 'decision.sealed' | 'api_key.changed' | 'webhook.changed' | 'workflow.executed' | 'integrity.alarm'

/** A session with its tokens. */
export interface AuthSession {
  /** A JWT. Send it as `Authorization: Bearer`. */
  accessToken: string
  /** An opaque token that you exchange for new tokens. Each use replaces it. */
  refreshToken: string
  /** How long the access token is valid, in seconds. */
  expiresIn: number
  actor: SessionActor
  center: SessionCenter | null
  destination: Destination
}

/** The free slots on one day. */
export interface AvailableSlots {
  /** The day that was requested. */
  date: string
  /** The center's IANA time zone. */
  timezone: string
  /** The free slots, in chronological order. */
  slots: Slot[]
}

/** How often the subscription is billed. */
export type BillingCycle = 'MONTHLY' | 'YEARLY'

/** A client's appointment with an instructor. */
export interface Booking {
  /** The booking's ID. */
  id: string
  /** The instructor's actor ID. */
  instructorId: string
  /** The client's actor ID. */
  bookedFor: string
  /** When the appointment starts. */
  startsAt: string
  /** When the appointment ends. */
  endsAt: string
  /** When the booking was made. */
  createdAt: string
  status: BookingStatus
  /** Why the appointment was canceled. Null if it wasn't canceled or no reason was given. */
  reason: string | null
  /** The weekly series's ID. Null if the appointment isn't part of one. */
  seriesId: string | null
  /** The appointment's week in its series, counted from 1. Null if it isn't part of one. */
  seriesWeek: number | null
}

/** The reason for canceling an appointment. */
export interface BookingCancellation {
  /** The reason for canceling the appointment. */
  reason: string
  scope?: SeriesScope
}

/** Counts of all matching appointments. */
export interface BookingCounts {
  byStatus: BookingsByStatus
}

/** The slot to move the appointment to. */
export interface BookingRelocation {
  /** When the new slot starts. */
  startsAt: string
  /** The new instructor. Omit this to keep the current one. */
  instructorId?: string
  scope?: SeriesScope
  /** Appointments of the series that keep their time, where `scope` includes them. */
  stay?: string[]
}

/** Appointments of one client every week. */
export interface BookingSeries {
  /** The series's ID. */
  id: string
  /** The client's actor ID. */
  bookedFor: string
  /** How many weeks the series has, including weeks without an appointment. */
  weeks: number
  /** The series's appointments, in the order of their weeks. */
  bookings: Booking[]
  /** The weeks that differ from the others. */
  exceptions: BookingSeriesException[]
}

/** One week of a series. */
export interface BookingSeriesDate {
  /** The week of the series, counted from 1. */
  week: number
  /** The day of this week. */
  date: string
  /** When the appointment would start. */
  startsAt: string
  /** When the appointment would end. */
  endsAt: string
  state: BookingSeriesState
  /** Why the center is closed. Null if it is open. */
  closure: string | null
}

/** A week that differs from the other weeks of its series. */
export interface BookingSeriesException {
  /** The week of the series, counted from 1. */
  week: number
  /** The day that the week's appointment would have had, or has. */
  date: string
  kind: BookingSeriesExceptionKind
}

/** Why the week differs from the others: it couldn't be booked, it was skipped on request, or its appointment was moved or canceled on its own. */
export type BookingSeriesExceptionKind = 'closed' | 'outsideHours' | 'instructorBusy' | 'clientBusy' | 'skipped' | 'moved' | 'canceled'

/** What a series would be. */
export interface BookingSeriesPreview {
  /** The weeks, in chronological order. */
  dates: BookingSeriesDate[]
}

/** Whether the date is free. Otherwise, why not: the center is closed, the time is outside the center's or the instructor's hours, or the instructor or the client has another appointment. */
export type BookingSeriesState = 'free' | 'closed' | 'outsideHours' | 'instructorBusy' | 'clientBusy'

/** How appointments are booked. */
export interface BookingSettings {
  /** How long a booking slot is, in minutes. */
  slotMinutes: number
  openingHours: WeekHours
}

/** Booking settings to change. */
export interface BookingSettingsPatch {
  /** How long a booking slot is, in minutes. */
  slotMinutes?: number
  openingHours?: WeekHours
}

/** The state of an appointment. */
export type BookingStatus = 'booked' | 'attended' | 'no_show' | 'canceled'

/** A client who waits for an instructor on a day. */
export interface BookingWait {
  /** The entry's ID. */
  id: string
  /** The client who waits. */
  clientId: string
  /** The client's name. Null if they are no longer a member. */
  clientName: string | null
  /** The instructor they wait for. */
  instructorId: string
  /** The instructor's name. Null if they are no longer a member. */
  instructorName: string | null
  /** The day they wait for. */
  date: string
  /** Since when they wait. Whoever waits longest is first. */
  createdAt: string
  offer: KeptPlace | null
}

/** The number of appointments with each status. */
export interface BookingsByStatus {
  /** The number of appointments that are `booked`. */
  booked: number
  /** The number of appointments that are `attended`. */
  attended: number
  /** The number of appointments that are `no_show`. */
  no_show: number
  /** The number of appointments that are `canceled`. */
  canceled: number
}

/** How the center's pages look. */
export interface Branding {
  /** The logo: the address of an uploaded logo (see `logos.add`), an `https` URL, the image itself as a `data:` URL, or empty. The service's own pages show no picture from another host, so an `https` URL is for your own programs. */
  logo: string
  /** A short text about the center, shown to visitors. */
  description: string
  /** The color of buttons and links, as `#rrggbb`. */
  primaryColor: string
  /** The center's own domain for its pages. Null if it has none. */
  customDomain: string | null
}

/** Branding settings to change. */
export interface BrandingPatch {
  /** The logo: the address of an uploaded logo (see `logos.add`), an `https` URL, the image itself as a `data:` URL, or empty. The service's own pages show no picture from another host, so an `https` URL is for your own programs. */
  logo?: string
  /** A short text about the center, shown to visitors. */
  description?: string
  /** The color of buttons and links, as `#rrggbb`. */
  primaryColor?: string
  /** The center's own domain for its pages. Null if it has none. */
  customDomain?: string | null
}

/** A chain that was found to be broken, and where. */
export interface BrokenChain {
  domain: ChainDomain
  /** The lowest index at which the chain was found to be broken. */
  brokenAt: number
}

/** A session for a browser. The refresh token is in the `refresh_token` cookie (`__Host-refresh_token` in production), which scripts can't read. */
export interface BrowserSession {
  /** A JWT. Send it as `Authorization: Bearer`. */
  accessToken: string
  /** How long the access token is valid, in seconds. */
  expiresIn: number
  actor: SessionActor
  center: SessionCenter | null
  destination: Destination
  /** Whether the person is a platform operator, who can call the operations for platform operators. */
  operator: boolean
  environment: EnvironmentName
}

/** Whether your calendar subscription is on, and what it shows. */
export interface CalendarFeed {
  /** When the current address was made. Null if the calendar subscription is off. */
  createdAt: string | null
  /** Whether the calendar has people's names. Without them, it says only when and at which center an appointment is. With them, a guardian reads their child's name, clients and guardians read the instructor's, and instructors read their clients' initials. */
  names: boolean
}

/** What the calendar shows. */
export interface CalendarFeedChoice {
  /** Whether the calendar has people's names. Without them, it says only when and at which center an appointment is. With them, a guardian reads their child's name, clients and guardians read the instructor's, and instructors read their clients' initials. */
  names: boolean
}

/** The API key of the request, without the key itself. */
export interface CallingKey {
  /** The API key's ID. */
  id: string
  /** What the key can do. */
  scopes: ApiKeyScope[]
  /** The only actor that the key can record decisions as. Null if the key isn't bound to an actor. */
  actor: ApiKeyActor | null
  /** The center that the key belongs to. */
  centerId: number
  /** Whether the center is a sandbox. */
  isSandbox: boolean
}

/** A chain that was found to be broken. */
export interface CellAlarm {
  /** The center that the chain belongs to. */
  centerId: number
  /** The center's display name. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  domain: ChainDomain
  /** The lowest index at which the chain was found to be broken. */
  brokenAt: number
  /** Who looks after the alarm. Null if nobody does yet. */
  acknowledged: AlarmAcknowledgement | null
}

/** A database cell with its centers, alarms, queues and jobs. */
export interface CellOverview {
  /** The cell's name. */
  name: string
  /** Whether the cell responds within half a second and accepts writes. */
  up: boolean
  /** The number of centers in the cell. */
  centers: number
  /** Up to 100 chains that were found to be broken and whose alarms haven't been cleared. */
  alarms: CellAlarm[]
  /** The work that is waiting in the cell. Null if the cell isn't responding. */
  queues: CellQueues | null
  /** The cell's periodic jobs. Empty if the cell isn't responding. */
  jobs: JobOverview[]
}

/** The work that is waiting in a cell. */
export interface CellQueues {
  /** How overdue the oldest due webhook delivery is, in seconds. */
  overdueDeliverySeconds: number
  /** The number of deliveries held for webhooks that are turned off, counted up to 100,000. */
  heldDeliveries: number
  /** The number of endpoints that have failed so often that deliveries to them are paused. */
  failingEndpoints: number
  /** The number of workflow executions that are running. */
  runningExecutions: number
  /** How overdue the oldest due workflow step is, in seconds. */
  overdueExecutionSeconds: number
}

/** A center with its settings. */
export interface Center {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is another center's sandbox, which holds only test data. */
  sandbox: boolean
  /** Whether a partner runs the center and sets its name. */
  hasPartner: boolean
  vertical: Vertical
  /** The number of ACTIVE members. */
  memberCount: number
  /** The center's settings. */
  settings: CenterSettings
}

/** A change that was made in the center. */
export interface CenterAuditEntry {
  /** The audit entry's ID. */
  id: string
  type: AuditType
  /** The specific change within the type. */
  action: string
  /** When the change was made. */
  occurredAt: string
  /** The person, API key or job that made the change. Null if unknown. */
  actorId: string | null
  /** The name of the member or API key that made the change. Null if neither did. */
  actorName: string | null
  /** The kind of object that was changed. */
  targetType: string
  /** The ID of the object that was changed. */
  targetId: string
  /** The member's name, if the change was to a member. Null otherwise. */
  targetName: string | null
  /** The names of the members whose IDs are in `details`, by ID. */
  names: JsonObject
  /** Additional information about the change. */
  details: JsonObject
}

/** A client of the center, with their guardians. */
export interface CenterChild {
  /** The child's actor ID. */
  actorId: string
  /** The child's name. */
  name: string
  membership: Membership
  /** The child's guardians, including those whose guardianship has ended. */
  guardians: Guardianship[]
}

/** The number of centers with each status. */
export interface CenterCounts {
  /** The number of centers that are open. */
  active: number
  /** The number of centers that are suspended. */
  suspended: number
  /** The number of centers that are permanently closed. */
  inactive: number
  /** The number of sandboxes, which the other counts don't include. */
  sandboxes: number
}

/** An export of all of a center's data. */
export interface CenterExport {
  /** The export's ID. */
  id: string
  /** The export's status. `running`: its files are being written. `completed`: its files can be downloaded. `failed`: `reason` says what went wrong. `expired`: its files have been deleted. */
  status: 'running' | 'completed' | 'failed' | 'expired'
  /** When the export was requested. */
  requestedAt: string
  /** When the export was completed. Null until then. */
  completedAt: string | null
  /** When the export's files are deleted. */
  expiresAt: string
  progress: CenterExportProgress
  /** The SHA-256 of `manifest.json`, in hex. `manifest.json` lists the SHA-256 of every other file. Null until the export is completed. */
  manifestSha256: string | null
  /** Why the export failed. Null if it didn't. */
  reason: string | null
}

/** How much has been written so far. */
export interface CenterExportProgress {
  /** The part that is being written now. Null once every part has been written. */
  part: string | null
  /** The number of parts that are complete. */
  done: number
  /** The total number of parts. */
  of: number
  /** The number of files written so far. */
  files: number
  /** The number of lines in the files written so far. */
  lines: number
  /** The compressed size of the files written so far, in bytes. */
  bytes: number
}

/** A feature of a plan. */
export type CenterFeature = 'booking' | 'attendance' | 'families' | 'customDomain' | 'workflowSettings'

/** A center's public profile. */
export interface CenterInfo {
  /** The center's name. */
  name: string
  /** A short text about the center. Empty if there is none. */
  description: string
  /** The center's logo, as a URL. Empty if there is none. */
  logo: string
  vertical: Vertical
}

/** The state of one center's chains. */
export interface CenterIntegrity {
  /** The center that the figures are about. */
  centerId: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  domain: string
  status: CenterStatus
  /** The total number of entries in the center's chains. */
  entries: number
  /** The chains that were found to be broken. */
  broken: BrokenChain[]
  /** When the least recently checked chain was last checked. Null if no chain has been checked yet. */
  verifiedAt: string | null
  /** Whether the center's records can be read now. */
  reachable: boolean
}

/** The new name. */
export interface CenterName {
  /** The center's new name. */
  name: string
}

/** A center that knows the account. */
export interface CenterOfAccount {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
}

/** A center, as shown to operators. */
export interface CenterOverview {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  status: CenterStatus
  vertical: Vertical
  /** The name of the cell that the center is in. */
  cell: string
  partner: NamedPartner | null
  /** The number of ACTIVE members. */
  members: number
  /** Whether the center is a sandbox. */
  sandbox: boolean
  /** When the center was created. */
  createdAt: string
}

/** What to search for. */
export interface CenterSearch {
  /** What to look for. Omit this to list the newest centers. */
  query?: string
  /** Only centers in this vertical. */
  vertical?: Vertical
}

/** A center's settings. */
export interface CenterSettings {
  /** The language and region for texts and formats. */
  locale: string
  /** The center's IANA time zone. */
  timezone: string
  country: CountryCode
  /** The center's region, which determines the policies that apply. Null if it has none. */
  region: string | null
  branding: Branding
  features: Features
  booking: BookingSettings
  sender: SenderSettings
  terms: CenterTerms
  /** Settings that still have the value inherited from the center's partner, such as `branding.logo`. */
  inherited: string[]
}

/** The settings to change. Settings that you omit stay as they are. */
export interface CenterSettingsPatch {
  /** The language and region for texts and formats. */
  locale?: string
  /** The center's IANA time zone. */
  timezone?: string
  country?: CountryCode
  /** The center's region, which determines the policies that apply. Null if it has none. */
  region?: string | null
  branding?: BrandingPatch
  features?: FeaturesPatch
  sender?: SenderSettingsPatch
  booking?: BookingSettingsPatch
  terms?: CenterTermsPatch | null
}

/** The state of a center. `INACTIVE` is final. */
export type CenterStatus = 'ACTIVE' | 'SUSPENDED' | 'INACTIVE'

/** The status to set, with the reason. */
export interface CenterStatusUpdate {
  status: OperatedStatus
  /** Why you make this change. It is kept in the audit entry. */
  reason: string
}

/** Who suspended the center, and can reinstate it. */
export type CenterSuspender = 'partner' | 'operator'

/** The center to enter. */
export interface CenterSwitch {
  /** The center to enter. */
  centerId: number
}

/** What the center calls its people and appointments on pages and in messages. These are the words of its vertical unless the center has changed them. The API's own names stay the same. */
export interface CenterTerms {
  /** What a member with the role `INSTRUCTOR` is called. */
  instructor: Term
  /** What a member with the role `CHILD` is called. */
  client: Term
  /** What a member with the role `PARENT` is called. */
  guardian: Term
  /** What a client is to their guardian, such as a child. */
  dependent: Term
  /** What people come for, such as a lesson. */
  session: Term
  /** What is recorded about past appointments. */
  attendance: Term
  /** The status of an appointment that took place. */
  attended: Term
  /** The status of an appointment to which nobody came. */
  missed: Term
}

/** Words to change. Null restores the vertical's own words: all of them, or one. */
export interface CenterTermsPatch {
  /** What a member with the role `INSTRUCTOR` is called. */
  instructor?: TermPatch | null
  /** What a member with the role `CHILD` is called. */
  client?: TermPatch | null
  /** What a member with the role `PARENT` is called. */
  guardian?: TermPatch | null
  /** What a client is to their guardian, such as a child. */
  dependent?: TermPatch | null
  /** What people come for, such as a lesson. */
  session?: TermPatch | null
  /** What is recorded about past appointments. */
  attendance?: TermPatch | null
  /** The status of an appointment that took place. */
  attended?: TermPatch | null
  /** The status of an appointment to which nobody came. */
  missed?: TermPatch | null
}

/** The result of verifying all of a center's chains. */
export interface CenterVerdict {
  /** Whether everything matches. */
  valid: boolean
  /** The number of entries in the chain. */
  chainLength: number
  /** The hash of the first entry. Empty if the chain has no entries. */
  genesisHash: string
  /** The lowest index at which verification failed. Null if it didn't fail. */
  brokenAt: number | null
  /** A sentence that says what failed. Null if nothing failed. */
  reason: string | null
  mode: VerificationMode
  /** When the chains were verified. */
  verifiedAt: string
  /** Whether all three chains are valid. */
  allValid: boolean
  /** When all records were last compared with what was sealed. Null if they never were. */
  recordsVerifiedAt: string | null
  domains: DomainVerdicts
}

/** A broken chain that was found, or an alarm that was cleared. */
export interface ChainAlarm {
  /** When the broken chain was found or its alarm was cleared. */
  at: string
  action: AlarmAction
  /** The chain's domain. */
  domain: string
  /** The lowest index at which the chain was found to be broken. Null if it wasn't. */
  brokenAt: number | null
  /** A sentence that says what failed. Null if nothing was recorded. */
  reason: string | null
}

/** Where a chain is broken. */
export interface ChainAlarmPlace {
  /** The center that the chain belongs to. */
  centerId: number
  /** The center's display name. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  domain: ChainDomain
  /** The lowest index at which the chain was found to be broken. */
  brokenAt: number
  /** Who looks after the alarm. Null if nobody does yet. */
  acknowledged: AlarmAcknowledgement | null
  /** The name of the cell that the center is in. */
  cell: string
  /** The log's name. */
  log: string
  /** The number of entries in the chain. */
  length: number
  /** The result of the latest check in each mode. */
  checks: ChainCheck[]
  /** The entry before the broken one. Null if there is none. */
  before: AlarmedEntry | null
  /** The broken entry. Null if there is no entry at the index. */
  entry: AlarmedEntry | null
}

/** The result of one of the server's own checks. */
export interface ChainCheck {
  mode: CheckMode
  /** The number of entries that were checked. */
  scannedTo: number
  /** The lowest index at which the chain was found to be broken. Null if it wasn't. */
  brokenAt: number | null
  /** A sentence that says what failed. Null if nothing failed. */
  reason: string | null
  /** When the check ended. */
  verifiedAt: string
}

/** One of the center's chains: `proof` (decisions), `dpu` (DPUs created on the platform) or `history` (later changes). */
export type ChainDomain = 'dpu' | 'proof' | 'history'

/** One line of the stream. `content` is the object that was hashed. With `values=true`, the line also has `values` and `salts`. */
export interface ChainEntry {
  /** The entry's index in the chain, counted from 0. */
  index: number
  /** The ID of the record that the entry is about. */
  id: string
  /** The hash of this entry: `sha256:` followed by 64 hex digits. */
  hash: string
  /** The hash of the previous entry. Null for the first entry. */
  previousHash: string | null
  /** When the entry was sealed. */
  sealedAt: string
  /** The object that was hashed. */
  content: JsonObject
  /** With `values=true`: the values behind the commitments, by path. */
  values?: JsonObject
  /** With `values=true`: the salts of the values, by path. */
  salts?: JsonObject
}

/** The state of the center's chains. */
export interface ChainNotice {
  /** A chain that was found to be broken. Null if none was. */
  broken: ChainDomain | null
  /** The chains of which records were declared lost. */
  lost: LostRecords[]
}

/** One of the center's chains. */
export interface ChainOverview {
  domain: ChainDomain
  /** The log's name. */
  log: string
  /** The number of entries in the chain. */
  length: number
  /** The number of the chain's current log. It's 1 unless entries have been declared lost. */
  generation: number
  /** The hash of the last entry. Null if the chain is empty. */
  headHash: string | null
  /** When the last entry was sealed. Null if the chain is empty. */
  sealedAt: string | null
  /** The lowest index at which the chain was found to be broken. Null if it wasn't. */
  brokenAt: number | null
  checkpoint: ShownCheckpoint | null
  /** How far each witness is behind the newest checkpoint. */
  witnesses: WitnessLag[]
  /** The losses declared for the chain. */
  generations: LogGeneration[]
  /** The results of the server's own checks, one for each mode. */
  checks: ChainCheck[]
}

/** Where the record is in the chain. */
export interface ChainPosition {
  /** The hash of this entry: `sha256:` followed by 64 hex digits. */
  hash: string
  /** The hash of the previous entry. Null for the first entry of the chain. */
  previousHash: string | null
  /** The entry's index in the chain, counted from 0. */
  index: number
  domain: ChainDomain
}

/** The result of verifying one chain. */
export interface ChainVerdict {
  /** Whether everything matches. */
  valid: boolean
  /** The number of entries in the chain. */
  chainLength: number
  /** The hash of the first entry. Empty if the chain has no entries. */
  genesisHash: string
  /** The lowest index at which verification failed. Null if it didn't fail. */
  brokenAt: number | null
  /** A sentence that says what failed. Null if nothing failed. */
  reason: string | null
}

/** A decision whose outcome would change. */
export interface ChangedOutcome {
  /** The decision event's ID. */
  eventId: string
  /** The decision's action type. */
  actionType: string
  /** When the decision was recorded. */
  createdAt: string
  /** The outcome without the change. */
  before: CheckOutcome
  /** The outcome with the change. */
  after: CheckOutcome
}

/** What was checked. `chain`: the hashes and links. `records`: also whether the stored values match their commitments. */
export type CheckMode = 'chain' | 'records'

/** The outcome that `POST /api/v1/agents/decide` would return. `refused` stands for its 422 `POLICY_VIOLATION` response. */
export type CheckOutcome = 'completed' | 'approval_required' | 'refused'

/** The approval that the policies would require. */
export interface CheckedApproval {
  identity: RequiredIdentity
  /** How many people must approve at least: the number of places in the longest line. */
  approvals: number
  /** The roles that may approve at some step. Null if no step admits members by their role. */
  roles: ApproverRole[] | null
  /** The ACTIVE members who may approve at some step, now or after an escalation. */
  actorIds: string[]
  /** How many seconds the decision could wait before it expires. Null if it would never expire. */
  expiresAfterSeconds: number | null
  /** How many seconds after the approval the decision could be consumed. */
  usableForSeconds: number
  /** The approval lines, one per policy that requires an approval. */
  lines: CheckedLine[]
  /** Why nobody can approve, or too few people can, one for each place of a line. Null if enough people can. */
  problem: string | null
}

/** Who could make a policy less strict, once it is a day old or a decision has waited for it. */
export interface CheckedChange {
  by: RuleChanger
  /** How many people must approve such a change. 0 if the center has nobody to ask. */
  approvals: number
  /** Up to ten ACTIVE members who could approve such a change if you requested it. */
  people: LinePerson[]
  /** How many ACTIVE members could approve it. Accounts of one person count once. */
  peopleCount: number
  /** Whether you could give the missing approvals yourself once the change has waited for `RULES_WAIT_SECONDS`, because too few other members could, counting everyone who could in the last 30 days. */
  aloneAfterWait: boolean
}

/** Who could approve in an emergency, and who could confirm it. Null if the policy has none. */
export interface CheckedEmergency {
  /** How many seconds the line would have to confirm it. */
  confirmWithinSeconds: number
  /** Up to ten ACTIVE members who could approve in an emergency. */
  people: LinePerson[]
  /** How many ACTIVE members could approve in an emergency. Accounts of one person count once. */
  peopleCount: number
  /** Up to ten ACTIVE members who could confirm it, if somebody else used it. */
  confirmers: LinePerson[]
  /** How many ACTIVE members could confirm it. Accounts of one person count once. */
  confirmerCount: number
  /** Who could use it without enough other people to confirm it, or why nobody could use it. Null if whoever uses it can be confirmed. */
  problem: string | null
}

/** An approval line that the decision would have. The lines of several policies run side by side. */
export interface CheckedLine {
  /** The policy that the line belongs to. */
  policyId: string
  /** The policy's version. */
  version: number
  /** The policy's name. */
  name: string
  /** The steps, in order. */
  steps: CheckedStep[]
  emergency: CheckedEmergency | null
}

/** A policy that matches the decision, and what it requires. */
export interface CheckedPolicy {
  /** The policy's ID. */
  id: string
  /** The version in force. */
  version: number
  /** The policy version's digest. */
  digest: string
  /** The policy's name. */
  name: string
  /** This policy's guards that require an approval. */
  asks: ApprovingGuard[]
  /** Who may approve under this policy. Null if the policy doesn't name approvers. */
  approval: PolicyApproval | null
  change: CheckedChange
}

/** Why the decision would be refused. Null if it wouldn't be. */
export interface CheckedRefusal {
  /** The policy that refuses the decision. */
  policyId: string
  /** The part of the policy that refuses the decision. */
  rule: string
  /** The guard that refuses the decision. */
  guard: string
  /** The reason in a sentence. */
  message: string
}

/** A step of an approval line, and who could fill it. */
export interface CheckedStep {
  /** The step's title. Null if the policy gives it none. */
  title: string | null
  /** How many different people must approve at this step. */
  count: number
  identity: RequiredIdentity
  /** Up to ten ACTIVE members who could approve at this step, now or after an escalation. If it requires a passkey, only members with one that is confirmed in this center. */
  people: LinePerson[]
  /** How many ACTIVE members could approve at this step. Accounts of one person count once. */
  peopleCount: number
}

/** A chain's newest signed checkpoint. */
export interface Checkpoint {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The number of entries that the checkpoint covers. */
  size: number
  /** The root of the tree in base64. Null while the chain is empty. */
  root: string | null
  /** The signed checkpoint. Null while the chain is empty. */
  checkpoint: string | null
  /** How well the checkpoint is attested. Null while the chain is empty. */
  anchoring: Anchoring | null
}

/** A child, with their memberships. */
export interface Child {
  /** The child's actor ID. */
  actorId: string
  /** The child's name. */
  name: string
  /** The child's memberships in all centers. */
  memberships: Membership[]
}

/** A center that a child is a client of. */
export interface ChildsCenter {
  /** The center's numeric ID. */
  centerId: number
  /** The center's name, as people see it. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The guardianship that links you to the child in this center. */
  guardianshipId: string
  membership: Membership
  /** Whether you can book appointments here: true if you, the child and the center are all ACTIVE, and the center's `booking` feature is available. */
  canBook: boolean
}

/** The emergency approval that was closed. */
export interface ClosedEmergency {
  /** The decision event's ID. */
  eventId: string
  /** When the matter was closed. */
  closedAt: string
  /** The hash of its entry in the `history` chain. */
  chainHash: string
}

/** A log that was closed after a loss. */
export interface ClosedLog {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The size of the newest checkpoint that was restored. */
  size: number
  /** The newest checkpoint that was restored. Null if there was none. */
  checkpoint: string | null
}

/** A day on which the center is closed. */
export interface Closure {
  /** The day on which the center is closed. */
  date: string
  /** Why the center is closed, as its members read it. */
  name: string
  /** Whether this is a public holiday that the center adopted. */
  holiday: boolean
}

/** The days to close. */
export interface ClosureRequest {
  /** The first day. */
  from: string
  /** The last day. Omit this to close one day. */
  to?: string
  /** Why the center is closed, as its members read it. */
  name: string
}

/** The member who wrote the comment. */
export interface CommentAuthor {
  /** The author's actor ID. */
  id: string
  /** The author's current name. */
  name: string
}

/** A companion application of this installation. */
export interface CompanionApp {
  app: TargetApp
  /** Where the application is. Sign in there with a token from `POST /api/auth/sso/token`. */
  url: string
}

/** How the value is compared. */
export type ConditionOperator = 'eq' | 'in' | 'gt' | 'lt' | 'exists'

/** What your passkey signs to confirm an emergency approval, or to object to it. */
export interface ConfirmationChallenge {
  statement: ConfirmationStatement
  /** The salt that goes into `reasonDigest` with the comment. Null if there is no comment. */
  reasonSalt: string | null
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** Whether the emergency approval is confirmed, or objected to. Either result is sealed. */
export type ConfirmationResult = 'confirmed' | 'objected'

/** The statement that the passkey signs. The decision's export contains it. */
export interface ConfirmationStatement {
  /** The statement's format. */
  type: 'countersign-confirm-v1'
  /** The name of the log for the center's `history` chain. */
  log: string
  /** The decision event's ID. */
  eventId: string
  /** The hash of the decision's seal. */
  chainHash: string
  result: ConfirmationResult
  /** The digest of the comment and its salt. Null if there is no comment. */
  reasonDigest: string | null
  /** The member who confirms or objects. */
  approverId: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** A proof that a chain continues the same chain at a smaller size. */
export interface ConsistencyProof {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The size of the earlier checkpoint. */
  from: number
  /** The size of the later checkpoint. */
  to: number
  /** The 32-byte hashes that make up the proof, in base64. */
  consistencyProof: string[]
}

/** The right to run a sealed decision's action once. */
export interface Consumption {
  /** The decision event's ID. */
  eventId: string
  /** The digest of the action you may run. */
  actionDigest: string
  /** Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory. */
  executor: string
  /** When the decision was consumed. */
  consumedAt: string
  /** Whether this executor had already consumed the decision. */
  replayed: boolean
  /** The hash of the chain entry that records the consumption. */
  chainHash: string
  /** The receipt for the chain entry. Null if it couldn't be issued yet. */
  receipt: Receipt | null
}

/** An appointment or a record of attendance in the draft's period. */
export interface CountedRow {
  /** When it was. */
  at: string
  /** Who came or should have come, by the end of their ID, or by the reference that a companion app uses. Null if nobody was named. */
  who: string | null
  /** With which member, by the end of their ID. Null if nobody was named. */
  by: string | null
  state: CountedState
}

/** The appointments and records of attendance that a workflow read for its draft. */
export interface CountedRows {
  /** The newest 500, newest first. */
  rows: CountedRow[]
  /** How many there were. */
  total: number
  /** The names of the people in the rows, as far as you may see them. */
  people: LabeledPerson[]
}

/** What was recorded when the workflow read the row. unrecorded: an appointment without a record of attendance. */
export type CountedState = 'attended' | 'missed' | 'unrecorded'

/** A country, as an ISO 3166-1 alpha-2 code. */
export type CountryCode = string

/** The number of DPUs at each evidence level. */
export interface CountsByLevel {
  /** The number of DPUs that nobody has reviewed yet. */
  DRAFT: number
  /** The number of DPUs that have been reviewed. */
  DOCUMENTED: number
  /** The number of DPUs that are ready for an audit and can't be changed. */
  AUDIT_READY: number
}

/** The number of DPUs in the centers of each vertical. */
export interface CountsByVertical {
  /** The number of DPUs in centers in the `rehabilitation` vertical. */
  rehabilitation: number
  /** The number of DPUs in centers in the `welfare` vertical. */
  welfare: number
  /** The number of DPUs in centers in the `education` vertical. */
  education: number
  /** The number of DPUs in centers in the `pharmacy` vertical. */
  pharmacy: number
  /** The number of DPUs in centers in the `commerce` vertical. */
  commerce: number
  /** The number of DPUs in centers in the `mentoring` vertical. */
  mentoring: number
  /** The number of DPUs in centers in the `interior` vertical. */
  interior: number
}

/** A new API key, with the key itself. */
export interface CreatedApiKey {
  /** The API key's ID. */
  id: string
  /** A name that helps you recognize the key. */
  name: string
  /** The key's first characters, which help you recognize it. */
  prefix: string
  /** What the key can do. */
  scopes: ApiKeyScope[]
  /** The only actor that the key can record decisions as. Null if the key isn't bound to an actor. */
  actor: ApiKeyActor | null
  /** Whether the key is bound to an actor but still has access to webhooks, because it was created before such keys lost that access. If true, replace the key. */
  keepsWebhooks: boolean
  /** The key that this one replaces. Null if it was created on its own. */
  replaces: string | null
  /** When the key stops working. Null if it never expires. */
  expiresAt: string | null
  /** When the key was last used. Null if it has never been used. */
  lastUsedAt: string | null
  /** When the key was created. */
  createdAt: string
  /** The key itself. It's shown only in this response. */
  key: string
}

/** A new center with its administrator's membership. */
export interface CreatedPartnerCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is another center's sandbox, which holds only test data. */
  sandbox: boolean
  /** Whether a partner runs the center and sets its name. */
  hasPartner: boolean
  vertical: Vertical
  /** The number of ACTIVE members. */
  memberCount: number
  /** The center's settings. */
  settings: CenterSettings
  /** The administrator's membership. */
  adminMembership: Member
}

/** The credentials that a person signs in with. */
export interface Credentials {
  /** The account's email address. Send this or `phone`. */
  email?: string
  /** The account's phone number. Send this or `email`. */
  phone?: string
  /** The account's password. */
  password: string
  /** The subdomain of the center to sign in to. Omit this to choose a center later. */
  centerDomain?: string
}

/** The person who is signed in. */
export interface CurrentActor {
  /** The person's actor ID. */
  actorId: string
  /** The person's email address. Empty if they have none. */
  email: string
  /** The person's phone number. Null if they have none. */
  phone: string | null
  /** The person's name, as the center that the session is in knows it. */
  name: string
  /** The language that we write to the person in. Null if they chose none. */
  language: Language | null
  role: ActorRole
  /** The center that the session is in. Null if the session isn't in a center. */
  centerId: number | null
  /** The subdomain of the center that the session is in. Null if the session isn't in a center. */
  centerDomain: string | null
  /** The subdomains of the centers that the person may enter. */
  authorizedDomains: string[]
  /** All of the person's memberships, whatever their status. */
  memberships: Membership[]
  /** Whether the session is limited to the centers of a sign-in provider or of a custom domain. If so, it can't change the account. */
  confined: boolean
  /** The person's role at the partner they act for. Null if they act for none, or if the session is `confined`. */
  partnerRole: PartnerRole | null
}

/** What to change. Send at least one member. */
export interface CurrentActorPatch {
  /** Your name, as others see it. */
  name?: string
  /** The language that we write to you in. */
  language?: Language
}

/** A decision with everything that is known about it. */
export interface Decision {
  /** The decision event's ID. */
  id: string
  /** The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent. */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  /** The tags that were sent with the decision. */
  tags: string[]
  /** When the server recorded the decision. */
  createdAt: string
  /** When the decision last changed. */
  updatedAt: string
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** The requester's estimate of the risk, from 0 to 1. Null if none was sent. */
  riskScore: number | null
  /** Why the action is needed, in the requester's words. Null if nothing was sent. */
  reason: string | null
  /** The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out. */
  actionDigest: string
  /** The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted. */
  actionSalt: string | null
  /** When the decision was made, as stated by the caller. Defaults to the time when the request arrived. */
  occurredAt: string
  /** The `traceparent` header of the request that recorded the decision. It helps you find related logs and isn't sealed. */
  traceparent?: string
  evidence: EvidenceState
  /** The API key that recorded the decision. Null if a member or the service did. */
  recordedBy: string | null
  /** The decision that this one replaces. Null if it replaces none. */
  replaces: string | null
  /** What the decision is waiting for. Null if it isn't waiting. */
  waiting: DecisionWaiting | null
  /** The approvals and refusals so far, in the order they were given. */
  approvals: GivenApproval[]
  /** The approval lines, one for each policy that requires an approval. Empty if none does, and for decisions that were sealed before lines were recorded. */
  lines: DecisionLine[]
  /** How the emergency approval stands that sealed the decision. Null if there is none, and while the decision waits. */
  emergency: DecisionEmergency | null
  /** The digest of the approvals so far. Send it with your own approval. */
  prior: string
  /** The last time at which the decision can be consumed. Null if it isn't approved, or if no policy required an approval. */
  usableUntil: string | null
  /** Questions and answers, oldest first. */
  comments: DecisionComment[]
  execution: DecisionExecution | null
  /** The name of the API key that recorded the decision. Null if no API key recorded it, or if you retrieve it with an API key. */
  recordedByName: string | null
  /** The template for this action type. Null if there is none. */
  actionType: ActionTemplate | null
}

/** A question or an answer about a decision. */
export interface DecisionComment {
  /** The comment's ID. */
  id: string
  author: CommentAuthor
  /** What the author wrote. */
  text: string
  /** When the comment was written. */
  createdAt: string
}

/** A confirmation of an emergency approval, or an objection to it. */
export interface DecisionConfirmation {
  result: ConfirmationResult
  /** The actor ID of the member who confirmed or objected. Empty if it was redacted. */
  by: string
  /** The member's current name. Null when you retrieve the decision with an API key. */
  name: string | null
  /** The member on whose behalf a deputy confirmed. */
  onBehalfOf?: string
  /** The comment that came with it. Absent after a redaction. */
  reason?: string
  level: RequiredIdentity
  /** When it was sealed. */
  at: string
}

/** Counts of the decisions that match all of the request's filters except `status` and `waiting`. */
export interface DecisionCounts {
  byStatus: DecisionsByStatus
  /** The number of decisions that are waiting for approval. */
  waiting: number
}

/** The DPU that holds the decision's evidence. */
export interface DecisionDpu {
  /** The DPU's ID. */
  id: string
  status: EvidenceStatus
  /** The hash of the chain entry. Null until the decision is sealed. */
  chainHash: string | null
}

/** How the emergency approval of a decision stands. */
export interface DecisionEmergency {
  /** The emergency approvals, as their positions in `approvals`. Each has its `reason`. */
  approvals: number[]
  /** The last time at which the line can confirm it. */
  confirmBy: string
  state: EmergencyState
  /** The confirmations and objections, oldest first. */
  confirmations: DecisionConfirmation[]
  /** Who closed the matter after an objection, or if nobody confirmed. Null if nobody did. */
  closedBy: string | null
  /** When the matter was closed. Null if it was not. */
  closedAt: string | null
  /** Why the matter was closed. Null if it was not. */
  closeReason: string | null
  /** Whether you can confirm now. */
  mayConfirm: boolean
  /** Whether you can object now. */
  mayObject: boolean
  /** Whether you can close the matter now. */
  mayClose: boolean
}

/** A recorded decision. */
export interface DecisionEvent {
  /** The decision event's ID. */
  id: string
  /** The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent. */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  /** The tags that were sent with the decision. */
  tags: string[]
  /** When the server recorded the decision. */
  createdAt: string
  /** When the decision last changed. */
  updatedAt: string
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded. */
  riskScore?: number
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out. */
  actionDigest: string
  /** The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted. */
  actionSalt: string | null
  /** When the decision was made, as stated by the caller. Defaults to the time when the request arrived. */
  occurredAt: string
  /** The `traceparent` header of the request that recorded the decision. It helps you find related logs and isn't sealed. */
  traceparent?: string
  evidence: EvidenceState
}

/** The state of a decision. `recorded`: not approved or refused yet. `approved`: approved once, but another approval is still needed. `sealed`: sealed with all the approvals it needs, if any. `rejected`: refused and sealed. */
export type DecisionEventStatus = 'recorded' | 'sealed' | 'approved' | 'rejected'

/** A recorded decision, without the action's content. */
export interface DecisionEventSummary {
  /** The decision event's ID. */
  id: string
  /** The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent. */
  decisionId: string
  type: DecisionEventType
  status: DecisionEventStatus
  actor: ShownEventActor
  /** The tags that were sent with the decision. */
  tags: string[]
  /** When the server recorded the decision. */
  createdAt: string
  /** When the decision last changed. */
  updatedAt: string
  action: ActionSummary
  /** For signed-in members: whether you have opened the decision since its content last changed. */
  opened?: boolean
}

/** The kind of decision. */
export type DecisionEventType = 'agent_execution' | 'workflow_step' | 'human_approval' | 'ai_recommendation' | 'automated_action' | 'policy_decision' | 'escalation' | 'custom'

/** The attempt to run the action, and the last outcome that was reported, which doesn't prove that the action ran. Null until the decision is consumed. */
export interface DecisionExecution {
  /** Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory. */
  executor: string
  /** When the decision was consumed. */
  consumedAt: string
  outcome: ExecutionReport | null
}

/** An approval line: the steps of one policy that requires an approval. If several policies require one, their lines run side by side. */
export interface DecisionLine {
  /** The ID of the policy that the line belongs to. `countersign` for the service's own line. */
  policyId: string
  /** The policy's version. */
  version: number
  /** The policy's name. Null if the text of this version is no longer available. */
  name: string | null
  /** Whether every place is filled. */
  full: boolean
  /** The emergency approval that stands for the open places of this line, as its position in `approvals`. Its places stay open until they are confirmed. Null if there is none. */
  emergency: number | null
  /** The steps, in order. */
  steps: LineStep[]
}

/** Whether the agent may act. `completed`: the decision is sealed, so the agent may act. `approval_required`: a person has to approve the decision first. `refused`: a person refused the decision, it expired, or another decision replaced it; the refusal is sealed. `pending`: the decision couldn't be sealed yet; repeat the request with the same `Idempotency-Key`. */
export type DecisionOutcome = 'completed' | 'approval_required' | 'refused' | 'pending'

/** A portable proof that anyone can verify without this server. */
export interface DecisionProof {
  /** The URL of the JSON-LD context. */
  '@context': string
  /** The document's JSON-LD type. */
  '@type': 'DecisionProof'
  /** The version of the export format. */
  version: '2.0'
  /** When the file was created. */
  exportedAt: string
  /** The sealed record with its commitments and disclosed values. */
  evidence: JsonObject
  /** What a verifier needs: the chain entry, the inclusion proof, the checkpoint and the keys. */
  verification: JsonObject
  /** The texts of the policies that the seal names, if you asked for them. A verifier compares each with the digest in the seal and checks that the approvals fit the approval lines. */
  policyTexts?: string[]
}

/** What happened to a decision, in order. */
export interface DecisionTrace {
  /** The decision event's ID. */
  eventId: string
  /** The decision's own ID. */
  decisionId: string
  status: DecisionEventStatus
  /** When the decision was recorded. */
  recordedAt: string
  /** The API key that recorded the decision. Null if a member or the service did. */
  recordedBy: string | null
  /** Up to 100 requests about the decision, in order. */
  requests: TracedRequest[]
  /** The decision's own chain entry and later entries about the decision, in order. */
  entries: TracedEntry[]
  /** Up to 100 deliveries of events about the decision. Only an ADMIN sees URLs. */
  deliveries: TracedDelivery[]
}

/** Whether you can approve the decision now, and if not, when your turn comes. */
export interface DecisionTurn {
  /** Whether a line asks you now, or a member whose deputy you are. */
  now: boolean
  /** The first later step that asks you. Null if it's your turn now, and if no later step asks you. */
  next: DecisionTurnAhead | null
}

/** A step of an approval line at which your turn comes. */
export interface DecisionTurnAhead {
  /** The ID of the policy. `countersign` for the service's own line. */
  policyId: string
  /** The policy's version. */
  version: number
  /** The step, counted from 0. */
  step: number
  /** The step's title. Null if it has none. */
  title: string | null
}

/** What an open decision is waiting for. The policies are evaluated again when the decision is sealed, and only that result counts. */
export interface DecisionWaiting {
  /** When the decision started waiting for approval. */
  since: string
  /** The guards that require an approval. */
  reasons: ApprovingGuard[]
  /** The policies that require an approval, as last evaluated. */
  policies: AppliedPolicy[]
  /** What an approver needs to know about the policies in `policies`. A policy that has changed since the last evaluation is missing until the decision is evaluated again. */
  rules: WaitingRule[]
  /** When the decision expires. From then on, it counts as refused. Null if it never expires. */
  expiresAt: string | null
  /** The URL of the page where a member can approve the decision. The URL contains no credential. */
  approvalUrl: string
  /** The stop that covers the decision: it can be refused, but not approved until the stop is lifted. Null if there is none. */
  frozen: string | null
  /** Your turn in the approval lines. Absent when you retrieve the decision with an API key, and where this can't be said: no policy asks anymore, or you asked for a change of rules that you may have to approve yourself. */
  turn?: DecisionTurn
  /** Your right to approve in an emergency. Null if you have none, and when you retrieve the decision with an API key. */
  emergency: EmergencyRight | null
}

/** The number of decisions with each status. */
export interface DecisionsByStatus {
  /** The number of decisions that nobody has approved or refused yet. */
  recorded: number
  /** The number of decisions that have a first approval and are waiting for another. */
  approved: number
  /** The number of decisions that were approved, or needed no approval, and are sealed. */
  sealed: number
  /** The number of decisions that were refused. Refusals are sealed too. */
  rejected: number
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  /** The event's ID, the same for every endpoint and every attempt. */
  eventId: string
  /** What happened, such as `dpu.sealed`. */
  eventType: string
  /** When the last attempt ended. */
  deliveredAt: string
  status: DeliveryStatus
  /** The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers. */
  responseStatus: number | null
  /** How many attempts were made. */
  attempts: number
  /** When the next attempt is due. Null if none is scheduled. */
  nextRetryAt: string | null
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** The attempt's number, counted from 1. */
  attempt: number
  /** When the attempt ended. */
  at: string
  /** How long the attempt took, in milliseconds. */
  ms: number
  status: DeliveryStatus
  /** The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers. */
  responseStatus: number | null
  /** The first 1,024 bytes of the response; for JetStream, the acknowledgment. */
  responseBody: string
  /** What went wrong: the reason why there was no response, or the fact that the response wasn't 2xx. Null after a success. */
  error: string | null
  /** The error in a sentence. Null after a success. */
  message: string | null
}

/** A delivery with its attempts and its body. */
export interface DeliveryDetails {
  /** The event's ID, the same for every endpoint and every attempt. */
  eventId: string
  /** What happened, such as `dpu.sealed`. */
  eventType: string
  /** When the event occurred. */
  createdAt: string
  state: DeliveryState
  /** How many attempts were made. */
  attempts: number
  /** When the last attempt ended. Null before the first one. */
  attemptedAt: string | null
  /** The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers. */
  responseStatus: number | null
  /** When the next attempt is due. Null if none is scheduled. */
  nextRetryAt: string | null
  /** The attempts that were made, oldest first. */
  history: DeliveryAttempt[]
  /** The pause before each attempt in the schedule, in seconds. */
  scheduleSeconds: number[]
  /** The exact body that the last attempt sent, or that the next one would send. Null once the body is no longer stored. */
  body: string | null
}

/** The state of the delivery. `pending`: an attempt is scheduled. `held`: the webhook is turned off. `failed`: no further attempt is scheduled. */
export type DeliveryState = 'success' | 'failed' | 'pending' | 'held'

/** The result of the last attempt. */
export type DeliveryStatus = 'success' | 'failed'

/** Your deputy, and the members on whose behalf you approve. */
export interface Deputies {
  deputy: Deputy | null
  /** The members on whose behalf you approve, earliest first. */
  deputyFor: DeputyFor[]
}

/** The member who approves on your behalf, and for how long. */
export interface Deputy {
  /** The deputy's actor ID. */
  actorId: string
  /** The deputy's name. */
  name: string
  /** When the deputy's right begins. */
  from: string
  /** When the deputy's right ends. */
  until: string
}

/** A member on whose behalf you approve, and for how long. */
export interface DeputyFor {
  /** The absent member's actor ID. */
  actorId: string
  /** The absent member's name. Empty if they aren't a member anymore. */
  name: string
  /** When the deputy's right begins. */
  from: string
  /** When the deputy's right ends. */
  until: string
}

/** The page to show after signing in. */
export type Destination = 'admin_dashboard' | 'workspace' | 'tenant_picker' | 'waiting' | 'onboarding' | 'partner_dashboard'

/** How events are sent: `http` posts them to a URL, `nats` publishes to a JetStream stream, `rabbitmq` publishes to an exchange. */
export type DestinationType = 'http' | 'nats' | 'rabbitmq'

/** A DNS domain that a center or a partner owns. */
export interface Domain {
  /** The domain's ID. */
  id: string
  purpose: DomainPurpose
  /** A DNS name without a trailing dot. */
  domain: string
  status: DomainStatus
  record: DomainRecord
  /** When the domain was added. */
  createdAt: string
  /** When ownership of the domain was proven. Null until then. */
  provenAt: string | null
  /** When the record was last looked up. Null if it has never been looked up. */
  checkedAt: string | null
  lastCheck: DomainCheck | null
  site: DomainSite | null
  sender: DomainSender | null
}

/** Where the domain led at the last check. */
export interface DomainAddress {
  state: DomainAddressState
  /** The name that the domain is an alias of, or its addresses. */
  found: string[]
}

/** Where the domain leads: `right` (to this service), `elsewhere`, `absent` (it has no address), `private` (to an address that is not public), or `error` (the name servers gave no answer). */
export type DomainAddressState = 'right' | 'elsewhere' | 'absent' | 'private' | 'error'

/** What a TLS handshake with the domain found at the last check. */
export interface DomainCertificate {
  state: DomainCertificateState
  /** Who issued the certificate. */
  issuer: string | null
  /** When the certificate expires. */
  validUntil: string | null
}

/** The certificate that browsers are shown: `valid`, `expiring` (within 14 days), `expired`, `wrongName` (it's for another domain), `untrusted` (no known authority issued it), `none` (there's none yet), `unreachable` (port 443 accepts no connection) or `unchecked` (the domain doesn't lead to a public address). */
export type DomainCertificateState = 'valid' | 'expiring' | 'expired' | 'wrongName' | 'untrusted' | 'none' | 'unreachable' | 'unchecked'

/** The result of looking up the record during this request. Null if the record wasn't looked up. */
export type DomainCheck = 'present' | 'absent' | 'error'

/** What the domain is for. `email`: the owner's sign-in providers can vouch for the domain's email addresses. `site`: the domain is a center's custom domain. */
export type DomainPurpose = 'email' | 'site'

/** The DNS record that proves ownership of the domain. */
export interface DomainRecord {
  /** The record's type. */
  type: 'TXT'
  /** The record's name. */
  name: string
  /** The record's value. Keep the record in the DNS. */
  value: string
}

/** Whether mail can be sent from the domain's addresses. Null if it isn't an email domain, or the operator hasn't set this up. */
export interface DomainSender {
  record: DomainSenderRecord
  /** The term that an existing SPF record needs. */
  include: string
  state: DomainSenderState | null
  /** Since when everything has been in place. Null while it isn't. */
  worksSince: string | null
}

/** The SPF record that lets this service send mail from the domain. */
export interface DomainSenderRecord {
  /** The record's type. */
  type: 'TXT'
  /** The record's name. */
  name: string
  /** The whole value, if the domain has no SPF record yet. */
  value: string
}

/** What the last check found: `right`, `absent` (no SPF record), `notAllowed` (the record doesn't include this service), `several` (more than one SPF record, which mail servers refuse) or `error` (no answer). */
export type DomainSenderState = 'right' | 'absent' | 'notAllowed' | 'several' | 'error'

/** Whether people reach the center on this domain. Null if the domain isn't a custom domain. */
export interface DomainSite {
  record: DomainSiteRecord
  address: DomainAddress | null
  certificate: DomainCertificate | null
  /** Since when everything has been in place. Null while it isn't. */
  worksSince: string | null
}

/** The DNS record that leads to this service. At an apex, use an ALIAS record or the same addresses. */
export interface DomainSiteRecord {
  /** The record's type. */
  type: 'CNAME'
  /** The record's name. */
  name: string
  /** Where the record has to lead. */
  value: string
}

/** Whether ownership of the domain has been proven. The domain has an effect only while it's `proven`. */
export type DomainStatus = 'pending' | 'proven'

/** The result for each chain. */
export interface DomainVerdicts {
  /** The result for the `dpu` chain. */
  dpu: ChainVerdict
  /** The result for the `proof` chain. */
  proof: ChainVerdict
  /** The result for the `history` chain. */
  history: ChainVerdict
}

/** A decision proof unit: a record in the chain. */
export interface Dpu {
  /** The DPU's ID. */
  id: string
  /** What was decided. Empty if the content has been redacted. */
  content: string
  evidenceLevel: EvidenceLevel
  /** The hash of the chain entry, as 64 hex digits. */
  chainHash: string
  /** Additional information about the record, as it was sent. */
  metadata: JsonObject
  status: EvidenceStatus
  /** The center that the record belongs to. */
  centerId: number
  domain: ChainDomain
  /** The entry's index in the chain, counted from 0. */
  chainIndex: number
  /** The hash of the previous entry. Null for the first entry. */
  previousHash: string | null
  /** The kind of object that the record is about. Null if there is none. */
  referenceType: DpuReferenceType | null
  /** The ID of the object that the record is about. Null if there is none. */
  referenceId: string | null
  /** The record's tags. */
  tags: string[]
  vertical: Vertical
  /** The ID of the person or program that created the record. Null if it has been redacted. */
  createdBy: string | null
  /** When the record was created. */
  createdAt: string
  /** When the record last changed. */
  updatedAt: string
  /** When the record was sealed. Null until then. */
  sealedAt: string | null
  /** When the chain entry was created. */
  timestamp: string
  /** The paths of the values that have been redacted. Absent if there are none. */
  redacted?: string[]
}

/** Counts of DPUs. */
export interface DpuCounts {
  /** The total number of DPUs. */
  total: number
  byEvidenceLevel: CountsByLevel
  byVertical: CountsByVertical
}

/** Who or what created the record. Null if this has been redacted. */
export interface DpuCreator {
  /** The creator's ID. */
  id: string
  /** The creator's name. Null if unknown. */
  name: string | null
}

/** Counts of all of the center's DPUs. */
export interface DpuListCounts {
  byEvidenceLevel: DpusByLevel
}

/** The kind of object that the record is about. */
export type DpuReferenceType = 'lms-attendance' | 'lms-event' | 'demo' | 'workflow_execution'

/** Whether a DPU is sealed, and where it is in the chain. */
export interface DpuState {
  /** The DPU's ID. */
  id: string
  status: EvidenceStatus
  evidenceLevel: EvidenceLevel
  /** The hash of the chain entry. Null until the DPU is sealed. */
  chainHash: string | null
  /** The entry's index in the chain. Null until the DPU is sealed. */
  chainIndex: number | null
  domain: ChainDomain
  /** When the DPU was created. */
  createdAt: string
  /** When the DPU was sealed. Null until then. */
  sealedAt: string | null
}

/** Counts of the DPUs on the platform and in the center. */
export interface DpuStats {
  /** The total number of DPUs. */
  total: number
  byEvidenceLevel: CountsByLevel
  byVertical: CountsByVertical
  /** The counts for this center only. */
  center: DpuCounts
}

/** A DPU with the beginning of its content. */
export interface DpuSummary {
  /** The DPU's ID. */
  id: string
  /** The first 300 characters of what was decided. Empty if the content has been redacted. */
  content: string
  evidenceLevel: EvidenceLevel
  status: EvidenceStatus
  domain: ChainDomain
  /** The entry's index in the chain, counted from 0. */
  chainIndex: number
  /** The kind of object that the record is about. Null if there is none. */
  referenceType: DpuReferenceType | null
  /** The ID of the object that the record is about. Null if there is none. */
  referenceId: string | null
  /** The workflow that produced the record. Null if no workflow did. */
  workflowId: string | null
  /** The record's tags. */
  tags: string[]
  createdBy: DpuCreator | null
  /** When the record was created. */
  createdAt: string
  /** When the record last changed. */
  updatedAt: string
  /** When the record was sealed. Null until then. */
  sealedAt: string | null
}

/** The changes to make to a DPU. */
export interface DpuUpdate {
  /** The level to raise the record to. */
  evidenceLevel?: EvidenceLevel
  /** The record's new metadata, as a JSON object. It replaces the current metadata. */
  metadata?: JsonObject
  /** The hash of the record's newest entry that you have seen. If there's a newer one, the response is 409. */
  previous?: string
  /** Your passkey's response to the challenge, if a policy requires a passkey. */
  assertion?: PasskeyAssertion
}

/** The result of verifying a DPU and the chain before it. */
export interface DpuVerdict {
  /** Whether everything matches. */
  valid: boolean
  /** The number of entries in the chain. */
  chainLength: number
  /** The hash of the first entry. Empty if the chain has no entries. */
  genesisHash: string
  /** The lowest index at which verification failed. Null if it didn't fail. */
  brokenAt: number | null
  /** A sentence that says what failed. Null if nothing failed. */
  reason: string | null
  /** The paths of the values that have been redacted. Absent if there are none. */
  redacted?: string[]
}

/** The number of the center's DPUs at each evidence level. */
export interface DpusByLevel {
  /** The number of DPUs that nobody has reviewed yet. */
  DRAFT: number
  /** The number of DPUs that have been reviewed. */
  DOCUMENTED: number
  /** The number of DPUs that are ready for an audit and can't be changed. */
  AUDIT_READY: number
}

/** A member who did something with a draft. */
export interface DraftPerson {
  /** The member's actor ID. */
  id: string
  /** The member's name then. */
  name: string
}

/** The policy, as if it had been saved. */
export interface DraftPolicy {
  /** A name that people recognize the policy by. */
  name: string
  /** What the policy is for. Approvers see it. */
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  approval?: PolicyApproval
  /** Whether the policy applies. True by default; a policy that is turned off matches nothing. */
  active?: boolean
}

/** Why the draft is refused. */
export interface DraftRefusal {
  /** Why you refuse the draft. */
  reason: string
  /** The hash of the record's newest entry that you have seen, from `draft.previous`. If there's a newer one, the response is 409. */
  previous: string
}

/** Who should review the draft. */
export interface DraftRequest {
  /** The actor ID of the member who should review the draft. */
  reviewerId: string
  /** The hash of the record's newest entry that you have seen, from `draft.previous`. If there's a newer one, the response is 409. */
  previous: string
}

/** What the center's people have done with a draft. */
export interface DraftReview {
  /** The hash of the record's newest entry. Send it with your change. */
  previous: string
  /** The SHA-256 hash of the draft's own text, in UTF-8. It's sealed together with a member's text. */
  contentDigest: string
  /** A member's text in place of the draft's own. Null if nobody has edited it. */
  text: string | null
  /** Who edited the text last. Null if nobody did. */
  editedBy: DraftPerson | null
  /** When the text was last edited. Null if nobody edited it. */
  editedAt: string | null
  /** Who was asked for the review. Null if nobody was. */
  sentTo: DraftPerson | null
  /** Who asked for the review. Null if nobody did. */
  sentBy: DraftPerson | null
  /** When the review was asked for. Null if nobody asked. */
  sentAt: string | null
  refused: RefusedDraft | null
}

/** The text to put in place of the draft's own. */
export interface DraftText {
  /** The whole text. */
  text: string
  /** The hash of the record's newest entry that you have seen, from `draft.previous`. If there's a newer one, the response is 409. */
  previous: string
}

/** What a policy would have changed. */
export interface DryRun {
  /** The number of decisions that were evaluated, starting from the newest. */
  decisions: number
  /** The number of evaluated decisions that the policy matches. */
  matched: number
  /** The outcomes without the change. */
  before: OutcomeCounts
  /** The outcomes with the change. */
  after: OutcomeCounts
  /** The 100 newest decisions whose outcome would change. */
  changed: ChangedOutcome[]
}

/** The policy to try. Omit this if you send `withdraw`. */
export interface DryRunPolicy {
  /** A name that people recognize the policy by. */
  name: string
  /** What the policy is for. Approvers see it. */
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  approval?: PolicyApproval
  /** Whether the policy applies. True by default; a policy that is turned off matches nothing. */
  active?: boolean
}

/** Whether a member's role counts for approvals. */
export interface Eligibility {
  /** The membership that has the role. */
  membershipId: string
  /** The member's actor ID. */
  actorId: string
  role: ActorRole
  /** When the member's approvals in this role start to count. */
  countsFrom: string
  /** The actor ID of the person who confirmed the role, or `operator`. Null if nobody has confirmed it. */
  confirmedBy: string | null
}

/** The new email address. */
export interface EmailChange {
  /** The new address. */
  email: string
}

/** Why the matter is closed. */
export interface EmergencyClosing {
  /** Why the matter is closed. It is sealed. */
  reason: string
}

/** Your right to approve the decision in an emergency. */
export interface EmergencyRight {
  /** The policies whose lines your emergency approval would fill. */
  policies: string[]
  /** How many seconds the lines would have to confirm it, counted from the seal. */
  confirmWithinSeconds: number
  identity: RequiredIdentity
  /** Whether your emergency approval would complete the decision. */
  seals: boolean
  /** Your earlier emergency approval that was objected to or not confirmed in time. Until it's closed, you can't give another one. Null if there is none. */
  blocked: string | null
}

/** Whether it's still to be confirmed (`open`), is `confirmed`, was `objected` to, or nobody confirmed it in time (`unconfirmed`). If it was objected to or not confirmed in time, the decision can't be consumed. */
export type EmergencyState = 'open' | 'confirmed' | 'objected' | 'unconfirmed'

/** A center that you may enter, with your role in it. */
export interface EnterableCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is another center's sandbox, which holds only test data. */
  sandbox: boolean
  role: ActorRole
}

/** The name of this environment, as configured by the operator. */
export type EnvironmentName = 'production' | 'staging' | 'sandbox' | 'development'

/** What ends with the account. */
export interface ErasureEnds {
  /** The centers whose memberships end. */
  memberships: CenterOfAccount[]
  /** The number of children whose guardian you are. */
  children: number
  /** The number of passkeys that stop working. */
  passkeys: number
  /** The number of sessions that end. */
  sessions: number
}

/** What stays after the account is deleted. */
export interface ErasureKeeps {
  /** The centers that keep records: sealed records and audit entries with the name that you had then, and your name in the list of former members. */
  centers: CenterOfAccount[]
  /** The number of children without an account of their own, who stay members of their centers. */
  children: number
}

/** A reason why the account can't be deleted yet. */
export interface ErasureObstacle {
  reason: ErasureReason
  /** The name of the center or partner. Null for an operator. */
  name: string | null
}

/** Why the account stays. `LAST_ADMIN`: you are the last ACTIVE ADMIN of the named center. `OWN_WORKSPACE`: the named workspace is your own. `LAST_PARTNER_ADMIN`: you are the last PARTNER_ADMIN of the named partner. `OPERATOR`: you are an operator of this installation. */
export type ErasureReason = 'LAST_ADMIN' | 'OWN_WORKSPACE' | 'LAST_PARTNER_ADMIN' | 'OPERATOR'

/** The action that a decision is about. */
export interface EventAction {
  /** The kind of action, under a name that you choose. Policies match this name, and the action type's template shows approvers a readable one. */
  type: string
  /** What the action does, in the requester's words. If the center has a template for the action type, approvers see the template's headline instead. */
  description?: string
  /** The action's arguments, as a JSON object. Policy conditions read values from it. */
  input?: JsonObject
  /** The action's actual or proposed result, as a JSON object. */
  output?: JsonObject
}

/** Who or what made the decision. */
export interface EventActor {
  /** The actor's ID in your own system. Policies, API keys and list filters refer to this ID, so keep it stable. */
  id: string
  type: EventActorType
  /** The name that approvers see. */
  name?: string
}

/** The kind of actor: a person, an AI agent, a system or a service. */
export type EventActorType = 'human' | 'ai_agent' | 'system' | 'service'

/** An event type that webhooks can subscribe to. */
export interface EventTypeDescription {
  /** The name to subscribe to. */
  type: string
  /** When the event is sent. */
  description: string
  schema: JsonSchema
  /** An example of `data`. */
  example: JsonObject
}

/** A decision's sealed evidence. */
export interface Evidence {
  /** The evidence ID. */
  id: string
  /** The decision's own ID, as returned when it was recorded. */
  decisionId: string
  status: EvidenceStatus
  evidenceLevel: EvidenceLevel
  /** The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out. */
  actionDigest: string
  /** The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted. */
  actionSalt: string | null
  event: SealedEvent
  /** The approval or refusal that sealed the decision. Null if no approval was needed. */
  approval: SealedApproval | null
  /** Earlier approvals, oldest first. If an approval didn't count, its `void` says why. */
  priorApprovals?: JsonObject[]
  /** The policies under which the decision was sealed, what the page said it showed, and the `history` entry that makes the approver's role count. This object names no person and is never redacted. */
  control?: JsonObject
  /** The policies that applied when the decision was sealed. */
  policies?: AppliedPolicy[]
  chain: ChainPosition
  /** When the decision was sealed. */
  sealedAt: string
  /** When the decision was recorded. */
  createdAt: string
  /** The paths of the values that have been redacted. Absent if there are none. */
  redacted?: string[]
  /** The receipt for the seal. Null if it couldn't be issued yet. */
  receipt: Receipt | null
}

/** How far a record has been reviewed. The level can only rise. */
export type EvidenceLevel = 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY'

/** Whether the decision is sealed, and where it is in the chain. */
export interface EvidenceState {
  /** The ID of the decision's evidence. Public verification accepts this ID too. */
  id: string
  status: EvidenceStatus
  /** The hash of the chain entry: `sha256:` followed by 64 hex digits. Null until the decision is sealed. */
  chainHash: string | null
  /** The entry's index in the chain, counted from 0. Null until the decision is sealed. */
  chainIndex: number | null
}

/** `pending` until the record is in the chain, then `sealed`. */
export type EvidenceStatus = 'pending' | 'sealed'

/** One run of a workflow. */
export interface Execution {
  /** The execution's ID. Use it to follow or cancel the execution. */
  executionId: string
  status: ExecutionStatus
  /** When the execution started. */
  startedAt: string
  /** When the execution ended. Null while it is running. */
  completedAt: string | null
  /** The execution's DPU. Null until there is one. */
  dpuId: string | null
  /** The evidence level of the execution's DPU. Null until there is one. */
  evidenceLevel: EvidenceLevel | null
  /** The workflow's ID, the same in every center. */
  workflowId: string
  trigger: ExecutionTrigger
  /** Why the execution failed and what to do next, in a sentence. Null if it didn't fail. */
  failure: string | null
}

/** One run of a workflow, with its steps. */
export interface ExecutionDetails {
  /** The execution's ID. Use it to follow or cancel the execution. */
  executionId: string
  status: ExecutionStatus
  /** When the execution started. */
  startedAt: string
  /** When the execution ended. Null while it is running. */
  completedAt: string | null
  /** The execution's DPU. Null until there is one. */
  dpuId: string | null
  /** The evidence level of the execution's DPU. Null until there is one. */
  evidenceLevel: EvidenceLevel | null
  /** The workflow's ID, the same in every center. */
  workflowId: string
  trigger: ExecutionTrigger
  /** Why the execution failed and what to do next, in a sentence. Null if it didn't fail. */
  failure: string | null
  /** The workflow's name, as people see it. */
  workflowName: string
  /** When the execution was due. Null if a person or an event started it. */
  scheduledFor: string | null
  /** The parameters that the execution runs with. */
  parameters: JsonObject
  /** The steps, in order. */
  steps: ExecutionStep[]
  /** The rows that the draft counts, as the workflow read them. They are kept with the execution and aren't part of the draft, so the seal doesn't cover them. Null if the execution hasn't completed or read no appointments or attendance. */
  counted: CountedRows | null
}

/** Whether the action succeeded or failed. `unknown` means that nobody can tell, for example after a crash. */
export type ExecutionOutcome = 'succeeded' | 'failed' | 'unknown'

/** The output that was reported. Only the key that reported it and members get it. Absent if none was reported, or after a redaction. */
export type ExecutionOutput = Record<string, unknown>

/** The last outcome that was reported. Null until an outcome is reported. */
export interface ExecutionReport {
  status: ExecutionOutcome
  /** When the outcome was reported. */
  reportedAt: string
  output?: ExecutionOutput
}

/** The execution's state. All states except RUNNING are final. */
export type ExecutionStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED'

/** One step of an execution. */
export interface ExecutionStep {
  /** The step's name. */
  name: string
  status: StepStatus
  /** How many attempts were made. */
  attempts: number
  /** When the step started. Null until then. */
  startedAt: string | null
  /** When the step ended. Null until then. */
  completedAt: string | null
  /** The error from the last failed attempt. Null if there was none. */
  error: string | null
}

/** What started the execution. */
export type ExecutionTrigger = 'manual' | 'schedule' | 'event'

/** An approval line as a test expects it. */
export interface ExpectedLine {
  /** The name of the policy that asks. */
  policy?: string
  /** The steps, in order. Their number is compared too. */
  steps: ExpectedStep[]
}

/** A step as a test expects it. What it leaves out is not compared. */
export interface ExpectedStep {
  /** The step's title. */
  title?: string
  /** How many different people must approve at this step. */
  count?: number
  identity?: RequiredIdentity
}

/** A guardian's children and open invitations. */
export interface Family {
  /** Your children. */
  children: FamilyChild[]
  /** Guardianships that you were offered. They don't name the child until you accept. */
  invitations: GuardianInvitation[]
}

/** One of your children's appointments. */
export interface FamilyAppointment {
  /** The center's numeric ID. */
  centerId: number
  /** The center's name, as people see it. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The booking's ID. */
  id: string
  /** The child's actor ID. */
  childId: string
  /** The child's name, as the center recorded it. */
  childName: string
  /** The instructor's actor ID. */
  instructorId: string
  /** The instructor's name. Null if they are no longer a member. */
  instructorName: string | null
  /** When the appointment starts. */
  startsAt: string
  /** When the appointment ends. */
  endsAt: string
  status: BookingStatus
  /** Why the appointment was canceled. Null if nobody gave a reason. */
  reason: string | null
}

/** Your children's appointments in all centers. */
export interface FamilyAppointments {
  /** The appointments, in chronological order. */
  appointments: FamilyAppointment[]
  /** Whether the period has more records than were returned. If so, request a shorter period. */
  more: boolean
  /** Centers whose records couldn't be read right now. */
  unavailable: UnavailableCenter[]
}

/** Your children's attendance in all centers. */
export interface FamilyAttendance {
  /** The attendance records, newest first. */
  attendance: AttendanceOfChild[]
  /** Each child's counts, for the records that were returned. */
  counts: AttendanceCounts[]
  /** Whether the period has more records than were returned. If so, request a shorter period. */
  more: boolean
  /** Centers whose records couldn't be read right now. */
  unavailable: UnavailableCenter[]
}

/** One of your children. */
export interface FamilyChild {
  /** The child's actor ID. */
  actorId: string
  /** The child's name. */
  name: string
  /** The centers where you're the child's guardian. */
  centers: ChildsCenter[]
}

/** Features that are turned on or off, by name. */
export type Features = Record<string, boolean>

/** Features to turn on or off, by name. Null removes the switch. */
export type FeaturesPatch = Record<string, boolean | null>

/** An action type's template in a file. Its type identifies it. */
export interface FiledActionType {
  /** The action type. */
  type: string
  name: ActionTypeName
  sentence?: ActionTypeSentence
  labels?: ActionTypeLabels
}

/** A policy in a file. Its name identifies it. */
export interface FiledPolicy {
  /** A name that people recognize the policy by. */
  name: string
  /** What the policy is for. Approvers see it. */
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  /** Whether the policy applies. True by default; a policy that is turned off matches nothing. */
  active?: boolean
  approval?: FiledPolicyApproval
}

/** Who may approve if this policy requires an approval: the people in `steps`, one step after another, or members with one of `roles`, the members in `actorIds` or, if none of these is given, every ADMIN and INSTRUCTOR. If several policies require an approval, each has a line of its own, and one approval counts in every line where it is that person's turn. The highest `identity` and the shortest `expiresAfterSeconds` and `usableForSeconds` apply to all of them. */
export interface FiledPolicyApproval {
  identity?: RequiredIdentity
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The approval line: who approves, one step after another. A person fills one place of a line. A line has at most 9 places. Can't be combined with `roles`, `actorIds`, `escalateTo` or the `dualApproval` guard. */
  steps?: FiledPolicyStep[]
  inform?: FiledPolicyInform
  /** How many seconds a decision may wait before it is refused. */
  expiresAfterSeconds?: number
  /** How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days). */
  usableForSeconds?: number
  escalateTo?: PolicyEscalation
  emergency?: FiledPolicyEmergency
}

/** Members who may approve in an emergency (후결), in place of the whole line. The line confirms the approval afterwards, within `confirmWithinSeconds`, without the member who gave it. Send `roles`, `actorIds`, `groupIds` or several of them. */
export interface FiledPolicyEmergency {
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members are meant, by name or ID. */
  groupIds?: string[]
  /** How many seconds the approval line has to confirm an emergency approval. */
  confirmWithinSeconds: number
}

/** Members who are told when the decision is approved or refused. They approve nothing. */
export interface FiledPolicyInform {
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members are meant, by name or ID. */
  groupIds?: string[]
}

/** One step of an approval line. If it names nobody, every ADMIN and INSTRUCTOR may approve at this step. An empty object is a step that anyone of them can fill. */
export interface FiledPolicyStep {
  /** What the box of seals calls this step. */
  title?: string
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members are meant, by name or ID. */
  groupIds?: string[]
  /** How many different people must approve at this step. 1 by default. */
  count?: number
  identity?: RequiredIdentity
  escalateTo?: PolicyEscalation
  /** Whether the box of seals marks this step as deciding with delegated authority (전결). It changes nothing about who may approve. */
  delegated?: boolean
}

/** The subscription's current state. Present only if the event had `centerSubscription`. */
export interface FollowedSubscription {
  status: SubscriptionStatus
}

/** What matches, by kind. */
export interface Found {
  /** Decisions, newest first. */
  decisions: FoundDecision[]
  /** Members. Null if you may not list them. */
  people: FoundPerson[] | null
  /** Appointments: the next ones first, then the last ones. */
  bookings: FoundBooking[]
  /** Policies in force. Null if you may not list them. */
  policies: FoundPolicy[] | null
}

/** Who approved or refused the decision. */
export interface FoundApproval {
  /** The approver's ID. Null once it has been redacted. */
  approverId: string | null
  /** The approver's name when they decided. Null if there is none or it has been redacted. */
  name: string | null
  result: ApprovalResult
  level: IdentityLevel
}

/** An appointment. */
export interface FoundBooking {
  /** The appointment's ID. */
  id: string
  /** Whom the appointment is for. Null if they left. */
  clientName: string | null
  /** Who gives the appointment. Null if they left. */
  instructorName: string | null
  /** When the appointment starts. */
  startsAt: string
  status: BookingStatus
}

/** A center that the search found. */
export interface FoundCenter {
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  vertical: Vertical
  tenantType: TenantType
  /** A short text about the center. Empty if there is none. */
  description: string
  /** The center's logo, as a URL. Empty if there is none. */
  logo: string
}

/** A decision that matches the search. */
export interface FoundDecision {
  /** The decision event's ID. */
  eventId: string
  /** The decision's own ID. */
  decisionId: string
  headline: FoundHeadline
  type: DecisionEventType
  actor: ShownEventActor
  /** What kind of action it is, as the requester named it. */
  actionType: string
  status: DecisionEventStatus
  /** Whether the decision is waiting for an approval. */
  waiting: boolean
  /** The largest amount that the decision names. Null if it names none. */
  amount: number | null
  /** The hash of its chain entry. Null until the decision is sealed. */
  chainHash: string | null
  /** The approvals and refusals that weren't taken back, in the order they were given. */
  approvals: FoundApproval[]
  /** The tags that were sent with the decision. */
  tags: string[]
  /** When the decision was recorded. */
  createdAt: string
  /** When its status last changed. */
  updatedAt: string
}

/** The decisions that match. */
export interface FoundDecisions {
  /** The decisions, newest first. */
  decisions: FoundDecision[]
  /** Send it as `cursor` to read on. Null if there are no further decisions. */
  nextCursor: string | null
  /** Words of the search that no decision has, and that were therefore left out. */
  leftOut: string[]
}

/** The headline, built from the action's type and values, never from its description. */
export interface FoundHeadline {
  /** The headline in Korean. */
  ko: string
  /** The headline in English. */
  en: string
}

/** A member of the center. */
export interface FoundPerson {
  /** Identifies the person in the list of members. */
  membershipId: string
  /** The person's actor ID. */
  actorId: string
  /** The person's name in this center. */
  name: string
  /** The person's email address. Null if there is none. */
  email: string | null
  /** The member's roles. */
  roles: ActorRole[]
  status: MembershipStatus
}

/** A policy. */
export interface FoundPolicy {
  /** The policy's ID. */
  id: string
  /** The policy's name. */
  name: string
  /** Whether the policy applies now. */
  active: boolean
}

/** A stop, in force or lifted. */
export interface Freeze {
  /** The stop's ID. */
  id: string
  /** Covers everything that this agent or person requests. What a person approves is not covered. */
  actorId?: string
  /** Covers everything that this API key requests, approves or runs. */
  keyId?: string
  /** Covers every action of these types. As in a policy, `*` matches any characters. */
  actionTypes?: string[]
  /** Covers everything in the center, including changes to its policies. */
  center?: true
  /** The reason. It is sealed, and every administrator can read it. */
  reason: string
  rank: FreezeRank
  /** The actor ID of the person who made the stop, or `operator`. */
  madeBy: string
  /** When the stop took effect. */
  madeAt: string
  /** The index of the stop's entry in the `history` chain. Null if the operator stopped all centers and this center hasn't had an entry since. */
  historyIndex: number | null
  /** The actor ID of the person who lifted the stop, or `operator`. Null while it is in force. */
  liftedBy: string | null
  /** When the stop was lifted. Null while it is in force. */
  liftedAt: string | null
  /** The reason for lifting it. Null while it is in force. */
  liftReason: string | null
}

/** What a stop would cover now, or covers. */
export interface FreezeCoverage {
  /** How many requests are waiting for approval, of the newest 1,000. */
  waiting: number
  /** These requests, the newest first. */
  waitingIds: string[]
  /** The decisions that were consumed and have no outcome yet, newest first, at most 100. They can't be stopped. */
  running: RunningDecision[]
  /** What was consumed around the stop. Null without `index`. */
  runs: FreezeRuns | null
}

/** Why the stop is lifted. */
export interface FreezeLifting {
  /** The reason. It is sealed, and every administrator can read it. */
  reason: string
}

/** The new stop, and what is already running. */
export interface FreezeMade {
  /** The stop's ID. */
  id: string
  /** Covers everything that this agent or person requests. What a person approves is not covered. */
  actorId?: string
  /** Covers everything that this API key requests, approves or runs. */
  keyId?: string
  /** Covers every action of these types. As in a policy, `*` matches any characters. */
  actionTypes?: string[]
  /** Covers everything in the center, including changes to its policies. */
  center?: true
  /** The reason. It is sealed, and every administrator can read it. */
  reason: string
  rank: FreezeRank
  /** The actor ID of the person who made the stop, or `operator`. */
  madeBy: string
  /** When the stop took effect. */
  madeAt: string
  /** The index of the stop's entry in the `history` chain. Null if the operator stopped all centers and this center hasn't had an entry since. */
  historyIndex: number | null
  /** The actor ID of the person who lifted the stop, or `operator`. Null while it is in force. */
  liftedBy: string | null
  /** When the stop was lifted. Null while it is in force. */
  liftedAt: string | null
  /** The reason for lifting it. Null while it is in force. */
  liftReason: string | null
  /** The decisions that were consumed before and have no outcome yet, newest first, at most 100. They can't be stopped. */
  running: RunningDecision[]
}

/** Who made the stop. Only the same rank or a higher one can lift it: center, then partner, then operator. */
export type FreezeRank = 'center' | 'partner' | 'operator'

/** The decisions covered that were consumed around a stop. */
export interface FreezeRuns {
  /** How many decisions were consumed in each of the 15 minutes before the stop's entry, the earliest first. Counted in the 3,000 entries before it. */
  minutes: number[]
  /** How many were consumed after the stop's entry. Null if more than 3,000 entries have come since, which are not all counted. */
  later: number | null
}

/** An approval or refusal that was given for this decision. */
export interface GivenApproval {
  /** The ID of this approval or refusal. */
  approvalId: string
  approver: GivenApprover
  result: ApprovalResult
  /** The comment that came with the approval. */
  reason?: string
  identity: ApprovalIdentity
  channel?: ApprovalChannel
  /** When the approver first opened the decision. */
  openedAt?: string
  /** When the approver decided. */
  decidedAt?: string
  /** The member on whose behalf a deputy approved. */
  onBehalfOf?: string
  /** When the approver took the approval back. Absent if they didn't. */
  takenBackAt?: string
  /** Why the approval didn't count when the decision was sealed. Absent if it did. */
  void?: string
  /** Present if the approval was given in an emergency (후결). */
  emergency?: true
  /** The current name of the member on whose behalf a deputy approved. Only members see this name. */
  onBehalfOfName?: string
  /** When the server received the approval. */
  createdAt: string
}

/** Who approved or refused. Fields that have been redacted are missing. */
export interface GivenApprover {
  /** The approver's ID in your own system, or their actor ID if they're a member of the center. */
  id?: string
  type?: ApproverType
  /** The approver's name, as it should appear in the record. */
  name?: string
}

/** Your confirmation or objection, as sealed. */
export interface GivenConfirmation {
  /** The decision event's ID. */
  eventId: string
  result: ConfirmationResult
  /** Whether the emergency approval is confirmed now, because all places of its lines are filled. */
  complete: boolean
  /** When the confirmation or objection was sealed. */
  confirmedAt: string
  /** The hash of its entry in the `history` chain. */
  chainHash: string
}

/** Your approval or refusal, with the seal if it completed the decision. */
export interface GivenMemberApproval {
  /** The ID of this approval or refusal. */
  approvalId: string
  /** The decision's own ID, as returned when it was recorded. */
  decisionId: string
  approver: Approver
  result: ApprovalResult
  /** The comment that came with the approval. */
  reason?: string
  evidenceLevel: EvidenceLevel
  /** The hash of the chain entry. Null while another approval is still needed. */
  sealedHash: string | null
  /** When the decision was sealed. Null while another approval is still needed. */
  sealedAt: string | null
  /** When the server received the approval. */
  createdAt: string
  /** The receipt for the seal. Null while another approval is still needed. */
  receipt: Receipt | null
}

/** A group of the center's people. Approval lines of the center's policies can name it. */
export interface Group {
  /** The group's ID. */
  id: string
  /** The group's name. */
  name: string
  /** The group's people, by actor ID. */
  people: GroupPerson[]
  /** When the group was last changed. */
  changedAt: string
}

/** The people to confirm. */
export interface GroupConfirmation {
  /** The actor IDs of the people you confirm. If one of them is no longer in the group, the response is 409. */
  actorIds: string[]
}

/** What to change about the group. Anything you leave out stays as it is. */
export interface GroupPatch {
  /** The group's name, on a single line. It can't contain control characters, email addresses or links. */
  name?: string
  /** The actor IDs of the group's people. Anyone you add must be an ACTIVE member of the center with the role ADMIN or INSTRUCTOR. */
  actorIds?: string[]
}

/** A person in a group. Their approvals count only while they're an ACTIVE ADMIN or INSTRUCTOR. */
export interface GroupPerson {
  /** The person's actor ID. */
  actorId: string
  /** When this person's place in the group starts to count for approvals. */
  countsFrom: string
}

/** A guardianship that you were offered. */
export interface GuardianInvitation {
  /** The center's numeric ID. */
  centerId: number
  /** The center's name, as people see it. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The guardianship's ID. */
  id: string
  /** When you were invited. Null if it isn't known. */
  invitedAt: string | null
}

/** A guardian's relation to a child in one center. */
export interface Guardianship {
  /** The guardianship's ID. */
  id: string
  /** The child's actor ID. */
  childId: string
  /** The guardian's actor ID. Null until they accept an emailed invitation. */
  parentId: string | null
  /** The guardian's name. Until they accept, it's the name in the invitation. */
  name: string
  /** The guardian's email address. Empty if they have none. */
  email: string
  status: GuardianshipStatus
  /** When the guardian was invited. Null if they added the child themselves. */
  invitedAt: string | null
  /** When the guardian accepted. Null until then. */
  acceptedAt: string | null
  /** When the guardianship ended. Null if it hasn't ended. */
  endedAt: string | null
}

/** The state of a guardianship. Only `ACTIVE` gives access. */
export type GuardianshipStatus = 'INVITED' | 'ACTIVE' | 'ENDED'

/** Where to sign in for a custom domain. */
export interface Handoff {
  /** The sign-in page to open. */
  url: string
  /** When the sign-in expires. */
  expiresAt: string
}

/** The address that leads back to the custom domain. */
export interface HandoffCode {
  /** The address on the custom domain to open. */
  url: string
  /** When the code expires. */
  expiresAt: string
}

/** The sign-in that should return to a custom domain. */
export interface HandoffCodeRequest {
  /** The token from the sign-in page's address. */
  handoff: string
}

/** The code that starts a session on the custom domain. */
export interface HandoffRedemption {
  /** The code from the address. */
  token: string
}

/** Whether the server is healthy. */
export interface Health {
  /** Always `ok`. If the server isn't healthy, the response is an error. */
  status: 'ok'
}

/** The entry in the `history` chain that records the redaction. */
export interface HistoryPosition {
  /** The entry's index in the chain. */
  index: number
  /** The hash of the entry, as 64 hex digits. */
  hash: string
}

/** The holidays to adopt. */
export interface HolidayAdoption {
  /** The year whose holidays to adopt. */
  year: number
}

/** What this server is, with links to its pages. */
export interface Home {
  /** The name of the product. */
  name: 'Countersign'
  /** What this server is, in a sentence. */
  summary: string
  links: HomeLinks
}

/** Paths on this server. */
export interface HomeLinks {
  /** The API reference and guides. */
  docs: '/docs'
  /** The page that verifies a record or a file. */
  verify: '/verify'
  /** This description of the API. */
  openapi: '/openapi.json'
  /** The health check. */
  health: '/health/ready'
}

/** Who vouches for the approver: an API key that names a person (`claim`), a signed-in member (`session`), their passkey (`passkey`) or this service (`system`). */
export type IdentityLevel = 'claim' | 'session' | 'passkey' | 'system'

/** The number of rows with each effect. */
export interface ImportCounts {
  /** The number of rows that are `invited`. */
  invited: number
  /** The number of rows that are `reinvited`. */
  reinvited: number
  /** The number of rows that are `added`. */
  added: number
  /** The number of rows that are `changed`. */
  changed: number
  /** The number of rows that are `unchanged`. */
  unchanged: number
  /** The number of rows that are `refused`. */
  refused: number
}

/** What an import does with a row: it invites the person (`invited`), invites them again with a new name, new roles or a new link (`reinvited`), adds a child without an email address (`added`), changes the name or the guardians of a member (`changed`), finds everything as the row says (`unchanged`), or can't use the row (`refused`). */
export type ImportEffect = 'invited' | 'reinvited' | 'added' | 'changed' | 'unchanged' | 'refused'

/** Why a row is refused. The email address is invalid (`email`) or missing (`emailMissing`), the name is invalid (`name`) or missing (`nameMissing`), or the roles are unknown (`roles`), missing (`rolesMissing`) or not among those that the request gives (`rolesNotGiven`). The person is a member with other roles (`rolesDiffer`), or their membership is SUSPENDED, REJECTED or ENDED (`suspended`, `rejected`, `ended`): change that membership instead. A guardian's address is invalid or there are more than four (`guardians`), it's the child's own (`guardianOfSelf`), or the row isn't a child's (`guardiansNotForRole`). An earlier row has the same person (`duplicate`), or several children fit (`ambiguous`). A workspace has one ADMIN (`workspace`), the center doesn't have families (`families`), all seats are taken (`seats`), the subscription is suspended or canceled (`subscription`), the center or the address has had all of today's invitations (`invitations`), or the membership changed at the same moment (`conflict`). */
export type ImportReason = 'email' | 'emailMissing' | 'name' | 'nameMissing' | 'roles' | 'rolesMissing' | 'rolesNotGiven' | 'rolesDiffer' | 'guardians' | 'guardianOfSelf' | 'guardiansNotForRole' | 'duplicate' | 'ambiguous' | 'suspended' | 'rejected' | 'ended' | 'workspace' | 'families' | 'seats' | 'subscription' | 'invitations' | 'conflict'

/** What the import does, or did. */
export interface ImportReport {
  /** Whether nothing was changed. */
  dryRun: boolean
  counts: ImportCounts
  /** How many people get an email. */
  emails: number
  /** What happens with each row, in the order of the request. */
  results: ImportResult[]
}

/** What the import does, or did, with a row. */
export interface ImportResult {
  /** The number of the row. */
  row: number
  effect: ImportEffect
  reason: ImportReason | null
  /** The earlier row with the same person. Null unless the reason is `duplicate`. */
  duplicateOf: number | null
  /** The name that you sent, without spaces around it. Null if there's none. */
  name: string | null
  /** The address that you sent, in lowercase. Null if there's none. */
  email: string | null
  /** The roles that you sent, the highest first. */
  roles: ActorRole[]
  /** The name that the row replaces. Null if it replaces none. */
  formerName: string | null
  /** Whether the center has another child of this name, who has other guardians. */
  sameName: boolean
  /** How many guardians the row invites. */
  guardiansInvited: number
  /** The membership's ID. Null in a dry run, and if the row is refused. */
  membershipId: string | null
}

/** A person to invite or a child to add. A row that is wrong is refused on its own. */
export interface ImportRow {
  /** The number of the row in your file. The response repeats it. */
  row: number
  /** The person's name. Without one, the part of the email address before the @ is used. */
  name?: string
  /** The address to invite. Only a child can be without one. */
  email?: string
  /** The person's roles, by their names in this API. Someone who is already a member doesn't need any. */
  roles?: string[]
  /** The email addresses of a child's guardians, at most 4. */
  guardians?: string[]
}

/** A summary of the action. */
export interface InboxAction {
  /** The action's type. */
  type: string
  /** The first 500 characters of the requester's description. Null if none was sent. */
  description: string | null
}

/** Counts for the whole inbox. */
export interface InboxCounts {
  /** The number of decisions that are waiting for approval. */
  waiting: number
  /** The number of decisions that expire within an hour. */
  expiringWithinHour: number
  /** The number of decisions that you haven't opened. */
  unopened: number
  /** The number of decisions without a risk score. */
  withoutRisk: number
  /** The number of decisions that are waiting for you now. */
  turn: number
  /** The number of decisions that a later step will bring to you. */
  soon: number
  /** The number of emergency approvals that are waiting for you to confirm them. */
  confirm: number
  /** The number of closed decisions that a policy keeps you informed about. */
  informed: number
  /** The number of decisions that you or your API keys asked for. */
  asked: number
}

/** The headline, built from the action's type and values, never from its description. */
export interface InboxHeadline {
  /** The headline in Korean. */
  ko: string
  /** The headline in English. */
  en: string
}

/** A decision that's waiting for approval, or that was. */
export interface InboxItem {
  /** The decision event's ID. */
  eventId: string
  /** The decision's own ID. */
  decisionId: string
  type: DecisionEventType
  actor: ShownEventActor
  action: InboxAction
  headline: InboxHeadline
  /** The tags that were sent with the decision. */
  tags: string[]
  /** The requester's estimate of the risk, from 0 to 1. Null if none was sent. */
  riskScore: number | null
  /** When the decision started waiting for approval. Once it is closed, when it was recorded. */
  since: string
  /** When the decision expires. Null if it never does, and once it is closed. */
  expiresAt: string | null
  /** The guards that require an approval. Empty once the decision is closed. */
  reasons: ApprovingGuard[]
  status: DecisionEventStatus
  /** The number of approvals given so far. */
  approvals: number
  /** The number of comments. */
  comments: number
  /** When you first opened the decision. Null if you haven't. */
  openedAt: string | null
  /** Whether you have opened the decision since its content last changed. */
  opened: boolean
  /** The number of other members who have opened the decision. */
  openedByOthers: number
}

/** The sort order: highest risk first (`risk`), or earliest expiry first (`expiry`). */
export type InboxOrder = 'risk' | 'expiry'

/** Which decisions: all that are waiting (`all`), those that are waiting for you now (`turn`), those that a later step will bring to you (`soon`), sealed ones whose emergency approval is waiting for you to confirm it (`confirm`), closed ones that a policy keeps you informed about (`informed`), and those that you or your API keys asked for, open or closed (`asked`). `confirm`, `informed` and `asked` are sorted newest first. */
export type InboxView = 'all' | 'turn' | 'soon' | 'confirm' | 'informed' | 'asked'

/** A proof that an entry is in a chain. */
export interface InclusionProof {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The entry's index in the log, counted from 0. */
  index: number
  /** The size of the tree that the proof leads to. */
  size: number
  /** The 32-byte hashes in base64, from the entry up to the root. */
  inclusionProof: string[]
  /** A signed checkpoint (c2sp.org/tlog-checkpoint) with the witnesses' cosignatures. */
  checkpoint: string
  /** The proof as a single text (c2sp.org/tlog-proof). */
  tlogProof: string
}

/** One of the center's instructors. */
export interface Instructor {
  /** The instructor's actor ID. */
  id: string
  /** The instructor's name. */
  name: string
  /** The instructor's highest role. A director who also teaches is an ADMIN. */
  role: ActorRole
  /** What the instructor specializes in. */
  specialties: string[]
  /** The instructor's working hours. Null if the center's opening hours apply. */
  hours: WeekHours | null
}

/** An instructor's hours and specialties. */
export interface InstructorHours {
  /** The instructor's actor ID. */
  id: string
  /** The instructor's working hours. Null if the center's opening hours apply. */
  hours: WeekHours | null
  /** What the instructor specializes in. */
  specialties: string[]
}

/** The hours and specialties to set. */
export interface InstructorHoursUpdate {
  /** The instructor's working hours. Null to use the center's opening hours. */
  hours: WeekHours | null
  /** What the instructor specializes in. */
  specialties?: string[]
}

/** The state of the center's chains, and the alarms about them. */
export interface Integrity {
  /** The center's chains. */
  chains: ChainOverview[]
  /** The 50 newest alarms. */
  alarms: ChainAlarm[]
}

/** An invitation, as its email describes it. */
export interface Invitation {
  /** The center's name. Null if a partner invited you. */
  centerName: string | null
  /** The partner's name. Null if a center invited you. */
  partnerName: string | null
  /** What the center calls its people and appointments. Null if a partner invited you. */
  terms: CenterTerms | null
  role: ActorRole | null
  partnerRole: PartnerRole | null
  /** Whether accepting also makes you a child's guardian. */
  guardian: boolean
  /** The name of the person who invited you. Null if unknown. */
  inviter: string | null
  /** The address that was invited. */
  email: string
  /** Your name in the invitation. Null if it has none. */
  name: string | null
  /** Whether an account signs in with this address. */
  hasAccount: boolean
  /** When the link stops working. */
  expiresAt: string
}

/** The invitation to accept. */
export interface InvitationAcceptance {
  /** The token from the link in the email. */
  token: string
  /** At least ten characters that aren't spaces. It can't be one of the most common passwords, the email address or the center's name. */
  password: string
  /** Your name, as others will see it. */
  name?: string
}

/** The invitation to read or accept. */
export interface InvitationToken {
  /** The token from the link in the email. */
  token: string
}

/** One of a cell's periodic jobs. */
export interface JobOverview {
  /** The job's name. */
  name: string
  /** When the job runs, as a cron expression in UTC. */
  schedule: string
  /** Whether the job is running now. */
  running: boolean
  /** When the job last succeeded. Null if it never did. */
  lastSuccessAt: string | null
  /** When the job last failed. Null if it never did. */
  lastFailureAt: string | null
  /** The kind of error that caused the last failure. The error message is in the worker's log. Null if the job has never failed. */
  lastError: string | null
  /** The number of runs that failed in the last seven days. */
  failures: number
  /** When the job runs next. */
  nextAt: string
  /** Whether the job is late: it isn't running, and it hasn't succeeded since a run that was due at least five minutes ago. */
  late: boolean
}

/** The JSON-LD context. */
export type JsonLdContext = Record<string, unknown>

/** Any JSON object. */
export type JsonObject = Record<string, unknown>

/** The JSON schema of `data`. */
export type JsonSchema = Record<string, unknown>

/** A public key as a JSON Web Key. */
export interface Jwk {
  /** The key type. */
  kty: string
  /** The curve. */
  crv: string
  /** The x coordinate, in base64url. */
  x: string
  /** The y coordinate, in base64url. */
  y: string
  /** The key's ID, as in the header of an access token. */
  kid: string
  /** The signature algorithm. */
  alg: string
  /** What the key is for: `sig`. */
  use: string
}

/** Public keys as a JSON Web Key Set. */
export interface Jwks {
  /** The keys, in any order. Choose by `kid`. */
  keys: Jwk[]
}

/** A place that came free and is kept for this client. Null while they wait for one. */
export interface KeptPlace {
  /** When the place starts. */
  startsAt: string
  /** When the place ends. */
  endsAt: string
  /** Until then, only this client can be booked there. Then the next who waits is told. */
  until: string
}

/** A person that a draft refers to. */
export interface LabeledPerson {
  /** How the draft refers to the person. */
  label: string
  /** The person's current name. */
  name: string
}

/** A language that we write in. */
export type Language = 'ko' | 'en'

/** A member who could fill a place. */
export interface LinePerson {
  /** The member's actor ID. */
  actorId: string
  /** The member's current name. */
  name: string
}

/** A place for one person in an approval line. */
export interface LinePlace {
  /** The approval that fills the place, as its position in `approvals`. Null while the place is empty, and if a confirmation fills it. */
  approval: number | null
  /** In a line that an emergency approval filled: the confirmation that fills the place, as its position in `emergency.confirmations`. Null while the place is empty, and in any other line. */
  confirmation: number | null
  /** What let the person approve at this step. Null while the place is empty. */
  by: AdmittedBy | null
}

/** A step of an approval line. */
export interface LineStep {
  /** The step's title. Null if the policy gives it none. */
  title: string | null
  /** Whether the step decides with delegated authority (전결). */
  delegated: boolean
  identity: RequiredIdentity
  /** Whether this is the step that the line is waiting for. */
  current: boolean
  /** The step's places, filled ones first. */
  places: LinePlace[]
  /** Approvals that filled a place of this step when they were given and that no longer count, as their positions in `approvals`. */
  struck: number[]
  /** For a step that is still open, up to ten members who could fill a place in it. Empty once the step is full, and when you retrieve the decision with an API key. */
  people: LinePerson[]
  /** How many members could fill a place in this step. 0 once the step is full, and when you retrieve the decision with an API key. */
  peopleCount: number
}

/** An appointment, with the client's and the instructor's names. */
export interface ListedBooking {
  /** The booking's ID. */
  id: string
  /** The instructor's actor ID. */
  instructorId: string
  /** The client's actor ID. */
  bookedFor: string
  /** When the appointment starts. */
  startsAt: string
  /** When the appointment ends. */
  endsAt: string
  /** When the booking was made. */
  createdAt: string
  status: BookingStatus
  /** Why the appointment was canceled. Null if it wasn't canceled or no reason was given. */
  reason: string | null
  /** The weekly series's ID. Null if the appointment isn't part of one. */
  seriesId: string | null
  /** The appointment's week in its series, counted from 1. Null if it isn't part of one. */
  seriesWeek: number | null
  /** The instructor's name. Null if they are no longer a member. */
  instructorName: string | null
  /** The client's name. Null if they are no longer a member. */
  clientName: string | null
  /** The actor ID of the person who made the booking. */
  bookedBy: string
  /** When staff recorded or last corrected the attendance. Null if they haven't, and for members who aren't staff. */
  recordedAt: string | null
  /** The actor ID of the person who recorded or last corrected it. Null if that isn't known, and for members who aren't staff. */
  recordedBy: string | null
  /** That person's name. Null if they are no longer a member or that isn't known, and for members who aren't staff. */
  recordedByName: string | null
}

/** A group, and whether you may confirm its new people. */
export interface ListedGroup {
  /** The group's ID. */
  id: string
  /** The group's name. */
  name: string
  /** The group's people, by actor ID. */
  people: ListedGroupPerson[]
  /** When the group was last changed. */
  changedAt: string
  /** Whether you may confirm the people in this group who don't count yet. False if there are none. */
  mayConfirm: boolean
}

/** A person in a group, with their name. */
export interface ListedGroupPerson {
  /** The person's actor ID. */
  actorId: string
  /** When this person's place in the group starts to count for approvals. */
  countsFrom: string
  /** The person's name. Empty if they are no longer a member. */
  name: string
  /** Whether the person is an ACTIVE ADMIN or INSTRUCTOR now. If not, they count for nothing. */
  mayApprove: boolean
}

/** A member, with the time at which their invitation expires. */
export interface ListedMember {
  /** The membership's ID. */
  id: string
  /** The center that the membership is in. */
  centerId: number
  /** The center's display name. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The highest of `roles`, in the order ADMIN, INSTRUCTOR, PARENT, CHILD. */
  role: ActorRole
  /** All roles of a member in a center, the highest first: ADMIN, INSTRUCTOR, PARENT, CHILD. */
  roles: ActorRole[]
  status: MembershipStatus
  /** When the person was invited or added. */
  invitedAt: string
  /** When the membership ended. Null if it hasn't ended. */
  endedAt: string | null
  /** The person's actor ID. Null until they accept an emailed invitation. */
  actorId: string | null
  /** The person's name. Until they accept, it's the name in the invitation or, without one, the part of the email address before the @. */
  name: string
  /** The person's email address. Empty if they have none. */
  email: string
  /** When the link in the email stops working. Null unless the membership is INVITED. */
  invitationExpiresAt: string | null
}

/** A webhook, with the results of its recent deliveries. */
export interface ListedWebhook {
  /** The webhook's ID. */
  id: string
  type: DestinationType
  /** The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response. */
  url: string
  /** For `nats`: the subject, without wildcards. A stream must store it. */
  subject?: string
  /** For `rabbitmq`: an exchange that exists. Leave empty for the default exchange. */
  exchange?: string
  /** For `rabbitmq`: the routing key. With the default exchange, the name of a queue. */
  routingKey?: string
  /** Event types, `*` for all of them, or a prefix such as `payment.*`. */
  events: string[]
  /** A note to yourself about what the endpoint is for. */
  description: string
  /** Whether events are sent. While this is false, the server holds them. */
  active: boolean
  /** When the webhook was created. */
  createdAt: string
  /** When the last attempt ended. Null before the first one. */
  lastDeliveryAt: string | null
  /** The result of the last attempt. Null before the first one. */
  lastDeliveryStatus: DeliveryStatus | null
  /** Why the server turned the webhook off. Null if it hasn't. */
  disabledReason: string | null
  recent: RecentDeliveries
  /** The signing secrets that are valid now, without their values. */
  secrets: SecretAge[]
  /** The last recovery. Null if there was none. */
  recovery: Recovery | null
}

/** The names and keys of this server's logs. */
export interface LogDocument {
  /** The host that all log names start with. */
  logHost: string
  /** The name of a log, with `{centerId}` and `{domain}` to fill in. */
  originTemplate: string
  /** The name of a sandbox's log, which holds test data. */
  sandboxOriginTemplate: string
  /** The domains that each center has a log for. */
  domains: ChainDomain[]
  /** The keys, newest first. One key signs for all of this host's logs, each under its own name. */
  keys: LogKey[]
  /** The witnesses that cosign checkpoints. */
  witnesses: Witness[]
  /** How many witnesses must cosign, in the syntax of a trust policy. */
  quorum: string
  /** The log document as a trust policy file for a verifier (c2sp.org/tlog-policy). */
  policy: string
}

/** A declared loss, and the log that continues the chain. */
export interface LogGeneration {
  /** The log's generation in this chain: 2 after the first declared loss. */
  generation: number
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The log that was closed. */
  predecessor: ClosedLog
  declaration: LogSuccession
}

/** A chain's declared losses. */
export interface LogGenerations {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The generations after the first one, oldest first. */
  generations: LogGeneration[]
}

/** A key that signs checkpoints. */
export interface LogKey {
  /** A verifier key as in c2sp.org/signed-note. */
  vkey: string
  /** When the key started signing. */
  from: string
  /** When the key stopped signing. Null for the current key. */
  until: string | null
  /** When the key was reported stolen. Anything it signed after that proves nothing, and `policy` no longer trusts the key. Null if it wasn't reported stolen. */
  stolenAt: string | null
  /** The previous key's signature over `endorsedText` in base64. Null for the first key. */
  endorsement: string | null
  /** The text that the previous key signed to hand over to this one. */
  endorsedText: string
}

/** The statement of what was restored and what was lost, with the proof that the log contains it. Keep it with receipts for lost entries: `countersign verify --declaration` reads it. */
export type LogSuccession = Record<string, unknown>

/** An uploaded logo. */
export interface Logo {
  /** The address of the picture, relative to the server. */
  logo: string
}

/** A chain of which records were declared lost. */
export interface LostRecords {
  domain: ChainDomain
  /** The name of the chain's current log. */
  log: string
}

/** A person's membership in a center. */
export interface Member {
  /** The membership's ID. */
  id: string
  /** The center that the membership is in. */
  centerId: number
  /** The center's display name. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The highest of `roles`, in the order ADMIN, INSTRUCTOR, PARENT, CHILD. */
  role: ActorRole
  /** All roles of a member in a center, the highest first: ADMIN, INSTRUCTOR, PARENT, CHILD. */
  roles: ActorRole[]
  status: MembershipStatus
  /** When the person was invited or added. */
  invitedAt: string
  /** When the membership ended. Null if it hasn't ended. */
  endedAt: string | null
  /** The person's actor ID. Null until they accept an emailed invitation. */
  actorId: string | null
  /** The person's name. Until they accept, it's the name in the invitation or, without one, the part of the email address before the @. */
  name: string
  /** The person's email address. Empty if they have none. */
  email: string
}

/** Your approval or refusal, and what you were shown. */
export interface MemberApproval {
  result: ApprovalResult
  /** Your comment on the decision. The comment is sealed with the decision. */
  reason?: string
  /** Gives an emergency approval (후결), with a `reason`. It fills all open places in the lines of those policies whose `approval.emergency` admits you, and none in any other line. Each line it fills confirms it later, until `confirmBy`. */
  emergency?: true
  /** The `actionDigest` of the decision you were shown. */
  actionDigest?: string
  /** The policies you were shown, from `waiting.policies`. Empty if there were none. */
  policies?: ShownPolicy[]
  /** The `prior` value of the decision you were shown. */
  prior?: string
  shown?: ShownDecision
  /** Where you approved or refused the decision, as stated by your program. This value is sealed too. */
  channel?: 'page' | 'console'
  assertion?: PasskeyAssertion
}

/** Figures about all of the center's members. */
export interface MemberCounts {
  byRole: MembersByRole
  byStatus: MembersByStatus
  /** How many ADMINs are ACTIVE. The last one can't be suspended, ended or lose the role. */
  activeAdmins: number
  seats: MemberSeats | null
}

/** The people to import. */
export interface MemberImport {
  /** Whether to only say what would happen. */
  dryRun: boolean
  /** The roles that the rows can give. ADMIN requires a recent confirmation of your identity. */
  roles: ActorRole[]
  /** Whether memberships become ACTIVE without another approval. */
  approved?: boolean
  /** The rows, in the order of the file. */
  rows: ImportRow[]
}

/** A member's passkey, as recorded in this center. */
export interface MemberPasskey {
  /** The passkey's ID. */
  id: string
  /** The member's actor ID. */
  actorId: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  confirmed: PasskeyConfirmedBy
  /** Whether the passkey counts for approvals that need one. */
  counts: boolean
  /** Whether the member has removed the passkey. */
  removed: boolean
  /** Whether the passkey can be synced to several devices. */
  backupEligible: boolean
  /** When the passkey was sealed in this center's log. */
  boundAt: string
}

/** The subscription's seats. Null if there's no subscription, or if the plan counts only staff. */
export interface MemberSeats {
  /** The number of seats taken. */
  used: number
  /** The number of seats that the plan includes. */
  limit: number
}

/** The number of memberships with each role, among those with the requested status. A member with several roles counts for each of them. */
export interface MembersByRole {
  /** The number of memberships with the `ADMIN` role. */
  ADMIN: number
  /** The number of memberships with the `INSTRUCTOR` role. */
  INSTRUCTOR: number
  /** The number of memberships with the `PARENT` role. */
  PARENT: number
  /** The number of memberships with the `CHILD` role. */
  CHILD: number
}

/** The number of memberships with each status, among those with the requested role. */
export interface MembersByStatus {
  /** The number of memberships with the `INVITED` status. */
  INVITED: number
  /** The number of memberships with the `PENDING` status. */
  PENDING: number
  /** The number of memberships with the `ACTIVE` status. */
  ACTIVE: number
  /** The number of memberships with the `SUSPENDED` status. */
  SUSPENDED: number
  /** The number of memberships with the `REJECTED` status. */
  REJECTED: number
  /** The number of memberships with the `ENDED` status. */
  ENDED: number
}

/** A person's membership in a center. */
export interface Membership {
  /** The membership's ID. */
  id: string
  /** The center that the membership is in. */
  centerId: number
  /** The center's display name. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The highest of `roles`, in the order ADMIN, INSTRUCTOR, PARENT, CHILD. */
  role: ActorRole
  /** All roles of a member in a center, the highest first: ADMIN, INSTRUCTOR, PARENT, CHILD. */
  roles: ActorRole[]
  status: MembershipStatus
  /** When the person was invited or added. */
  invitedAt: string
  /** When the membership ended. Null if it hasn't ended. */
  endedAt: string | null
}

/** The role to confirm. */
export interface MembershipConfirmation {
  /** The role that you're confirming. If the member no longer has it, the response is 409. */
  role?: ApproverRole
}

/** What to change about a membership. */
export interface MembershipPatch {
  /** The member's only role from now on. Send this or `roles`. */
  role?: ActorRole
  /** All roles of the member from now on. */
  roles?: ActorRole[]
  /** The member's name in this center. */
  name?: string
}

/** The state of a membership. Only `ACTIVE` gives access. */
export type MembershipStatus = 'INVITED' | 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'REJECTED' | 'ENDED'

/** The guardianship after the change. */
export interface MovedGuardianship {
  /** The guardianship's ID. */
  id: string
  /** The center that the guardianship belongs to. */
  centerId: number
  status: GuardianshipStatus
}

/** A DPU, with the names of the people that its draft refers to. */
export interface NamedDpu {
  /** The DPU's ID. */
  id: string
  /** What was decided. Empty if the content has been redacted. */
  content: string
  evidenceLevel: EvidenceLevel
  /** The hash of the chain entry, as 64 hex digits. */
  chainHash: string
  /** Additional information about the record, as it was sent. */
  metadata: JsonObject
  status: EvidenceStatus
  /** The center that the record belongs to. */
  centerId: number
  domain: ChainDomain
  /** The entry's index in the chain, counted from 0. */
  chainIndex: number
  /** The hash of the previous entry. Null for the first entry. */
  previousHash: string | null
  /** The kind of object that the record is about. Null if there is none. */
  referenceType: DpuReferenceType | null
  /** The ID of the object that the record is about. Null if there is none. */
  referenceId: string | null
  /** The record's tags. */
  tags: string[]
  vertical: Vertical
  /** The ID of the person or program that created the record. Null if it has been redacted. */
  createdBy: string | null
  /** When the record was created. */
  createdAt: string
  /** When the record last changed. */
  updatedAt: string
  /** When the record was sealed. Null until then. */
  sealedAt: string | null
  /** When the chain entry was created. */
  timestamp: string
  /** The paths of the values that have been redacted. Absent if there are none. */
  redacted?: string[]
  /** The people that a workflow's draft refers to by the end of their ID, such as `…a1b2c3d4`. An ADMIN gets the names of all members, and an INSTRUCTOR the names that appointments and attendance show them; the draft itself contains no names. */
  people: LabeledPerson[]
  /** What people have done with the draft. Null if it's a decision's DPU. */
  draft: DraftReview | null
  /** The members who can review the draft, without you. Empty if it has been reviewed. */
  reviewers: DraftPerson[]
}

/** The center's partner. Null if it has none. */
export interface NamedPartner {
  /** The partner's ID. */
  id: string
  /** The partner's name. */
  name: string
}

/** A sandbox of the center. */
export interface NamedSandbox {
  /** The sandbox's own center ID. */
  id: number
  /** The center that the sandbox belongs to. */
  sandboxOf: number
  /** The sandbox's name. */
  name: string
  /** The sandbox's subdomain. */
  domain: string
  /** Whether `POST /api/centers/{center}/sandbox/reset` means this sandbox. */
  first: boolean
  /** When the sandbox was created. */
  createdAt: string
  /** When the center's policies, action types, groups and settings were last copied. */
  refreshedAt: string
}

/** The account that was created. */
export interface NewAccount {
  /** The new account's actor ID. */
  actorId: string
  /** The account's email address. */
  email: string
}

/** The template to set. */
export interface NewActionType {
  name: ActionTypeName
  sentence?: ActionTypeSentence
  labels?: ActionTypeLabels
}

/** What an agent wants to do. */
export interface NewAgentDecision {
  agent: Agent
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded. */
  riskScore?: number
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** Words to file the decision under. Policies can match tags, and you can filter lists by a tag. */
  tags?: string[]
  /** The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place. */
  replaces?: string
}

/** What you are doing about it. */
export interface NewAlarmAcknowledgement {
  /** What you are doing about it. */
  note: string
}

/** The API key to create. */
export interface NewApiKey {
  /** A name that helps you recognize the key. */
  name: string
  /** What the key can do. Give it no more than the program needs. */
  scopes: ApiKeyScope[]
  /** When the key should stop working. Omit this for a key that never expires. */
  expiresAt?: string
  actor?: ApiKeyActor
}

/** The approval or refusal to give. */
export interface NewApproval {
  approver: Approver
  result: ApprovalResult
  /** A comment on the decision. The comment is sealed with the decision. */
  reason?: string
}

/** The approval or refusal that your passkey will sign. */
export interface NewApprovalChallenge {
  result: ApprovalResult
  /** Your comment on the decision. The comment is sealed with the decision. */
  reason?: string
  /** Gives an emergency approval (후결), with a `reason`. It fills all open places in the lines of those policies whose `approval.emergency` admits you, and none in any other line. Each line it fills confirms it later, until `confirmBy`. */
  emergency?: true
  /** The `actionDigest` of the decision you were shown. */
  actionDigest?: string
  /** The policies you were shown, from `waiting.policies`. Empty if there were none. */
  policies?: ShownPolicy[]
  /** The `prior` value of the decision you were shown. */
  prior?: string
  shown?: ShownDecision
}

/** A request for approval, as `VersionedWebhookApproval` sends it, with the action as `binding`. */
export interface NewApprovalRequest {
  /** The version of the format. */
  schema_version: '1.0'
  /** The kind of message. */
  type: 'approval_request'
  /** The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name. */
  approval_request_id: string
  /** The ID of the gateway's own policy decision. */
  policy_decision_id: string
  /** The SHA-256 of the canonical form (RFC 8785) of `binding`. */
  action_digest: string
  /** The SHA-256 of the canonical form of all other members but `schema_version`, `type` and `binding`. */
  input_digest: string
  /** The ID of the agent that wants to act. If your API key is bound to an actor, this must be that actor's ID. */
  agent_id: string
  /** Whom the agent acts for; null if nobody is named. */
  subject_id: string | null
  /** What the agent wants to do. It becomes the decision's action type, which policies match. */
  operation: string
  /** What the action is about; null if nothing is named. */
  target_resource: string | null
  /** The version of the gateway's policy. */
  policy_version: string
  /** The ID of the gateway's approval chain. */
  approval_chain_id: string
  /** The version of that chain. */
  approval_chain_version: string
  /** Until when the gateway accepts an answer. Afterwards, nobody can approve the request. */
  expires_at: string
  binding: ActionBinding
}

/** The slot to book. */
export interface NewBooking {
  /** The instructor to book. */
  instructorId: string
  /** When the slot starts, as shown in the list of free slots. */
  startsAt: string
  /** The client's actor ID. Omit this to book for yourself. */
  bookedFor?: string
}

/** The series to book. */
export interface NewBookingSeries {
  /** The instructor to book. */
  instructorId: string
  /** When the first slot starts. Later weeks have the same local time, also after a clock change. */
  startsAt: string
  /** How many weeks the series has, including weeks without an appointment. */
  weeks: number
  /** The client's actor ID. */
  bookedFor: string
  /** Dates without an appointment, such as those that the preview shows as not free. */
  leaveOut?: string[]
}

/** Whom to wait for, and when. */
export interface NewBookingWait {
  /** The instructor to wait for. */
  instructorId: string
  /** The day to wait for. */
  date: string
  /** The client's actor ID. Leave this out to wait for a place of your own. */
  bookedFor?: string
}

/** The credentials or refresh token to start a browser session with. */
export interface NewBrowserSession {
  /** The account's email address. Send this or `phone`. */
  email?: string
  /** The account's phone number. Send this or `email`. */
  phone?: string
  /** The account's password. */
  password?: string
  /** The subdomain of the center to sign in to. Omit this to choose a center later. */
  centerDomain?: string
  /** The refresh token from another sign-in, which you can send instead of credentials. */
  refreshToken?: string
}

/** The new address of your calendar. */
export interface NewCalendarFeed {
  /** The address to subscribe to. Keep it secret. */
  url: string
  /** When the address was made. */
  createdAt: string
  /** Whether the calendar has people's names. Without them, it says only when and at which center an appointment is. With them, a guardian reads their child's name, clients and guardians read the instructor's, and instructors read their clients' initials. */
  names: boolean
}

/** The center to create. */
export interface NewCenter {
  /** The center's name, as people will see it. */
  centerName: string
  /** The center's subdomain, in lowercase letters, digits and hyphens. */
  subdomain: string
  /** The plan to subscribe to, from `GET /api/provisioning/center-plans`. */
  planId: string
  /** Your own ID for this order; it makes a repeated request safe. */
  orderId: string
  /** The actor ID of the center's first administrator. */
  adminActorId: string
  /** The business registration number. */
  businessNumber?: string
  vertical?: Vertical
  tenantType?: NewTenantType
  country?: CountryCode
  /** A region, as an ISO 3166-2 code: the country code, a hyphen and up to three letters or digits. */
  region?: string
}

/** The administrator to invite. */
export interface NewCenterAdmin {
  /** The address to invite. */
  email: string
  /** The person's name, for the invitation. */
  name?: string
}

/** The child to add. */
export interface NewChild {
  /** The child's name. Send this for a new child. */
  name?: string
  /** An existing child's actor ID. Send this instead of `name`. */
  childId?: string
}

/** Days that were closed. */
export interface NewClosures {
  /** The days that are now closed and were open before. */
  closures: Closure[]
  /** How many appointments are still booked on these days. Closing a day cancels none of them. */
  appointments: number
}

/** Your confirmation or objection. */
export interface NewConfirmation {
  result: ConfirmationResult
  /** Your comment. It is sealed with the confirmation. Required with `objected`. */
  reason?: string
  assertion?: PasskeyAssertion
}

/** What your passkey will sign. */
export interface NewConfirmationChallenge {
  result: ConfirmationResult
  /** Your comment. It is sealed with the confirmation. Required with `objected`. */
  reason?: string
}

/** The action that is about to run. */
export interface NewConsumption {
  /** The digest that you computed from the action you're about to run: `sha256:` followed by 64 hex digits. */
  actionDigest: string
  /** Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory. */
  executor: string
}

/** The comment to add. */
export interface NewDecisionComment {
  /** Your question or answer. */
  text: string
}

/** The decision to record. */
export interface NewDecisionEvent {
  type: DecisionEventType
  /** Who or what made the decision. */
  actor: EventActor
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded. */
  riskScore?: number
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** Words to file the decision under. Policies can match tags, and you can filter lists by a tag. */
  tags?: string[]
  /** The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place. */
  replaces?: string
  /** When the decision was made. Defaults to the time when the request arrives, and can be at most 24 hours in the future. */
  occurredAt?: string
  /** A key of your own that makes it safe to repeat the request. It becomes the `decisionId` and must be unique in the center. */
  idempotencyKey?: string
}

/** The DPU to create. */
export interface NewDemoDpu {
  /** What was decided. */
  content?: string
  referenceType?: NewDpuReferenceType
  /** The ID of the object that the record is about, in your own system. */
  referenceId?: string
  /** Words to file the record under. */
  tags?: string[]
}

/** Who approves on your behalf, and for how long. */
export interface NewDeputy {
  /** The member who approves on your behalf. */
  actorId: string
  /** When the deputy's right begins. */
  from: string
  /** When the deputy's right ends, at most 90 days after `from`. */
  until: string
}

/** The domain to add. */
export interface NewDomain {
  purpose: DomainPurpose
  /** A DNS name without a trailing dot. */
  domain: string
}

/** The kind of object that the record is about. */
export type NewDpuReferenceType = 'lms-attendance' | 'lms-event' | 'demo'

/** The event to publish. */
export interface NewEvent {
  /** Your own ID for the event, which makes it safe to repeat the request. It can contain only visible ASCII characters, because it's sent in a delivery header. */
  id: string
  type: AppEventType
  /** What happened, in the form that the event type defines. */
  data: JsonObject
}

/** The parameters to run the workflow with. */
export interface NewExecution {
  /** Parameters for this execution, matching the workflow's schema. Leave them out to use the center's defaults. */
  parameters?: JsonObject
}

/** What to stop, and why. Send exactly one of `actorId`, `keyId`, `actionTypes` and `center`. */
export interface NewFreeze {
  /** Covers everything that this agent or person requests. What a person approves is not covered. */
  actorId?: string
  /** Covers everything that this API key requests, approves or runs. */
  keyId?: string
  /** Covers every action of these types. As in a policy, `*` matches any characters. */
  actionTypes?: string[]
  /** Covers everything in the center, including changes to its policies. */
  center?: true
  /** The reason. It is sealed, and every administrator can read it. */
  reason: string
}

/** The group to create. */
export interface NewGroup {
  /** The group's name, on a single line. It can't contain control characters, email addresses or links. */
  name: string
  /** The actor IDs of the group's people. Anyone you add must be an ACTIVE member of the center with the role ADMIN or INSTRUCTOR. */
  actorIds: string[]
}

/** The guardian to invite. */
export interface NewGuardian {
  /** The address to invite. */
  email: string
  /** The guardian's name, for the invitation. */
  name?: string
}

/** The picture to upload. */
export interface NewLogo {
  /** The PNG file in Base64. */
  png: string
}

/** The person to invite. */
export interface NewMember {
  /** The address to invite. */
  email: string
  /** The person's only role. Send this or `roles`. */
  role?: ActorRole
  /** All of the person's roles, such as ADMIN and INSTRUCTOR for a director who also teaches. */
  roles?: ActorRole[]
  /** The person's name, for the invitation. */
  name?: string
  /** Whether the membership becomes ACTIVE without another approval. */
  approved?: boolean
}

/** A new sandbox, with an API key for it. */
export interface NewNamedSandbox {
  /** The sandbox's own center ID. */
  id: number
  /** The center that the sandbox belongs to. */
  sandboxOf: number
  /** The sandbox's name. */
  name: string
  /** The sandbox's subdomain. */
  domain: string
  /** Whether `POST /api/centers/{center}/sandbox/reset` means this sandbox. */
  first: boolean
  /** When the sandbox was created. */
  createdAt: string
  /** When the center's policies, action types, groups and settings were last copied. */
  refreshedAt: string
  key: SandboxKey
}

/** The chat channel to add. */
export interface NewNotificationChannel {
  /** The chat app that the incoming webhook belongs to. */
  kind: 'slack' | 'teams' | 'mattermost'
  /** A name to recognize the channel by. */
  name: string
  /** The URL of the incoming webhook. */
  url: string
}

/** The action's outcome. */
export interface NewOutcome {
  /** Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory. */
  executor: string
  status: ExecutionOutcome
  /** The action's result, at most 16,384 bytes of JSON. Every export of the decision contains it. */
  output?: JsonObject
}

/** The partner to create. */
export interface NewPartner {
  /** The partner's name. */
  name: string
  kind: PartnerKind
}

/** The person who acts for the partner and administers the center. */
export interface NewPartnerAdmin {
  /** The person's email address. */
  email: string
  /** The person's name. */
  name: string
}

/** The center to create. */
export interface NewPartnerCenter {
  /** The center's name. */
  name: string
  tenantType: NewTenantType
  vertical: Vertical
  /** The email address of the center's administrator. */
  adminEmail: string
  /** The administrator's name, for the invitation. */
  adminName?: string
  /** The center's subdomain. If you leave it out, it's derived from the name. */
  subdomain?: string
  /** The plan to subscribe to. If you leave it out, your default plan is used. */
  planId?: string
  country?: CountryCode
  /** A region, as an ISO 3166-2 code: the country code, a hyphen and up to three letters or digits. */
  region?: string
}

/** The email domain to add. */
export interface NewPartnerDomain {
  /** The email domain to add. */
  domain: string
}

/** The partner's first center. */
export interface NewPartnerFirstCenter {
  /** The center's name. */
  name: string
  vertical: Vertical
  tenantType: NewTenantType
  /** The center's subdomain. If you leave it out, it's derived from the name. */
  subdomain?: string
  country?: CountryCode
  /** A region, as an ISO 3166-2 code: the country code, a hyphen and up to three letters or digits. */
  region?: string
}

/** The person to invite. */
export interface NewPartnerInvitation {
  /** The address to invite. */
  email: string
  role: PartnerRole
}

/** The signatures that register a passkey. */
export interface NewPasskey {
  /** The new passkey's signature over the statement. */
  assertion: PasskeyAssertion
  /** An older passkey's signature over the same statement. */
  confirmation?: PasskeyAssertion
  /** A name to tell your passkeys apart. */
  name?: string
}

/** The passkey that the browser created. */
export interface NewPasskeyAttestation {
  attestation: PasskeyAttestation
}

/** The confirmation, optionally signed with your own passkey. */
export interface NewPasskeyConfirmation {
  /** Your own passkey's signature over the statement. */
  assertion?: PasskeyAssertion
}

/** A new plan, in its first version. */
export interface NewPlan {
  /** The plan's ID. */
  id: string
  /** The plan's name, as people see it. */
  name: string
  /** The price per billing cycle, in whole units of the currency. */
  price: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  billingCycle: BillingCycle
  /** The number of ACTIVE memberships. It has no effect if `staffLimit` is set. */
  seatLimit: number
  /** The number of days for which a new center can try the plan. */
  trialDays: number
  /** The number of webhooks. */
  webhooks: number
  /** What the plan includes. */
  features: CenterFeature[]
  /** The number of ADMINs and INSTRUCTORs. If set, it alone determines whether a member can be activated. */
  staffLimit?: number | null
  /** Whether the plan is in the list of plans. A plan that is not offered gets no new subscriptions; existing ones continue. */
  offered?: boolean
}

/** A new version of a plan. */
export interface NewPlanVersion {
  /** The plan's name, as people see it. */
  name: string
  /** The price per billing cycle, in whole units of the currency. */
  price: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  billingCycle: BillingCycle
  /** The number of ACTIVE memberships. It has no effect if `staffLimit` is set. */
  seatLimit: number
  /** The number of days for which a new center can try the plan. */
  trialDays: number
  /** The number of webhooks. */
  webhooks: number
  /** What the plan includes. */
  features: CenterFeature[]
  /** The number of ADMINs and INSTRUCTORs. If set, it alone determines whether a member can be activated. */
  staffLimit?: number | null
  /** Whether the plan is in the list of plans. A plan that is not offered gets no new subscriptions; existing ones continue. */
  offered?: boolean
}

/** The policy to create. */
export interface NewPolicy {
  /** A name that people recognize the policy by. */
  name: string
  /** What the policy is for. Approvers see it. */
  description?: string
  match: PolicyMatch
  guards: PolicyGuards
  approval?: PolicyApproval
  /** Whether the policy applies. True by default; a policy that is turned off matches nothing. */
  active?: boolean
  /** Which centers the policy applies to. Only `center` is accepted here; only the operator can create policies with another scope. */
  scope?: PolicyScope
}

/** The browser's push subscription. */
export interface NewPushSubscription {
  /** The push service's address for this browser, from `PushSubscription`. */
  endpoint: string
  keys: PushKeys
}

/** The evidence level that your passkey will sign for. */
export interface NewRaiseChallenge {
  /** The level to raise the record to. */
  evidenceLevel: EvidenceLevel
}

/** Which events to send again. */
export interface NewRecovery {
  /** Events since this time are sent again. */
  since: string
}

/** Which values to delete, and why. */
export interface NewRedaction {
  /** The paths of the values to delete, as they appear in an export's `commitments`. */
  paths: string[]
  /** Why the values are being deleted. Every later proof shows this reason. */
  reason: string
}

/** The request. */
export interface NewRequest {
  /** The action that you want to take. */
  action: EventAction
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** Words to file the decision under. Policies can match tags, and you can filter lists by a tag. */
  tags?: string[]
}

/** The sandbox to create. */
export interface NewSandbox {
  /** The sandbox's name, on a single line. Two sandboxes of a center can't have the same name. */
  name: string
  /** What the sandbox's key can do. By default everything except `decide`, which needs a bound key, and `sandboxes:write`. */
  scopes?: ApiKeyScope[]
}

/** The provider to add. */
export interface NewSignInProvider {
  /** The name on the sign-in button. */
  name: string
  /** The provider's issuer identifier, exactly as in its discovery document. */
  issuer: string
  /** The client ID that the provider gave you. */
  clientId: string
  /** The client secret that the provider gave you. It's stored encrypted and never shown. */
  clientSecret: string
}

/** The application to sign in to. */
export interface NewSsoToken {
  targetApp: TargetApp
}

/** Either a password or a passkey's assertion. */
export interface NewStepUp {
  /** Your password. Send this or `assertion`. */
  password?: string
  /** Your passkey's signature over the challenge. Send this or `password`. */
  assertion?: PasskeyAssertion
}

/** The kind of tenant to create. */
export type NewTenantType = 'CENTER' | 'WORKSPACE' | 'WHITE_LABEL'

/** The view to save. */
export interface NewView {
  /** The name of the view, on a single line. Names that differ only in letter case, width, spaces or invisible characters are the same name. */
  name: string
  filters: ViewFilters
  /** Whether everyone on the center's staff sees it. Requires the ADMIN role. By default, only you do. */
  shared?: boolean
}

/** The webhook to create. */
export interface NewWebhook {
  type?: DestinationType
  /** The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response. */
  url: string
  /** For `nats`: the subject, without wildcards. A stream must store it. */
  subject?: string
  /** For `rabbitmq`: an exchange that exists. Leave empty for the default exchange. */
  exchange?: string
  /** For `rabbitmq`: the routing key. With the default exchange, the name of a queue. */
  routingKey?: string
  /** Event types, `*` for all of them, or a prefix such as `payment.*`. */
  events: string[]
  /** A note to yourself about what the endpoint is for. */
  description?: string
  /** Whether events are sent from the start. */
  active?: boolean
}

/** The settings to use. */
export interface NewWorkflowSettings {
  /** Whether the schedule or event starts the workflow. */
  enabled?: boolean
  /** A cron expression: minute, hour, day of month, month, day of week. The workflow can run at most once an hour. Leave this out to use the workflow's own schedule. */
  schedule?: string
  /** This center's default parameters, matching the workflow's schema. */
  parameters?: JsonObject
  /** Tags for the workflow's drafts, in addition to its own. */
  tags?: string[]
}

/** A center's notices. */
export interface Notices {
  subscription: SubscriptionNotice
  /** Null for a PARENT or a CHILD. */
  chain: ChainNotice | null
  /** At most 20, oldest first. Empty unless you are an ADMIN. */
  webhooks: WebhookNotice[]
  /** Null for a PARENT or a CHILD. */
  passkeys: PasskeyNotice | null
}

/** A chat channel that is notified about waiting decisions. */
export interface NotificationChannel {
  /** The channel's ID. */
  id: string
  /** The chat app that the incoming webhook belongs to. */
  kind: 'slack' | 'teams' | 'mattermost'
  /** The name you gave the channel. */
  name: string
  /** The host of the URL. The URL itself is a secret and never shown. */
  host: string
  /** Whether messages are sent. */
  active: boolean
  /** Why the server stopped sending messages. Null if it hasn't stopped. */
  disabledReason: string | null
  /** When the channel was added. */
  createdAt: string
  /** When the last message was sent. Null if none has been sent. */
  lastSentAt: string | null
  /** The result of the last message. Null if none has been sent. */
  lastStatus: 'success' | 'failed' | null
  /** What went wrong with the last message. Null after a success. */
  lastMessage: string | null
}

/** Your choice for one kind of message. */
export interface NotificationChoice {
  /** The kind of message. */
  group: 'appointments' | 'decisions' | 'membership' | 'center' | 'subscription' | 'security'
  /** Whether you get these messages by email. */
  mail: boolean
  /** Whether you get them as push notifications, in each browser where you turned those on. */
  push: boolean
  /** Whether you get them as text messages, if your phone number is verified. */
  text: boolean
  /** Whether we collect the emails into one a day instead of sending each at once. */
  digest: boolean
}

/** Your choices. */
export interface NotificationChoices {
  /** Your choices, each group at most once. */
  groups: NotificationChoice[]
  quietHours: QuietHours | null
  /** Your time zone, for quiet hours and the daily email. Null: that of the center a message is about. */
  timeZone: string | null
}

/** Your choice for one kind of message. */
export interface NotificationGroup {
  /** The kind of message. */
  group: 'appointments' | 'decisions' | 'membership' | 'center' | 'subscription' | 'security'
  /** Whether you get these messages by email. */
  mail: boolean
  /** Whether you get them as push notifications, in each browser where you turned those on. */
  push: boolean
  /** Whether you get them as text messages, if your phone number is verified. */
  text: boolean
  /** Whether we collect the emails into one a day instead of sending each at once. */
  digest: boolean
  /** Channels of this group that can't be turned off. */
  fixed: ('mail' | 'push' | 'text')[]
  /** What this group has: a group without text messages or without a daily email leaves them out. */
  offers: ('mail' | 'push' | 'text' | 'digest')[]
  /** The events of this group. */
  events: ('appointmentMade' | 'appointmentMoved' | 'appointmentCanceled' | 'appointmentTomorrow' | 'placeOffered' | 'appointmentMissed' | 'decisionWaits' | 'myTurn' | 'escalated' | 'policyChangeWaits' | 'decided' | 'informed' | 'commented' | 'deputyNamed' | 'draftReady' | 'draftSent' | 'draftRefused' | 'invited' | 'partnerInvited' | 'guardianInvited' | 'accepted' | 'childWaits' | 'approved' | 'rejected' | 'roleChanged' | 'mayApprove' | 'keyExpiring' | 'webhookFailing' | 'exportReady' | 'domainLive' | 'domainExpiring' | 'domainStopped' | 'trialEnding' | 'pastDue' | 'suspended' | 'canceled' | 'reactivated' | 'openAccount' | 'accountExists' | 'newPassword' | 'linkAccount' | 'noAccountToLink' | 'addressCode' | 'addressTaken' | 'newSignIn' | 'passkeyAdded' | 'passkeyWaits' | 'passkeyConfirmed' | 'passkeyRemoved' | 'adminPasskeysOn' | 'adminPasskeysOff' | 'passwordChanged' | 'emailChanged' | 'phoneChanged' | 'objected' | 'unconfirmed' | 'frozen' | 'resumed' | 'chainBroken' | 'lossDeclared')[]
}

/** Which messages you get, by which channels, and when. */
export interface NotificationSettings {
  /** Every group, with your choice. */
  groups: NotificationGroup[]
  quietHours: QuietHours | null
  /** Your time zone, for quiet hours and the daily email. Null: that of the center a message is about. */
  timeZone: string | null
}

/** A provider account that is linked to yours. */
export interface OidcAccount {
  /** The linked account's ID. */
  id: string
  provider: OidcAccountProvider
  /** The domain of the email address that the account was linked with. */
  emailDomain: string
  /** When the account was linked. */
  linkedAt: string
}

/** The provider that the account belongs to. */
export interface OidcAccountProvider {
  /** The sign-in provider's ID. */
  id: string
  /** The provider's name. */
  name: string
  /** The provider's issuer identifier. */
  issuer: string
}

/** The provider account to link. */
export interface OidcLink {
  /** The `ticket` from the previous response. */
  ticket: string
}

/** The token that links the provider account. */
export interface OidcLinkConfirmation {
  /** The token from the link in the email. */
  token: string
}

/** The provider account that was linked. */
export interface OidcLinked {
  /** The provider's name. */
  provider: string
  /** The email address that the account was linked with. */
  email: string
}

/** Where to sign in. */
export interface OidcLogin {
  /** The provider's page to open. */
  authorizationUrl: string
  /** When the sign-in expires. */
  expiresAt: string
}

/** The provider account to link by email. */
export interface OidcMail {
  /** The `ticket` from the previous response. */
  ticket: string
}

/** What the provider returned to the browser. */
export interface OidcReturn {
  /** The sign-in provider's ID. */
  providerId: string
  /** The query string of the redirect URI, unchanged. */
  query: string
}

/** Which provider to sign in with. */
export interface OidcStart {
  /** The sign-in provider's ID. */
  providerId: string
  /** The subdomain of the center to sign in to. */
  centerDomain: string
  /** Whether the provider must ask the person to sign in again, even if they're already signed in there, and report when they signed in. */
  again?: boolean
}

/** A provider account that isn't linked yet. */
export interface OidcUnlinked {
  /** The ticket to send when you link the account. */
  ticket: string
  /** The email address that the provider gave. */
  email: string
  /** The provider's name. */
  provider: string
  /** When the ticket expires. */
  expiresAt: string
}

/** The partner with its first center and administrator. */
export interface OnboardedPartner {
  partner: Partner
  /** The partner's first center. */
  center: Center
  admin: PartnerAdmin
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Record<string, unknown>

/** A time span within a day. */
export interface OpenInterval {
  /** When the time span starts, as `HH:MM`. */
  from: string
  /** When the time span ends, as `HH:MM`. */
  to: string
}

/** What you were shown. */
export interface OpenedAction {
  /** The `actionDigest` of the decision you were shown. */
  actionDigest?: string
}

/** When you first opened the decision. */
export interface OpenedDecision {
  /** The decision event's ID. */
  eventId: string
  /** When you first opened the decision. */
  openedAt: string
}

/** A center with its subscription, as shown to operators. */
export interface OperatedCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  status: CenterStatus
  vertical: Vertical
  /** The name of the cell that the center is in. */
  cell: string
  partner: NamedPartner | null
  /** The number of ACTIVE members. */
  members: number
  /** Whether the center is a sandbox. */
  sandbox: boolean
  /** When the center was created. */
  createdAt: string
  suspendedBy: CenterSuspender | null
  subscription: OperatedSubscription | null
}

/** The status to set. */
export type OperatedStatus = 'ACTIVE' | 'SUSPENDED'

/** The center's subscription. Null if it has none. */
export interface OperatedSubscription {
  /** The plan, as in the list of plans. */
  planId: string
  /** The name of the plan when this version was made. */
  planName: string
  /** The version of the plan that the subscription keeps. */
  planVersion: number
  status: SubscriptionStatus
  /** When the trial or the paid period ends. */
  currentPeriodEnd: string
  /** The number of seats that the plan includes. */
  seatLimit: number
  /** The number of ACTIVE memberships. */
  seatUsed: number
  /** The number of ADMINs and INSTRUCTORs, if the plan counts them. */
  staffLimit: number | null
  /** The number of ACTIVE memberships of ADMINs and INSTRUCTORs. */
  staffUsed: number
}

/** The outcome that was reported. */
export interface Outcome {
  /** The decision event's ID. */
  eventId: string
  status: ExecutionOutcome
  /** When the outcome was reported. */
  reportedAt: string
  /** The hash of the chain entry that records the outcome. */
  chainHash: string
}

/** The number of decisions with each outcome. */
export interface OutcomeCounts {
  /** The number of decisions that would be sealed at once. */
  completed: number
  /** The number of decisions that would wait for approval. */
  approval_required: number
  /** The number of decisions that would be refused. */
  refused: number
}

/** How people decide, over time. */
export interface Oversight {
  /** The time zone of the days. After a center's time zone changes, the former one until everything is counted again. */
  timezone: string
  /** The number of sealed decisions that are not counted yet. */
  behind: number
  scope: OversightScope
  /** The days or weeks, oldest first. The last one is not over yet. */
  points: OversightPoint[]
}

/** The attendance of that time. Null if an ADMIN asks about one policy, person or agent. */
export interface OversightAppointments {
  /** The number of appointments that took place. */
  attended: number
  /** The number of appointments to which nobody came. */
  missed: number
}

/** Attempts to deliver to webhooks. Null if the figures are about one policy, person or agent. */
export interface OversightDeliveries {
  /** The number of attempts that succeeded. */
  succeeded: number
  /** The number of attempts that failed. */
  failed: number
}

/** The figures of one policy, person or agent. */
export interface OversightGroup {
  /** The policy's ID, the person's actor ID, or the agent's ID. */
  id: string
  /** The current name. Null if it has been deleted, erased or redacted. */
  name: string | null
  /** The number of requests that were approved. */
  approved: number
  /** The number of requests that a person refused. */
  refused: number
  /** The number of requests that nobody decided in time. */
  expired: number
  /** The number of requests that were withdrawn or replaced before anyone decided. */
  withdrawn: number
  /** The number of approvals that no longer counted when the decision was sealed, by when they were given: taken back, for example, or by someone whose role has changed since. */
  void: number
  /** The number of approvals and refusals by someone who had opened the request. */
  opened: number
  /** The median time from the request to the approval or refusal, in seconds, to within a tenth. Null if there are none. */
  medianSecondsToDecide: number | null
  /** The time from the request to the decision that nine in ten approvals and refusals stay within, in seconds, to within a tenth. Null if there are none. */
  p90SecondsToDecide: number | null
  /** The median time from opening a request to approving or refusing it, in seconds, to within a tenth. Null if there are none. */
  medianSecondsOpen: number | null
  /** The time from opening a request to the decision that nine in ten approvals and refusals stay within, in seconds, to within a tenth. Null if there are none. */
  p90SecondsOpen: number | null
  /** The number of decided and closed requests in each week, oldest first. */
  weeks: number[]
}

/** What the figures are grouped by. */
export type OversightGrouping = 'policy' | 'person' | 'agent'

/** The figures of each policy, person or agent. */
export interface OversightGroups {
  /** The groups, the one with the most decisions first. */
  groups: OversightGroup[]
  /** The number of groups beyond the first 50. */
  leftOut: number
}

/** How far back: 4 weeks (`month`), 13 weeks (`quarter`) or 52 weeks (`year`), each from a Monday to today. */
export type OversightPeriod = 'month' | 'quarter' | 'year'

/** The figures of a day or a week. */
export interface OversightPoint {
  /** The day, or the Monday of the week, in the center's time zone. */
  from: string
  /** The number of requests waiting at the end of the day or week, or now for the current one. Null if the figures are about one policy, person or agent. */
  waiting: number | null
  /** The number of requests sent in that time that have been decided or closed since. For a person, those that they decided. */
  asked: number
  /** The number of requests that were approved. */
  approved: number
  /** The number of requests that a person refused. */
  refused: number
  /** The number of requests that nobody decided in time. */
  expired: number
  /** The number of requests that were withdrawn or replaced before anyone decided. */
  withdrawn: number
  /** The number of approvals that no longer counted when the decision was sealed, by when they were given: taken back, for example, or by someone whose role has changed since. */
  void: number
  /** The number of approvals and refusals by someone who had opened the request. */
  opened: number
  /** The median time from the request to the approval or refusal, in seconds, to within a tenth. Null if there are none. */
  medianSecondsToDecide: number | null
  /** The time from the request to the decision that nine in ten approvals and refusals stay within, in seconds, to within a tenth. Null if there are none. */
  p90SecondsToDecide: number | null
  /** The median time from opening a request to approving or refusing it, in seconds, to within a tenth. Null if there are none. */
  medianSecondsOpen: number | null
  /** The time from opening a request to the decision that nine in ten approvals and refusals stay within, in seconds, to within a tenth. Null if there are none. */
  p90SecondsOpen: number | null
  /** The number of decisions sealed, including those that needed no person. Null if the figures are about one policy, person or agent. */
  seals: number | null
  deliveries: OversightDeliveries | null
  appointments: OversightAppointments | null
}

/** Whether you see the center's figures (`center`) or only your own (`own`). */
export type OversightScope = 'center' | 'own'

/** Whether there is a point for each day or for each week. */
export type OversightStep = 'day' | 'week'

/** One of your sessions. */
export interface OwnSession {
  /** The session's ID. */
  id: string
  /** When you signed in. */
  signedInAt: string
  /** When the session's refresh token was last used. */
  lastUsedAt: string
  /** When the session ends, unless it is ended earlier. */
  expiresAt: string
  center: OwnSessionCenter | null
  /** Whether the session began with OpenID Connect. */
  provider: boolean
  device: SessionDevice
  /** Whether this is the session that sent the request. */
  current: boolean
}

/** The center that the session is in. Null if it isn't in one. */
export interface OwnSessionCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  domain: string
}

/** The JSON schema of an execution's `parameters`. */
export type ParameterSchema = Record<string, unknown>

/** The new partner. */
export interface Partner {
  /** The partner's ID. */
  id: string
  /** The partner's name. */
  name: string
  kind: PartnerKind
}

/** A person who acts for a partner. */
export interface PartnerAccount {
  /** The person's actor ID. */
  actorId: string
  /** The person's name. */
  name: string
  /** The person's email address. Null if they have none. */
  email: string | null
  role: PartnerRole
  /** Whether this is your own account. */
  self: boolean
  /** Whether this is the partner's only PARTNER_ADMIN, whose role can't be changed and who can't be removed. */
  last: boolean
}

/** The new role. */
export interface PartnerAccountPatch {
  role: PartnerRole
}

/** The partner's administrator. */
export interface PartnerAdmin {
  /** The person's actor ID. */
  actorId: string
  /** The person's email address. */
  email: string
  /** The person's name. */
  name: string
  partnerRole: PartnerRole
  /** The person's membership in the first center. */
  membership: Member
}

/** What to change about a center's branding. Null removes a value. */
export interface PartnerBrandingPatch {
  /** The logo: the address of an uploaded logo (see `logos.add`), an `https` URL, the image itself as a `data:` URL, or empty. The service's own pages show no picture from another host, so an `https` URL is for your own programs. */
  logo?: string | null
  /** A short text about the center, shown to visitors. */
  description?: string | null
  /** The color of buttons and links, as `#rrggbb`. */
  primaryColor?: string | null
}

/** One of a partner's centers. */
export interface PartnerCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  centerDomain: string
  tenantType: TenantType
  status: CenterStatus
  /** Whether the center is another center's sandbox, which holds only test data. */
  sandbox: boolean
  /** Whether a partner runs the center and sets its name. */
  hasPartner: boolean
  vertical: Vertical
  /** The number of ACTIVE members. */
  memberCount: number
  /** The center's settings. */
  settings: CenterSettings
  suspendedBy: PartnerCenterSuspender | null
  /** Whether the center has an ACTIVE ADMIN. If not, you can name one. */
  hasAdmin: boolean
}

/** What to change about the center. */
export interface PartnerCenterPatch {
  /** The center's new name. */
  name?: string
  status?: PartnerCenterStatus
  country?: CountryCode
  /** The center's region. Null removes it. */
  region?: string | null
  /** What to change about the center's branding. */
  branding?: PartnerBrandingPatch
}

/** The state to set: `SUSPENDED` closes the center for now, `ACTIVE` opens it again. */
export type PartnerCenterStatus = 'ACTIVE' | 'SUSPENDED'

/** Who suspended the center, and can reinstate it. */
export type PartnerCenterSuspender = 'partner' | 'operator'

/** Key figures about the partner's centers. */
export interface PartnerDashboard {
  /** The number of your centers. */
  totalCenters: number
  /** The number of ACTIVE memberships in your centers. */
  totalMembers: number
  /** The number of members with a session started or refreshed today (UTC). */
  activeToday: number
  /** The revenue from your centers' subscriptions. */
  revenue: Revenue
  /** What waits for you, the oldest first: up to 100 of each kind in up to 1,000 centers. */
  waiting: PartnerTask[]
}

/** A stop in one of a partner's centers. */
export interface PartnerFreeze {
  /** The stop's ID. */
  id: string
  /** Covers everything that this agent or person requests. What a person approves is not covered. */
  actorId?: string
  /** Covers everything that this API key requests, approves or runs. */
  keyId?: string
  /** Covers every action of these types. As in a policy, `*` matches any characters. */
  actionTypes?: string[]
  /** Covers everything in the center, including changes to its policies. */
  center?: true
  /** The reason. It is sealed, and every administrator can read it. */
  reason: string
  rank: FreezeRank
  /** The actor ID of the person who made the stop, or `operator`. */
  madeBy: string
  /** When the stop took effect. */
  madeAt: string
  /** The index of the stop's entry in the `history` chain. Null if the operator stopped all centers and this center hasn't had an entry since. */
  historyIndex: number | null
  /** The actor ID of the person who lifted the stop, or `operator`. Null while it is in force. */
  liftedBy: string | null
  /** When the stop was lifted. Null while it is in force. */
  liftedAt: string | null
  /** The reason for lifting it. Null while it is in force. */
  liftReason: string | null
  /** The center that the stop is in. Null if the operator stopped all centers at once. */
  centerId: number | null
  /** The center's name. Null if the operator stopped all centers. */
  centerName: string | null
  /** The name of the person who made the stop. Null for the operator. */
  madeByName: string | null
  /** The name of the person who lifted it. Null for the operator, and while it is in force. */
  liftedByName: string | null
}

/** The stops in a partner's centers. */
export interface PartnerFreezes {
  /** The stops in force, newest first, at most 500. */
  inForce: PartnerFreeze[]
  /** The 50 stops that were lifted last. */
  lifted: PartnerFreeze[]
  /** Centers whose records can't be read now. Their stops are missing here and remain in force. */
  unreachable: number[]
}

/** An open invitation to act for a partner. */
export interface PartnerInvitation {
  /** The invitation's ID. */
  id: string
  /** The address that was invited. */
  email: string
  role: PartnerRole
  /** The actor ID of the person who sent the invitation. */
  invitedBy: string
  /** When the person was invited. */
  invitedAt: string
  /** When the link stops working. */
  expiresAt: string
}

/** The kind of partner. Centers of a `franchise` partner can't change the settings that they inherit; centers of a `white_label` partner can. */
export type PartnerKind = 'white_label' | 'franchise'

/** The partner to create, with its first center and administrator. */
export interface PartnerOnboarding {
  partner: NewPartner
  center: NewPartnerFirstCenter
  admin: NewPartnerAdmin
}

/** A partner, as shown to operators. */
export interface PartnerOverview {
  /** The partner's ID. */
  id: string
  /** The partner's name. */
  name: string
  kind: PartnerKind
  /** The number of the partner's centers. */
  centers: number
  /** The number of ACTIVE memberships in the partner's centers. */
  members: number
  /** When the partner was created. */
  createdAt: string
}

/** A role at a partner. A `PARTNER_OPERATOR` can read and create; a `PARTNER_ADMIN` can also make changes. */
export type PartnerRole = 'PARTNER_ADMIN' | 'PARTNER_OPERATOR'

/** A partner's settings: any JSON object of at most 64 KiB. */
export type PartnerSettings = Record<string, unknown>

/** Something that waits for a partner. */
export interface PartnerTask {
  kind: PartnerTaskKind
  /** The center. Null for a domain of the partner. */
  centerId: number | null
  /** The center's name. Null for a domain of the partner. */
  centerName: string | null
  /** Since when. For a subscription: when the paid period ended. */
  since: string
  /** The membership to confirm. Null for other kinds. */
  membershipId: string | null
  /** The member's name. Null for other kinds. */
  memberName: string | null
  /** The member's role. Null for other kinds. */
  role: ActorRole | null
  /** The decision to close. Null for other kinds. */
  eventId: string | null
  /** The domain to prove. Null for other kinds. */
  domain: string | null
}

/** What waits. ROLE: a role that doesn't count yet. EMERGENCY: an emergency approval that wasn't confirmed. Both are listed only if the center has no other ADMIN who may settle them. DOMAIN: a domain that isn't proved. PAST_DUE: a subscription that isn't paid. */
export type PartnerTaskKind = 'ROLE' | 'EMERGENCY' | 'DOMAIN' | 'PAST_DUE'

/** One of your passkeys. */
export interface Passkey {
  /** The passkey's ID. */
  id: string
  /** The name you gave the passkey. Null if it has none. */
  name: string | null
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  confirmation: PasskeyRegistered
  /** The AAGUID, which identifies the authenticator model, as the authenticator reports it. */
  aaguid: string
  /** Whether the passkey can be synced to several devices. */
  backupEligible: boolean
  /** When the passkey was registered. */
  createdAt: string
  /** When the passkey was last used. Null if it has never been used. */
  lastUsedAt: string | null
}

/** The passkey's response: what `navigator.credentials.get` returned. */
export interface PasskeyAssertion {
  /** The credential ID, in base64url. */
  id: string
  /** The credential's `response.authenticatorData`, unchanged. */
  authenticatorData: string
  /** The credential's `response.clientDataJSON`, unchanged. */
  clientDataJSON: string
  /** The credential's `response.signature`, unchanged. */
  signature: string
  /** The credential's `response.userHandle`, unchanged. Null if it has none. */
  userHandle?: string | null
}

/** The new passkey: what `navigator.credentials.create` returned. */
export interface PasskeyAttestation {
  /** The credential ID, in base64url. */
  id: string
  /** The credential's `response.clientDataJSON`, unchanged. */
  clientDataJSON: string
  /** The credential's `response.attestationObject`, unchanged. */
  attestationObject: string
  /** How the authenticator can be reached, as the browser reports it. */
  transports?: string[]
}

/** What the new passkey must sign next. */
export interface PasskeyAttested {
  /** The statement that the passkey signs. */
  statement: PasskeyStatement
  publicKey: PasskeyRequestOptions
  /** Options for one of your older passkeys, which can confirm the new one. Null if you have none. */
  confirmWith: PasskeyRequestOptions | null
  /** When the challenge expires. */
  expiresAt: string
}

/** The statement that confirms another member's passkey. */
export interface PasskeyConfirmStatement {
  /** The format of the statement. */
  type: 'countersign-passkey-confirm-v1'
  /** The name of the center's `history` log. */
  log: string
  /** The member whose passkey is confirmed. */
  actorId: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  /** The administrator who confirms the passkey. */
  confirmerId: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** What your passkey signs to confirm another member's passkey. */
export interface PasskeyConfirmation {
  /** The statement that your passkey signs. */
  statement: PasskeyConfirmStatement
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** How the passkey was confirmed in this center. `mail` isn't enough for an approval that needs a passkey. */
export type PasskeyConfirmedBy = 'mail' | 'passkey' | 'admin' | 'partner' | 'operator'

/** Who can confirm: another administrator of the center; for its only administrator, the partner; without a partner, the operator. */
export type PasskeyConfirmer = 'admin' | 'partner' | 'operator'

/** Who can confirm your waiting passkeys. Null if none is waiting, or if your role in this center can't approve. */
export interface PasskeyConfirmers {
  by: PasskeyConfirmer
  /** The names of up to ten administrators, or of the partner. Empty for the operator. */
  names: string[]
}

/** `PublicKeyCredentialCreationOptionsJSON`. Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
  /** The random value to sign, in base64url. */
  challenge: string
  rp: PasskeyRp
  user: PasskeyUser
  /** The signature algorithms that are accepted, best first. */
  pubKeyCredParams: PasskeyParameters[]
  /** How long the browser may wait for the person, in milliseconds. */
  timeout: number
  /** Your existing passkeys, which can't be registered again. */
  excludeCredentials: PasskeyCredential[]
  authenticatorSelection: PasskeySelection
  /** No attestation is requested. */
  attestation: 'none'
}

/** A passkey that the browser can choose from. */
export interface PasskeyCredential {
  /** The credential ID, in base64url. */
  id: string
  /** Always `public-key`. */
  type: 'public-key'
  /** How the authenticator can be reached, such as `internal` or `usb`. */
  transports?: string[]
}

/** The passkey to sign in with. */
export interface PasskeyCredentials {
  /** The passkey's signature over the challenge. */
  assertion: PasskeyAssertion
  /** The subdomain of the center to sign in to. Omit this to choose a center later. */
  centerDomain?: string
}

/** The options for signing in with a passkey. */
export interface PasskeyLogin {
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** The passkeys that are waiting for confirmation. */
export interface PasskeyNotice {
  /** How many of your passkeys don't count in this center yet, if none counts. */
  waiting: number
  /** Who can confirm yours. Null if none is waiting. */
  confirmers: PasskeyConfirmers | null
  /** How many of other members' passkeys you can confirm, at most 100. */
  toConfirm: number
}

/** A signature algorithm. */
export interface PasskeyParameters {
  /** Always `public-key`. */
  type: 'public-key'
  /** A COSE algorithm number, such as -7 for ES256. */
  alg: number
}

/** How the passkey was confirmed when it was registered. */
export type PasskeyRegistered = 'mail' | 'passkey'

/** The options for creating a passkey. */
export interface PasskeyRegistration {
  publicKey: PasskeyCreationOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** `PublicKeyCredentialRequestOptionsJSON`. Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  /** The value to sign, in base64url. If there's a statement, this is the SHA-256 of the statement's canonical form. */
  challenge: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** How long the browser may wait for the person, in milliseconds. */
  timeout: number
  /** The authenticator must verify the person. */
  userVerification: 'required'
  /** The passkeys that can be used. If the list is empty, any of this host's passkeys can be used. */
  allowCredentials: PasskeyCredential[]
}

/** The site that the passkey is for. */
export interface PasskeyRp {
  /** The host that the passkey belongs to. */
  id: string
  /** The site's name. */
  name: string
}

/** What the authenticator must support. */
export interface PasskeySelection {
  /** The passkey must be discoverable. */
  residentKey: 'required'
  /** The requirement that the passkey is discoverable, for older browsers. */
  requireResidentKey: true
  /** The authenticator must verify the person. */
  userVerification: 'required'
}

/** How your passkeys stand in a center. */
export interface PasskeyStanding {
  /** Whether one of your passkeys counts for approvals in this center. */
  counts: boolean
  /** Your passkeys that don't count in this center, oldest first. */
  waiting: WaitingPasskey[]
  confirmers: PasskeyConfirmers | null
}

/** The statement that registers a passkey. */
export interface PasskeyStatement {
  /** The format of the statement. */
  type: 'countersign-passkey-v1'
  /** The person who registers the passkey. */
  actorId: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** The person that the passkey is for. */
export interface PasskeyUser {
  /** An opaque ID for the person, in base64url. */
  id: string
  /** The person's email address or name, as the browser shows it. */
  name: string
  /** The person's name. */
  displayName: string
}

/** The new password. */
export interface PasswordChange {
  /** At least ten characters that aren't spaces. It can't be one of the most common passwords, the email address or the center's name. */
  password: string
}

/** The new password, with the token from the email. */
export interface PasswordReset {
  /** The token from the link in the email. */
  token: string
  /** At least ten characters that aren't spaces. It can't be one of the most common passwords, the email address or the center's name. */
  password: string
}

/** The account whose password should be reset. */
export interface PasswordResetRequest {
  /** The account's email address. */
  email?: string
  /** The account's phone number, if the person signs in with one. */
  phone?: string
}

/** The request waits. It has no member `approved`, so that nobody takes it for an answer. */
export interface PendingApproval {
  /** The version of the format. */
  schema_version: '1.0'
  /** The kind of message. */
  type: 'approval_response'
  /** The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name. */
  approval_request_id: string
  /** The `action_digest` of the request. */
  action_digest: string
  /** The decision event's ID. */
  event_id: string
  /** Nobody has decided yet. */
  status: 'pending'
  /** The page where a member can approve or refuse. */
  approval_url: string
}

/** The decision that the change is waiting for. */
export interface PendingDecision {
  /** The decision event's ID. */
  eventId: string
  /** The page where a member can approve or refuse the change. */
  approvalUrl: string
}

/** A change that would loosen what the policies require, so people must approve it first. Until then, the policy stays as it was. */
export interface PendingPolicyChange {
  pending: PendingDecision
  /** The policy as it is until the change is approved. Null if the change would create a policy. */
  policy: Policy | null
}

/** The new phone number. */
export interface PhoneChange {
  /** The new number. */
  phone: string
}

/** A plan that can be subscribed to. */
export interface Plan {
  /** The plan's ID, for `planId`. */
  id: string
  /** The plan's name. */
  name: string
  /** The price per billing cycle, in whole units of the currency. */
  price: number
  /** The currency of the price, as an ISO 4217 code. */
  currency: string
  billingCycle: BillingCycle
  /** The number of seats that the plan includes. */
  seatLimit: number
  /** The number of ADMINs and INSTRUCTORs that the plan includes; members with other roles are unlimited. Null if the plan counts seats instead. */
  staffLimit: number | null
  /** The latest version of the plan. New subscriptions get this version. */
  version: number
  /** The number of days for which a new center can try the plan. */
  trialDays: number
  /** What the plan includes, in words. */
  features: string[]
}

/** The revenue from one plan. */
export interface PlanRevenue {
  /** The plan's ID, as in the list of plans. */
  planId: string
  /** The plan's name, as people see it. */
  planName: string
  /** The version of the plan that these subscriptions keep. */
  planVersion: number
  /** The number of subscriptions to this plan. */
  subscriptions: number
  /** The monthly revenue from this plan, in whole units of the currency. */
  monthlyRecurring: number
}

/** A version of a plan. */
export interface PlanVersion {
  /** The plan's ID. */
  id: string
  /** The version, counted from 1. */
  version: number
  /** The plan's name, as people see it. */
  name: string
  /** The price per billing cycle, in whole units of the currency. */
  price: number
  /** The currency, as an ISO 4217 code. */
  currency: string
  billingCycle: BillingCycle
  /** The number of ACTIVE memberships. It has no effect if `staffLimit` is set. */
  seatLimit: number
  /** The number of days for which a new center can try the plan. */
  trialDays: number
  /** The number of webhooks. */
  webhooks: number
  /** What the plan includes. */
  features: CenterFeature[]
  /** The number of ADMINs and INSTRUCTORs. If set, it alone determines whether a member can be activated. */
  staffLimit: number | null
  /** Whether the plan is in the list of plans. A plan that is not offered gets no new subscriptions; existing ones continue. */
  offered: boolean
  /** When the version was added. */
  createdAt: string
  /** The number of subscriptions that keep this version and aren't CANCELED. */
  subscriptions: number
}

/** A plan and its latest version. */
export interface PlanVersionId {
  /** The plan's ID. */
  id: string
  /** The version, counted from 1. */
  version: number
}

/** Key figures about the platform. */
export interface PlatformOverview {
  centers: CenterCounts
  /** The number of partners. */
  partners: number
  /** The database cells, each with its centers, alarms, queues and jobs. */
  cells: CellOverview[]
}

/** One of the center's own policies, or another policy that applies to it. */
export interface Policy {
  /** The policy's ID. */
  id: string
  /** The version, counted from 1. */
  version: number
  /** `sha256:` followed by the SHA-256 of the policy's canonical form. Seals contain this digest. */
  digest: string
  /** The policy's name. */
  name: string
  /** What the policy is for. Null if it has no description. */
  description: string | null
  scope: PolicyScope
  /** The country that the policy applies to if `scope` is `country` or `region`; otherwise, null. */
  country: CountryCode | null
  /** The region that the policy applies to if `scope` is `region`; otherwise, null. */
  region: string | null
  match: PolicyMatch
  guards: PolicyGuards
  /** Who may approve. Null if the policy doesn't name approvers. */
  approval: PolicyApproval | null
  /** Whether the policy applies. */
  active: boolean
  /** Whether the center inherited the policy from its partner when the center was created. */
  inherited: boolean
  /** When this version was created. Null if the time wasn't recorded. */
  createdAt: string | null
}

/** Who may approve if this policy requires an approval: the people in `steps`, one step after another, or members with one of `roles`, the members in `actorIds` or, if none of these is given, every ADMIN and INSTRUCTOR. If several policies require an approval, each has a line of its own, and one approval counts in every line where it is that person's turn. The highest `identity` and the shortest `expiresAfterSeconds` and `usableForSeconds` apply to all of them. */
export interface PolicyApproval {
  identity?: RequiredIdentity
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The approval line: who approves, one step after another. A person fills one place of a line. A line has at most 9 places. Can't be combined with `roles`, `actorIds`, `escalateTo` or the `dualApproval` guard. */
  steps?: PolicyStep[]
  inform?: PolicyInform
  /** How many seconds a decision may wait before it is refused. */
  expiresAfterSeconds?: number
  /** How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days). */
  usableForSeconds?: number
  escalateTo?: PolicyEscalation
  emergency?: PolicyEmergency
}

/** What the policies say about a decision. */
export interface PolicyCheck {
  outcome: CheckOutcome
  refusal: CheckedRefusal | null
  /** The policies that match. */
  policies: CheckedPolicy[]
  /** The approval that would be required. Null if none would be. */
  approval: CheckedApproval | null
}

/** The decision to check, and optionally an unsaved policy. */
export interface PolicyCheckRequest {
  agent: Agent
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded. */
  riskScore?: number
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** Words to file the decision under. Policies can match tags, and you can filter lists by a tag. */
  tags?: string[]
  /** The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place. */
  replaces?: string
  draft?: PolicyDraft
}

/** A condition on one of the decision's values. A value that is absent or of another type satisfies every operator except `exists`, so nobody can evade a policy by leaving a value out. For `/tags`, `eq` and `in` are satisfied if any tag matches; case, character width, spaces and invisible characters make no difference. */
export interface PolicyCondition {
  /** A JSON Pointer (RFC 6901) to one of the decision's values: `/action/input` or a value in it, `/tags`, `/aiContext/confidence` or `/riskScore`. */
  pointer: string
  op: ConditionOperator
  /** What to compare the value with: a value for `eq`, a list for `in`, a number for `gt` and `lt`, a boolean for `exists` (default true). */
  value?: string | number | boolean | (string | number | boolean)[]
}

/** A policy that hasn't been saved, to check the decision as if it had been. */
export interface PolicyDraft {
  /** The center's policy that the draft would replace. Omit this for a new policy. */
  policyId?: string
  policy: DraftPolicy
}

/** The policy to try, or to leave out. */
export interface PolicyDryRun {
  /** The policy to replace or leave out. */
  policyId?: string
  policy?: DryRunPolicy
  /** Whether to leave out the policy named in `policyId`. */
  withdraw?: boolean
}

/** Members who may approve in an emergency (후결), in place of the whole line. The line confirms the approval afterwards, within `confirmWithinSeconds`, without the member who gave it. Send `roles`, `actorIds`, `groupIds` or several of them. */
export interface PolicyEmergency {
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members may approve. */
  groupIds?: string[]
  /** How many seconds the approval line has to confirm an emergency approval. */
  confirmWithinSeconds: number
}

/** Additional members who may approve after `afterSeconds`, counted from the start of the wait, or from when the step became the current one. Send `roles`, `actorIds` or both. */
export interface PolicyEscalation {
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** How many seconds must pass before these members may approve too. */
  afterSeconds: number
}

/** What the policies must say. What it leaves out is not compared. */
export interface PolicyExpectation {
  outcome?: CheckOutcome
  /** The names of all policies that match, in any order. */
  policies?: string[]
  /** How many people must approve at least; 0 for none. */
  approvals?: number
  identity?: RequiredIdentity
  /** The approval lines, in any order. */
  lines?: ExpectedLine[]
}

/** A center's policies and action types as a file. */
export interface PolicyExport {
  /** Identifies the state of the policies, action types and groups. It changes with every change to one of them. */
  revision: string
  /** What `PUT /api/policies/import` accepts. */
  file: PolicyFile
  /** The same file as YAML, with its revision in a comment. */
  yaml: string
}

/** A center's policies and action types as a file. */
export interface PolicyFile {
  /** The version of this format. */
  version: number
  /** All policies of the center's own, each under its own name. A policy that isn't here is deleted. */
  policies: FiledPolicy[]
  /** All action types that the center has a template for. One that isn't here is deleted. Without this member, action types stay as they are. */
  actionTypes?: FiledActionType[]
  /** Decisions and what the policies of this file must say about them. If one fails, nothing changes. */
  tests?: PolicyTest[]
}

/** One thing that an import changes. */
export interface PolicyFileChange {
  kind: PolicyFileKind
  change: PolicyFileEffect
  /** The policy's name, or the action type. */
  name: string
  /** The policy's ID. Null for a new policy and for an action type. */
  id: string | null
  /** The members that differ, as they are. Null for something new. */
  before: Record<string, unknown> | null
  /** The members that differ, as they will be. Null for something that ends. */
  after: Record<string, unknown> | null
}

/** How it changes. */
export type PolicyFileEffect = 'created' | 'changed' | 'ended'

/** What changes. */
export type PolicyFileKind = 'policy' | 'actionType'

/** What the policy requires. If several policies match, the strictest value of each guard applies. */
export interface PolicyGuards {
  /** Refuse any decision that no other policy matches. */
  policyRequired?: boolean
  minimumEvidenceLevel?: EvidenceLevel
  /** A person other than the one who decided must approve the decision. */
  humanReview?: boolean
  /** A person must approve the decision if its risk score is higher than this value or absent. */
  riskThreshold?: number
  /** Two different people must approve the decision. */
  dualApproval?: boolean
}

/** What an import changed, or would change. */
export interface PolicyImport {
  /** Whether nothing was changed. */
  dryRun: boolean
  /** The state that `changes` was computed from. After an import that took effect, the state since then. */
  revision: string
  /** What changed, or would change. Empty if the file says what is already in force. */
  changes: PolicyFileChange[]
  /** The policies in force that the import would loosen. If there are any, people must approve the import as a whole. */
  loosens: string[]
  /** The decision that the import waits for. Null if it does not wait for one. */
  pending: PendingDecision | null
  /** The results of the tests in the file. */
  tests: PolicyTestResult[]
}

/** Members who are told when the decision is approved or refused. They approve nothing. */
export interface PolicyInform {
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members may approve. */
  groupIds?: string[]
}

/** Which decisions the policy applies to. All conditions that are given must be satisfied; an empty object matches every decision. */
export interface PolicyMatch {
  /** Decisions with any of these event types. */
  eventTypes?: DecisionEventType[]
  /** Decisions with any of these action types. `*` matches any characters, as in `loan.*`. Case, character width, spaces and invisible characters make no difference. An action type that is longer than 255 characters matches every pattern. */
  actionTypes?: string[]
  /** Centers in any of these verticals. */
  verticals?: Vertical[]
  /** Decisions by any of these kinds of actor. */
  actorTypes?: EventActorType[]
  /** Conditions on the decision's values, all of which must be satisfied. Requires `actionTypes` or `eventTypes`. */
  when?: PolicyCondition[]
}

/** What to change about the policy. Anything you leave out stays as it is. */
export interface PolicyPatch {
  /** A name that people recognize the policy by. */
  name?: string
  /** What the policy is for. Approvers see it. */
  description?: string
  match?: PolicyMatch
  guards?: PolicyGuards
  approval?: PolicyApproval | null
  /** Whether the policy applies. True by default; a policy that is turned off matches nothing. */
  active?: boolean
}

/** Which centers a policy applies to. */
export type PolicyScope = 'global' | 'country' | 'region' | 'center'

/** One step of an approval line. If it names nobody, every ADMIN and INSTRUCTOR may approve at this step. An empty object is a step that anyone of them can fill. */
export interface PolicyStep {
  /** What the box of seals calls this step. */
  title?: string
  /** Members with any of these roles may approve. */
  roles?: ApproverRole[]
  /** Members who may approve, by actor ID. */
  actorIds?: string[]
  /** The center's groups whose members may approve. */
  groupIds?: string[]
  /** How many different people must approve at this step. 1 by default. */
  count?: number
  identity?: RequiredIdentity
  escalateTo?: PolicyEscalation
  /** Whether the box of seals marks this step as deciding with delegated authority (전결). It changes nothing about who may approve. */
  delegated?: boolean
}

/** A decision, and what the policies of the file must say about it. */
export interface PolicyTest {
  /** What the test shows. */
  name: string
  /** The decision, as for `POST /api/v1/agents/decide`. */
  decision: NewAgentDecision
  expect: PolicyExpectation
}

/** One difference. */
export interface PolicyTestDifference {
  /** Where the result differs from `expect`, as a JSON Pointer. */
  path: string
  /** What the test expects. */
  expected: unknown
  /** What the policies say. */
  actual: unknown
}

/** The result of a test in a file. */
export interface PolicyTestResult {
  /** The test's name. */
  name: string
  /** Whether the policies say what the test expects. */
  passed: boolean
  /** What differs. Empty if the test passed. */
  differences: PolicyTestDifference[]
}

/** A new center with everything that belongs to it. */
export interface ProvisionedCenter {
  /** The new center. */
  center: Center
  membership: Membership
  subscription: Subscription
  tenantMapping: TenantMapping
  /** The center's settings. */
  settings: CenterSettings
}

/** The checkpoint that covers the record. */
export interface PublicCheckpoint {
  /** The number of entries that the checkpoint covers. */
  size: number
  /** The root of the tree in base64. */
  root: string
  /** The signed checkpoint, a C2SP signed note. */
  note: string
}

/** What the server checked in its own records during this request. */
export interface PublicChecks {
  /** Whether every check below passed. */
  valid: boolean
  /** Whether the stored entry still matches its hash. */
  hash: boolean
  /** Whether the entry refers to the hash of the previous entry. */
  link: boolean
  /** Whether the hashed text names this log, this index and this record. */
  place: boolean
  /** Whether the hash leads to the root in the signed checkpoint. Null before the first checkpoint. */
  tree: boolean | null
  /** True if no verification has found this chain broken at or before this record. */
  chain: boolean
  /** The result in a sentence. */
  message: string
}

/** A public holiday. */
export interface PublicHoliday {
  /** The day of the holiday. */
  date: string
  /** The holiday's name in the center's language. */
  name: string
  /** Whether the center is closed on this day. */
  closed: boolean
}

/** The public holidays of the center's country. */
export interface PublicHolidays {
  /** The center's country. */
  country: CountryCode
  /** The law that names the holidays. Null if the country's holidays aren't known. */
  source: string | null
  /** Where to read that law. Null if there is none. */
  sourceUrl: string | null
  /** When the dates were last compared with the law. Null if there are none. */
  comparedOn: string | null
  /** The country's public holidays, in chronological order. */
  days: PublicHoliday[]
}

/** Facts about the record's hash. The record's content isn't included. */
export interface PublicVerification {
  /** The ID from the path: the decision event's, the evidence's or the DPU's. */
  eventId: string
  /** The DPU that holds the record. */
  dpuId: string
  /** Always `sealed`: a record that isn't sealed yet can't be looked up. */
  status: 'sealed'
  /** The name of the log that contains the record. */
  log: string
  /** Whether the log belongs to a sandbox. A sandbox's records are test data and prove nothing. */
  sandbox: boolean
  domain: ChainDomain
  /** The entry's index in the chain, counted from 0. */
  chainIndex: number
  /** The hash of the chain entry. Null if the stored entry can't be read. */
  chainHash: string | null
  /** When the record was sealed. */
  sealedAt: string
  evidenceLevel: EvidenceLevel
  /** Whether the decision was approved or refused. Null if no approval was needed. */
  result: ApprovalResult | null
  verified: PublicChecks
  /** When the server ran the checks. */
  verifiedAt: string
  /** How well the checkpoint is attested. Null before the first checkpoint. */
  anchoring: Anchoring | null
  /** The checkpoint that covers the record. Null before the first one. */
  checkpoint: PublicCheckpoint | null
  /** Hashes in base64 from the leaf up to the root. Null before the first checkpoint. */
  inclusionProof: string[] | null
}

/** The event that was published. */
export interface PublishedEvent {
  /** The event's ID, the same for every endpoint and every attempt. */
  id: string
  type: AppEventType
  /** The number of webhooks that receive the event. */
  deliveries: number
  subscription?: FollowedSubscription
}

/** The browser's keys, from `PushSubscription`. */
export interface PushKeys {
  /** The browser's public key. */
  p256dh: string
  /** The browser's authentication secret. */
  auth: string
}

/** Whether this browser is subscribed. */
export interface PushState {
  /** The VAPID public key to use as `applicationServerKey`. Null if this server doesn't send push messages. */
  publicKey: string | null
  /** Whether this session has a subscription. */
  subscribed: boolean
}

/** Push notifications and text messages wait until the quiet hours end. Email is sent at any time, and so is what would come too late afterwards. */
export interface QuietHours {
  /** When the quiet hours begin, as HH:MM. */
  from: string
  /** When they end, as HH:MM. An earlier time than `from` is on the next day. */
  until: string
}

/** What your passkey signs to raise the evidence level. */
export interface RaiseChallenge {
  statement: RaiseStatement
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** The statement that the passkey signs. The record's export contains it. */
export interface RaiseStatement {
  /** The statement's format. */
  type: 'countersign-raise-v1'
  /** The name of the log for the center's `history` chain. */
  log: string
  /** The DPU whose evidence level is to be raised. */
  dpuId: string
  evidenceLevel: EvidenceLevel
  /** The hash of the newest entry about the record. */
  previous: string
  /** The member who is raising the level. */
  approverId: string
  /** The policies that apply to the change. */
  policies: AppliedPolicy[]
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** The checkpoint and inclusion proof for an entry. Store it: it proves that the entry was sealed even if this server's database is lost or changed. */
export interface Receipt {
  /** The log's name, which consists of the host, the center and the chain's domain. */
  log: string
  /** The entry's index in the log, counted from 0. */
  index: number
  /** The size of the tree that the proof leads to. */
  size: number
  /** The 32-byte hashes in base64, from the entry up to the root. */
  inclusionProof: string[]
  /** A signed checkpoint (c2sp.org/tlog-checkpoint) with the witnesses' cosignatures. */
  checkpoint: string
}

/** The results of the newest 1,000 deliveries. */
export interface RecentDeliveries {
  /** The number of deliveries that your endpoint accepted. */
  succeeded: number
  /** The number of deliveries that failed and won't be retried. */
  failed: number
  /** The number of deliveries that are due or will be retried. */
  pending: number
  /** The number of deliveries held while the webhook is turned off. */
  held: number
}

/** A recovery, which sends missed events again. */
export interface Recovery {
  /** The recovery's ID. */
  id: string
  /** The webhook whose events are sent again. */
  webhookId: string
  /** Events since this time are sent again. */
  since: string
  status: RecoveryStatus
  /** How many deliveries will be sent again, counted at the start. */
  total: number
  /** The number of deliveries that have been scheduled so far. */
  recovered: number
  /** When the recovery started. */
  createdAt: string
  /** When the last delivery was scheduled. Null while the recovery is running. */
  completedAt: string | null
}

/** Whether the recovery is still running. */
export type RecoveryStatus = 'running' | 'completed'

/** The member who deleted the values. */
export interface RedactedBy {
  /** The member's actor ID. */
  id: string
  /** The member's name. */
  name: string
  /** The member's role at the time. */
  role: string
}

/** A value that was deleted. */
export interface RedactedValue {
  /** The path of the deleted value. */
  path: string
}

/** What was deleted, when and by whom. */
export interface Redaction {
  /** The DPU that was redacted. */
  dpuId: string
  /** The values that were deleted. */
  redacted: RedactedValue[]
  history: HistoryPosition
  /** When the values were deleted. */
  redactedAt: string
  by: RedactedBy
}

/** The token to exchange. */
export interface RefreshRequest {
  /** The refresh token from the last sign-in or refresh. */
  refreshToken: string
}

/** The refusal of a draft. Null if it isn't refused. */
export interface RefusedDraft {
  /** Why the draft was refused. */
  reason: string
  /** Who refused it. */
  by: DraftPerson
  /** When it was refused. */
  at: string
}

/** A new webhook, with its signing secret. */
export interface RegisteredWebhook {
  /** The webhook's ID. */
  id: string
  type: DestinationType
  /** The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response. */
  url: string
  /** For `nats`: the subject, without wildcards. A stream must store it. */
  subject?: string
  /** For `rabbitmq`: an exchange that exists. Leave empty for the default exchange. */
  exchange?: string
  /** For `rabbitmq`: the routing key. With the default exchange, the name of a queue. */
  routingKey?: string
  /** Event types, `*` for all of them, or a prefix such as `payment.*`. */
  events: string[]
  /** A note to yourself about what the endpoint is for. */
  description: string
  /** Whether events are sent. While this is false, the server holds them. */
  active: boolean
  /** When the webhook was created. */
  createdAt: string
  /** The signing secret: `whsec_` followed by 32 random bytes in base64. It's shown only in this response. */
  signingSecret: string
}

/** How an approver's identity must be established. `claim`: the person is named by an API key that has the `proof:approve` scope and isn't the key that recorded the decision. `session`: the person is a signed-in member. `passkey`: the person is a signed-in member whose passkey signed the approval. Defaults to `session`. A higher level satisfies a lower one. */
export type RequiredIdentity = 'claim' | 'session' | 'passkey'

/** Who decided what, when, where, why and how. */
export interface Responsibility {
  who: ResponsibilityWho
  what: ResponsibilityWhat
  when: ResponsibilityWhen
  where: ResponsibilityWhere
  why: ResponsibilityWhy
  how: ResponsibilityHow
}

/** How the decision was made. */
export interface ResponsibilityHow {
  /** How the decision came about: its decision type, `workflow` or `manual`. Null if this wasn't recorded. */
  method: string | null
  /** The workflow that prepared the decision. Null if there was none. */
  workflowId: string | null
  /** The model that was used. Null if no model was used. */
  model: string | null
  /** The model's confidence, from 0 to 1. Null if it wasn't recorded. */
  confidence: number | null
  evidenceLevel: EvidenceLevel
  /** Who runs the model. Null if this wasn't recorded. */
  provider: string | null
  /** The digest of the prompt. Null if it wasn't recorded. */
  promptHash: string | null
}

/** What was decided. */
export interface ResponsibilityWhat {
  /** The decision in a sentence. Null if there is none. */
  summary: string | null
  /** The action's type. Null if there was no action. */
  action: string | null
  /** The action's actual or proposed result. Null if there was none. */
  output: JsonObject | null
}

/** When the decision was made and sealed. */
export interface ResponsibilityWhen {
  /** When the decision was made. Null if the time wasn't recorded. */
  decidedAt: string | null
  /** When the decision was sealed. Null until then. */
  sealedAt: string | null
}

/** Where the decision was made. */
export interface ResponsibilityWhere {
  /** The center where the decision was made. */
  centerId: number
  /** The center's display name. */
  centerName: string
  vertical: Vertical
  domain: ChainDomain
}

/** Who decided. */
export interface ResponsibilityWho {
  /** The ID of whoever decided. Null if it has been redacted. */
  id: string | null
  /** The name of whoever decided. Null if none was recorded. */
  name: string | null
  /** The person's role in the center. Null for a program. */
  role: string | null
  /** Whether a person or a program decided. Null if this wasn't recorded. */
  type: string | null
}

/** Why the decision was made. */
export interface ResponsibilityWhy {
  /** The reason that was given. Null if none was given. */
  reason: string | null
  /** The policies that applied. */
  policies: AppliedPolicy[]
}

/** An event that will be sent again. */
export interface RetriedEvent {
  /** The event's ID, the same for every endpoint and every attempt. */
  eventId: string
  /** The deliveries that will be sent again, one for each endpoint. */
  deliveries: ScheduledDelivery[]
}

/** The revenue from subscriptions. */
export interface Revenue {
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** The monthly revenue from ACTIVE and PAST_DUE subscriptions, in whole units of the currency. For a yearly plan, a twelfth of the price counts. */
  monthlyRecurring: number
  /** The monthly revenue from each plan. */
  byPlan: PlanRevenue[]
}

/** The webhook's new signing secret. */
export interface RotatedSecret {
  /** The webhook's ID. */
  id: string
  /** The signing secret: `whsec_` followed by 32 random bytes in base64. It's shown only in this response. */
  signingSecret: string
}

/** Who decides about a change that makes the policy less strict: the people of its own approval line, another ADMIN (if the policy doesn't require an approval), the ADMIN who makes the change (in a sandbox), the partner or the operator. */
export type RuleChanger = 'line' | 'administrator' | 'asker' | 'partner' | 'operator'

/** A decision that was consumed and has no reported outcome yet. */
export interface RunningDecision {
  /** The decision's event ID. */
  eventId: string
  /** The type of the action that is running. */
  actionType: string
  /** The executor that consumed the decision. */
  executor: string
  /** When the decision was consumed. */
  consumedAt: string
}

/** A sandbox with your membership in it. */
export interface Sandbox {
  /** The center that the sandbox belongs to. */
  sandboxOf: number
  /** The sandbox itself. */
  center: Center
  membership: Membership
}

/** The sandbox's first API key. */
export interface SandboxKey {
  /** The API key, which works only in this sandbox. It's shown only in this response. */
  key: string
  /** What the key can do in the sandbox. */
  scopes: ApiKeyScope[]
}

/** A search of decisions under a name. */
export interface SavedView {
  /** The view's ID. */
  id: string
  /** The name of the view. */
  name: string
  filters: ViewFilters
  /** Whether everyone on the center's staff sees it. */
  shared: boolean
  /** When the view was last saved. */
  updatedAt: string
}

/** When a workflow starts by itself. */
export interface Schedule {
  /** A cron expression: minute, hour, day of month, month, day of week. */
  cron: string
  /** The center's time zone, unless the workflow has its own. */
  timezone: string
  /** When the workflow runs next. Null if the workflow isn't turned on. */
  nextRun: string | null
}

/** A delivery that will be sent again. */
export interface ScheduledDelivery {
  /** The webhook that the event is sent to. */
  webhookId: string
  /** Always `scheduled`: the event will be sent now. */
  status: 'scheduled'
}

/** Who or what made the decision. Fields that have been redacted are missing. */
export interface SealedActor {
  /** The actor's ID in your own system. Policies, API keys and list filters refer to this ID, so keep it stable. */
  id?: string
  type?: EventActorType
  /** The name that approvers see. */
  name?: string
}

/** The approval or refusal that sealed the decision. */
export interface SealedApproval {
  approver: SealedApprover
  result: ApprovalResult
  /** The comment that came with the approval. */
  reason?: string
  /** The API key or session that sent the approval. */
  submittedBy?: string
  identity: ApproverIdentity
  /** Where the approval was given: `api`, `page` or `console`. */
  channel?: string
  /** When the approver first opened the decision. */
  openedAt?: string
  /** When the approver decided. */
  decidedAt?: string
  /** The member on whose behalf a deputy approved. */
  onBehalfOf?: string
  /** When the server accepted the approval. */
  approvedAt: string
}

/** Who approved or refused. Fields that have been redacted are missing. */
export interface SealedApprover {
  /** The approver's ID in your own system, or their actor ID if they're a member of the center. */
  id?: string
  type?: ApproverType
  /** The approver's name, as it should appear in the record. */
  name?: string
}

/** The decision as it was sealed. */
export interface SealedEvent {
  type: DecisionEventType
  actor: SealedActor
  /** What was decided, or what is to be done. */
  action: EventAction
  aiContext?: AiContext
  /** Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded. */
  riskScore?: number
  /** Why the action is needed, in the requester's words. Approvers read it. */
  reason?: string
  /** The tags that were sealed with the decision. */
  tags?: string[]
  /** The API key that recorded the decision. */
  recordedBy?: string
  /** The decision event that this one replaces. */
  replaces?: string
  /** When the decision was made. */
  occurredAt: string
}

/** How many seats are taken and how many are left. */
export interface SeatUsage {
  /** The number of seats taken. */
  used: number
  /** The number of seats that the plan includes. */
  limit: number
  /** The number of seats left. */
  free: number
}

/** A valid signing secret, without its value. */
export interface SecretAge {
  /** When the secret was created. */
  createdAt: string
  /** When the secret stops being valid. Null for the current one. */
  expiresAt: string | null
}

/** How to treat previous secrets. */
export interface SecretRotation {
  /** How long previous secrets stay valid, in seconds. Send 0 after a secret has leaked. */
  expirePreviousAfterSeconds?: number
}

/** An agent that decisions of the center name. */
export interface SeenAgent {
  /** The first 255 characters of the agent's ID, as its decisions name it. */
  id: string
  /** The first 200 characters of the name that it last gave. Null if it gave none. */
  name: string | null
  type: EventActorType
  /** Null if none of the center's newest 1,000 decisions is this agent's. */
  lastDecision: AgentLastDecision | null
  /** The number of its decisions that are waiting for approval. */
  waiting: number
}

/** The agents of a center. */
export interface SeenAgents {
  /** The agents, at most 500. */
  agents: SeenAgent[]
  /** The number of agents beyond the first 500. */
  leftOut: number
}

/** Who the center's mail comes from. */
export interface SenderSettings {
  /** The name that mail comes from. Null: the center's name. */
  name: string | null
  /** The address that mail comes from. It's used while its domain is one of the owner's proven email domains and the domain's SPF record includes this service. Null: the service's address. */
  address: string | null
  /** Where replies go. It's used if its domain is a proven email domain of the owner, or an active administrator of the center signs in with it. Null: nowhere. */
  replyTo: string | null
}

/** Settings of the sender to change. */
export interface SenderSettingsPatch {
  /** The name that mail comes from. Null: the center's name. */
  name?: string | null
  /** The address that mail comes from. It's used while its domain is one of the owner's proven email domains and the domain's SPF record includes this service. Null: the service's address. */
  address?: string | null
  /** Where replies go. It's used if its domain is a proven email domain of the owner, or an active administrator of the center signs in with it. Null: nowhere. */
  replyTo?: string | null
}

/** For an appointment of a weekly series: whether the change applies to this appointment, to this and the following ones, or to all that are still to come. By default, it applies to this one. */
export type SeriesScope = 'one' | 'following' | 'all'

/** The person who signed in. */
export interface SessionActor {
  /** The person's actor ID. */
  id: string
  /** The person's email address. Empty if they have none. */
  email: string
  /** The person's name. */
  name: string
  role: ActorRole
}

/** The center that the session is in. Null if the session isn't in a center. */
export interface SessionCenter {
  /** The center's ID. */
  id: number
  /** The center's name. */
  name: string
  /** The center's subdomain. */
  domain: string
}

/** The device, as the browser reported it. */
export interface SessionDevice {
  /** The browser, such as `Chrome`. Null if it isn't known. */
  browser: string | null
  /** The operating system, such as `macOS`. Null if it isn't known. */
  system: string | null
}

/** The newest checkpoint. Null if there is none yet. */
export interface ShownCheckpoint {
  /** The number of entries that the checkpoint covers. */
  size: number
  /** The Merkle tree's root hash, in base64. */
  root: string
  /** The signed checkpoint with its cosignatures. */
  note: string
  /** How well the checkpoint is attested. Null if unknown. */
  anchoring: Anchoring | null
}

/** What your page says it showed. The statement is sealed, but it doesn't prove what was on the screen. */
export interface ShownDecision {
  /** The version of the page layout that showed the decision. */
  view: string
  /** The page's language. */
  language: string
  template: ShownTemplate | null
}

/** Who or what made the decision. */
export interface ShownEventActor {
  /** The actor's ID in your own system. Empty if it has been redacted. */
  id: string
  type: EventActorType
  /** The actor's name, if one was sent. */
  name?: string
}

/** A policy that you were shown. */
export interface ShownPolicy {
  /** The policy's ID. */
  id: string
  /** The version you were shown. */
  version: number
}

/** The action type's template that produced the headline. Null if there was none. */
export interface ShownTemplate {
  /** The template's version. */
  version: number
  /** The template's digest. */
  digest: string
}

/** A provider that a center's members sign in with. */
export interface SignInOption {
  /** The sign-in provider's ID. */
  id: string
  /** The provider's name, as on the button. */
  name: string
  /** The page that starts the sign-in. */
  url: string
}

/** An OpenID Connect provider that members sign in with. */
export interface SignInProvider {
  /** The provider's ID. */
  id: string
  /** The name on the sign-in button. */
  name: string
  /** The provider's issuer identifier. */
  issuer: string
  /** The client ID that the provider gave you. */
  clientId: string
  /** The redirect URI. Register it with the provider exactly as shown. */
  redirectUri: string
  /** When the provider was added. */
  createdAt: string
  /** When the provider last changed. */
  updatedAt: string
}

/** What to change about the provider. */
export interface SignInProviderChange {
  /** The name on the sign-in button. */
  name?: string
  /** The client secret that the provider gave you. It's stored encrypted and never shown. */
  clientSecret?: string
}

/** What a look at the provider's discovery document and signing keys found. */
export interface SignInProviderCheck {
  /** Whether people can be sent to the provider and its answers can be checked. */
  works: boolean
  problem: SignInProviderProblem | null
  /** The redirect URI. Only the provider knows whether it is registered. */
  redirectUri: string
}

/** The first problem. `unreachable`: no answer. `insecure`: no secure connection. `blocked`: an address in a network that this server doesn't call. `noDocument`: no discovery document at the issuer. `otherIssuer`: the document names another issuer. `incomplete`: it lacks an address, or names one that a browser mustn't open. `noKeys`: its signing keys can't be read. Null if nothing does. */
export type SignInProviderProblem = 'unreachable' | 'insecure' | 'blocked' | 'noDocument' | 'otherIssuer' | 'incomplete' | 'noKeys'

/** The person who wants an account. */
export interface SignUp {
  /** The address to send the link to. */
  email: string
  /** Your name, as others will see it. */
  name: string
}

/** The token from the email, and the password to set. */
export interface SignUpConfirmation {
  /** The token from the link in the email. */
  token: string
  /** At least ten characters that aren't spaces. It can't be one of the most common passwords, the email address or the center's name. */
  password: string
}

/** A time slot that can be booked. */
export interface Slot {
  /** The instructor's actor ID. */
  instructorId: string
  /** The instructor's display name. */
  instructorName: string
  /** When the slot starts. */
  startsAt: string
  /** When the slot ends. */
  endsAt: string
}

/** A passkey of a center's only ADMIN that's waiting for confirmation. */
export interface SoleAdminPasskey {
  /** The passkey's ID. */
  id: string
  /** The member's actor ID. */
  actorId: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  confirmed: PasskeyConfirmedBy
  /** Whether the passkey counts for approvals that need one. */
  counts: boolean
  /** Whether the member has removed the passkey. */
  removed: boolean
  /** Whether the passkey can be synced to several devices. */
  backupEligible: boolean
  /** When the passkey was sealed in this center's log. */
  boundAt: string
  /** The administrator's name. */
  name: string
  /** The administrator's email address. Empty if they have none. */
  email: string
  /** The center that has no other administrator. */
  centerId: number
  /** What that center is called. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
  /** The partner that can confirm the passkey. Null if only the operator can. */
  partnerName: string | null
}

/** The person that the token belongs to. */
export interface SsoIdentity {
  /** The person's actor ID. */
  actorId: string
  /** The person's email address. Empty if they have none. */
  email: string
  /** The person's name. */
  name: string
  role: ActorRole
  /** The center that the person has entered. */
  centerId: number
  /** The center's subdomain. */
  centerDomain: string
  targetApp: TargetApp
  /** The person's memberships. */
  memberships: Membership[]
}

/** A single-use token for a companion application. */
export interface SsoToken {
  /** The token to hand to the application. */
  token: string
  /** When the token expires. */
  expiresAt: string
}

/** The token to redeem. */
export interface SsoVerification {
  /** The token from `POST /api/auth/sso/token`. */
  token: string
  /** The application that redeems the token. If you send this, it must be the application that the token was created for. */
  targetApp?: TargetApp
}

/** What to do: name the center (`name`), save its opening hours (`hours`), invite staff (`staff`), add clients (`clients`), add a passkey of your own (`passkey`), add a policy (`policy`), or connect an agent (`agent`). */
export type StartStep = 'name' | 'hours' | 'staff' | 'clients' | 'passkey' | 'policy' | 'agent'

/** The execution that was started. */
export interface StartedExecution {
  /** The execution's ID. Use it to follow or cancel the execution. */
  executionId: string
  status: ExecutionStatus
  /** When the execution started. */
  startedAt: string
}

/** The invoice that the payment is for. Administrators see it in the console. */
export interface StatedInvoice {
  /** The invoice's number in the billing system. */
  number: string
  /** The amount, as a decimal number. */
  amount: string
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** The invoice in the billing system. */
  url?: string
}

/** The state of the step. RETRYING: the last attempt failed and another one is scheduled. */
export type StepStatus = 'PENDING' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELED'

/** What your passkey signs to confirm that it's you. */
export interface StepUpChallenge {
  statement: StepUpStatement
  publicKey: PasskeyRequestOptions
  /** When the challenge expires. */
  expiresAt: string
}

/** The statement that the passkey signs. */
export interface StepUpStatement {
  /** The format of the statement. */
  type: 'countersign-step-up-v1'
  /** The person who confirms their identity. */
  actorId: string
  /** The session's ID. */
  sid: string
  /** The host that the passkey belongs to. */
  rpId: string
  /** A random value that makes the statement unique. */
  nonce: string
  /** When the server issued the statement. */
  issuedAt: string
}

/** When your identity was confirmed. */
export interface SteppedUp {
  /** When you confirmed your identity. */
  steppedUpAt: string
}

/** Whether a subdomain is free. */
export interface SubdomainAvailability {
  /** Whether the subdomain is free. */
  available: boolean
  /** Why the subdomain can't be used. Null if it is free. */
  reason: string | null
}

/** The subdomain to check. */
export interface SubdomainCheck {
  /** The subdomain to check, in lowercase letters, digits and hyphens. */
  subdomain: string
}

/** Whether the subdomain is free. */
export interface SubdomainCheckResult {
  /** Always true. */
  success: true
  /** Whether the subdomain is free. */
  available: boolean
  /** The result. */
  data: SubdomainAvailability
}

/** A center's subscription. */
export interface Subscription {
  /** The plan's ID, as in the list of plans. */
  planId: string
  /** The version of the plan that the subscription was made under. It keeps this version until the plan is changed. */
  planVersion: number
  /** The plan's name, as people see it. */
  planName: string
  status: SubscriptionStatus
  billingCycle: BillingCycle
  /** When the paid period ends. */
  currentPeriodEnd: string
  /** The number of seats that the plan includes. */
  seatLimit: number
  /** The number of seats taken, which is the number of ACTIVE memberships. */
  seatUsed: number
  /** The number of ADMINs and INSTRUCTORs that the plan includes. If the plan has this limit, it alone determines whether a member can be activated. Null if the plan counts seats instead. */
  staffLimit: number | null
  /** The number of ACTIVE memberships of ADMINs and INSTRUCTORs. */
  staffUsed: number
  /** The operator's billing system, where an administrator pays or changes the plan. Null if the operator hasn't configured one. */
  billingUrl: string | null
  usage: SubscriptionUsage
  standing: SubscriptionStanding
}

/** An invoice, as the billing system stated it. */
export interface SubscriptionInvoice {
  /** The invoice's number in the billing system. */
  number: string
  /** The amount, as a decimal number. */
  amount: string
  /** The currency, as an ISO 4217 code. */
  currency: string
  /** Whether the latest statement reported a completed payment. */
  paid: boolean
  /** The invoice in the billing system. Null if none was stated. */
  url: string | null
  /** When the billing system stated this. */
  statedAt: string
}

/** Who can make the subscription ACTIVE: the billing system by reporting a payment, or the operator. */
export type SubscriptionLifter = 'billing_system' | 'operator'

/** What a center's members need to know about its subscription. */
export interface SubscriptionNotice {
  status: SubscriptionStatus | null
  /** When the trial or the paid period ends. */
  currentPeriodEnd: string | null
  /** What isn't available until the subscription is in order. */
  stopped: string[]
  /** Who can make the subscription ACTIVE. Empty if it is in order. */
  liftedBy: SubscriptionLifter[]
  /** The operator's billing system. Null for members who aren't administrators. */
  billingUrl: string | null
}

/** What the subscription's state means for the center. */
export interface SubscriptionStanding {
  /** The subscription's state and what to do next, in a sentence. */
  message: string
  /** What the subscription allows now. */
  works: string[]
  /** What stops working until the subscription is in order again. */
  stopped: string[]
}

/** What the billing system states about a subscription. */
export interface SubscriptionStatement {
  /** The ID of the center whose API key sends the event. */
  centerId: number
  /** The subscription's new state: ACTIVE with `payment.completed`, any other state with `payment.failed`. */
  status: 'ACTIVE' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'
  /** When the new state began. This must be later than in the previous statement about this center; a statement with an earlier time changes nothing. */
  occurredAt: string
  /** The end of the paid period. */
  currentPeriodEnd?: string
  /** The ID of the new plan, if the plan changes. The subscription gets the latest version of the plan. */
  planId?: string
  invoice?: StatedInvoice
  /** An Ed25519 signature by a key in BILLING_KEYS, in base64. */
  signature: string
}

/** The state of a subscription. `CANCELED` is final. */
export type SubscriptionStatus = 'ACTIVE' | 'TRIAL' | 'PAST_DUE' | 'CANCELED' | 'SUSPENDED'

/** What to change, with the reason. */
export interface SubscriptionUpdate {
  /** The plan from now on, as in the list of plans. */
  planId?: string
  status?: SubscriptionStatus
  /** Why you make this change. It is kept in the audit entry. */
  reason: string
}

/** How much of the plan is used. */
export interface SubscriptionUsage {
  seats: SeatUsage
}

/** The approval that you took back. */
export interface TakenBackApproval {
  /** The approval that you took back. */
  approvalId: string
  /** When you took the approval back. */
  takenBackAt: string
}

/** The companion application that a single-use token is for. */
export type TargetApp = 'lms' | 'cms' | 'erp'

/** The center's counterpart in the learning application. */
export interface TenantMapping {
  /** The center that the tenant belongs to. */
  centerId: number
  /** The tenant's ID in the learning application. */
  lmsTenantId: string
}

/** The kind of tenant: a center, a workspace, one of the operator's programs, or a center under its own brand. */
export type TenantType = 'CENTER' | 'WORKSPACE' | 'PROGRAM' | 'WHITE_LABEL'

/** A word in both languages. */
export interface Term {
  /** The word in Korean. */
  ko: string
  /** The noun in English, in the singular and without an article. */
  en: string
}

/** A word to change. Null restores the vertical's own word. */
export interface TermPatch {
  /** The word in Korean. */
  ko?: string | null
  /** The noun in English, in the singular and without an article. */
  en?: string | null
}

/** The approval or refusal to give as a test person. */
export interface TestApproval {
  /** The decision. Any of its IDs. */
  eventId: string
  result: ApprovalResult
  /** How the test person's identity is established. `session`: as a signed-in member. `passkey`: with a signature too. */
  level: TestIdentity
  /** The reason, which is sealed. */
  reason?: string
  /** The test person to approve as, from `GET /api/v1/sandbox/people`. */
  personId?: string
}

/** The test event that is sent. */
export interface TestEvent {
  /** The event's ID, the same for every endpoint and every attempt. */
  eventId: string
  /** The type of the event that is sent. */
  type: 'ping'
}

/** How the test person's identity is established. */
export type TestIdentity = 'session' | 'passkey'

/** A test person of a sandbox. Nobody can sign in as a test person. */
export interface TestPerson {
  /** The test person's actor ID. */
  id: string
  /** The test person's name. */
  name: string
  /** The test person's role in the sandbox. */
  role: ApproverRole
  /** The names of the groups that this test person is in. */
  groups: string[]
}

/** The overview of a day. */
export interface Today {
  /** The start of yesterday in the center's time zone. */
  since: string
  /** The number of decisions sealed since then, at most 1,000. */
  sealed: number
  /** The number of decisions refused or expired since then, at most 1,000. */
  rejected: number
  /** The number of people whose membership began since then, at most 1,000. */
  joined: number
  /** Drafts that nobody has reviewed or refused, newest first, among the 100 newest executions. */
  drafts: TodayDraft[]
  /** Last week and this week, from Monday to Sunday. */
  days: TodayDay[]
  /** What a new center does in its first week. Null for an INSTRUCTOR, and once every step has been done. */
  steps: TodayStep[] | null
}

/** The appointments of one day that were not canceled. */
export interface TodayDay {
  /** A day in the center's time zone. */
  day: string
  /** The number of appointments that took place. */
  attended: number
  /** The number of appointments to which nobody came. */
  missed: number
  /** The number of appointments without a record of attendance. */
  open: number
}

/** A workflow's draft that nobody has reviewed. */
export interface TodayDraft {
  /** The execution that wrote the draft. */
  executionId: string
  /** The workflow that ran. */
  workflowId: string
  /** When the draft was written. */
  completedAt: string
  /** Whether you were asked to review it. */
  sentToMe: boolean
  /** The name of the member who was asked to review it. Null if nobody was. */
  sentTo: string | null
}

/** One step of a new center's first week. */
export interface TodayStep {
  step: StartStep
  /** Whether it has been done. */
  done: boolean
}

/** A delivery of an event about the decision. */
export interface TracedDelivery {
  /** The webhook event's ID. */
  eventId: string
  /** The webhook event's type, such as `dpu.sealed`. */
  eventType: string
  /** When the event occurred. */
  createdAt: string
  /** The webhook that the event is sent to. */
  webhookId: string
  /** The URL that the event is sent to. Empty unless you're an ADMIN. */
  url: string
  /** The delivery's status: `success`, `failed`, `pending` or `held`. */
  state: string
  /** The number of delivery attempts so far. */
  attempts: number
  /** When the last attempt ended. Null before the first one. */
  attemptedAt: string | null
  /** The HTTP status that the endpoint returned. Null if it sent no response. */
  responseStatus: number | null
  /** When the next attempt is due. Null if none is scheduled. */
  nextRetryAt: string | null
}

/** A chain entry about the decision. */
export interface TracedEntry {
  domain: ChainDomain
  /** The entry's index in the chain. */
  index: number
  /** The hash of the entry. */
  hash: string
  /** When the entry was sealed. */
  sealedAt: string
  /** What changed, for an entry in the `history` chain. Null for other entries. */
  type: string | null
}

/** A request about the decision. */
export interface TracedRequest {
  /** When the request was made. */
  at: string
  /** The request's ID, or the job's name if a job acted. */
  requestId: string
  /** The member, API key or job that acted. Null if unknown. */
  actorId: string | null
  /** The audit entry's type. */
  type: string
  /** The specific change within the type. */
  action: string
}

/** A page of a webhook's deliveries. */
export interface TrackedDeliveries {
  /** The deliveries, newest first. */
  deliveries: TrackedDelivery[]
  /** The value to send as `before` to read the next page. Null on the last page. */
  next: string | null
}

/** A delivery, whether or not it has been attempted. */
export interface TrackedDelivery {
  /** The event's ID, the same for every endpoint and every attempt. */
  eventId: string
  /** What happened, such as `dpu.sealed`. */
  eventType: string
  /** When the event occurred. */
  createdAt: string
  state: DeliveryState
  /** How many attempts were made. */
  attempts: number
  /** When the last attempt ended. Null before the first one. */
  attemptedAt: string | null
  /** The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers. */
  responseStatus: number | null
  /** When the next attempt is due. Null if none is scheduled. */
  nextRetryAt: string | null
}

/** A center whose records couldn't be read. */
export interface UnavailableCenter {
  /** The center's numeric ID. */
  centerId: number
  /** The center's name, as people see it. */
  centerName: string
  /** The center's subdomain. */
  centerDomain: string
}

/** A member's passkey that's waiting for confirmation. */
export interface UnconfirmedPasskey {
  /** The passkey's ID. */
  id: string
  /** The member's actor ID. */
  actorId: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  confirmed: PasskeyConfirmedBy
  /** Whether the passkey counts for approvals that need one. */
  counts: boolean
  /** Whether the member has removed the passkey. */
  removed: boolean
  /** Whether the passkey can be synced to several devices. */
  backupEligible: boolean
  /** When the passkey was sealed in this center's log. */
  boundAt: string
  /** The member's membership. */
  membershipId: string
  /** The member's name. */
  name: string
  /** The member's email address. Empty if they have none. */
  email: string
  /** Whether you may confirm the passkey: it isn't yours, under any of your accounts. */
  mayConfirm: boolean
}

/** How thoroughly to verify. `chain` recomputes hashes and links; `records` also compares every record with what was sealed. */
export type VerificationMode = 'chain' | 'records'

/** The field that a center works in. It determines the center's defaults and workflows. */
export type Vertical = 'rehabilitation' | 'welfare' | 'education' | 'pharmacy' | 'commerce' | 'mentoring' | 'interior'

/** The filters of the search for decisions, at most 2048 bytes as JSON. */
export interface ViewFilters {
  /** Up to eight words: names, amounts (`1200000`, `1,200,000` or `120만`), words of the description, the reason or the values, the name of the action type, or an ID. Every word must match. Korean words are also found inside compounds, and with or without the endings that Korean attaches to them. */
  q?: string
  /** Only decisions that this member asked for, approved or refused. */
  personId?: string
  /** Only decisions by the actor with this ID, such as an agent. */
  agentId?: string
  /** Only decisions that this policy applied to. */
  policyId?: string
  type?: DecisionEventType
  /** Only decisions with this tag. */
  tag?: string
  status?: DecisionEventStatus
  /** `true` for decisions that are waiting for approval. */
  waiting?: boolean
  /** Only decisions whose amount is at least this. */
  minAmount?: number
  /** Only decisions whose amount is at most this. */
  maxAmount?: number
  /** Only decisions recorded on this day or later, in the center's time zone. */
  from?: string
  /** Only decisions recorded on this day or earlier, in the center's time zone. */
  to?: string
}

/** A member whose role doesn't count for approvals yet. */
export interface WaitingMember {
  /** The membership that has the role. */
  membershipId: string
  /** The member's actor ID. */
  actorId: string
  role: ActorRole
  /** When the member's approvals in this role start to count. */
  countsFrom: string
  /** The actor ID of the person who confirmed the role, or `operator`. Null if nobody has confirmed it. */
  confirmedBy: string | null
  /** Whether you may confirm this role. */
  mayConfirm: boolean
}

/** One of your passkeys that doesn't count in this center. */
export interface WaitingPasskey {
  /** The passkey's ID. */
  id: string
  /** The public key's thumbprint (RFC 7638). */
  thumbprint: string
  /** When the passkey was registered. */
  createdAt: string
}

/** What an approver needs to know about a policy that requires an approval. */
export interface WaitingRule {
  /** The policy's ID. */
  id: string
  /** The version of the policy that applies. */
  version: number
  /** The policy's name. */
  name: string
  /** What the policy is for, in the administrator's words. Null if there is no description. */
  description: string | null
  /** The guards in this policy that require an approval. */
  guards: ApprovingGuard[]
  identity: RequiredIdentity
  /** Members with any of these roles may approve. Null if the policy names no roles. */
  roles: ApproverRole[] | null
  /** The number of seconds that a decision can wait before it's refused. Null if it never expires. */
  expiresAfterSeconds: number | null
  /** How many seconds after the approval the decision can be consumed. */
  usableForSeconds: number
  /** JSON Pointers to the values that the policy's conditions read. */
  pointers: string[]
  /** The policy's conditions, which you can use to show its limits. */
  conditions: PolicyCondition[]
  /** The policy's `riskThreshold`. Null if it has none. */
  riskThreshold: number | null
}

/** A subscription to events. */
export interface Webhook {
  /** The webhook's ID. */
  id: string
  type: DestinationType
  /** The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response. */
  url: string
  /** For `nats`: the subject, without wildcards. A stream must store it. */
  subject?: string
  /** For `rabbitmq`: an exchange that exists. Leave empty for the default exchange. */
  exchange?: string
  /** For `rabbitmq`: the routing key. With the default exchange, the name of a queue. */
  routingKey?: string
  /** Event types, `*` for all of them, or a prefix such as `payment.*`. */
  events: string[]
  /** A note to yourself about what the endpoint is for. */
  description: string
  /** Whether events are sent. While this is false, the server holds them. */
  active: boolean
  /** When the webhook was created. */
  createdAt: string
  /** When the last attempt ended. Null before the first one. */
  lastDeliveryAt: string | null
  /** The result of the last attempt. Null before the first one. */
  lastDeliveryStatus: DeliveryStatus | null
  /** Why the server turned the webhook off. Null if it hasn't. */
  disabledReason: string | null
}

/** An event for a webhook, whether or not it was sent. */
export interface WebhookEvent {
  /** The event's ID, the same for every endpoint and every attempt. */
  id: string
  /** What happened, such as `dpu.sealed`. */
  type: string
  /** When the event occurred. */
  createdAt: string
  /** The exact body that an attempt sends. Null once the body is no longer stored. */
  body: string | null
}

/** A page of a webhook's events. */
export interface WebhookEvents {
  /** The events, oldest first. */
  events: WebhookEvent[]
  /** The value to send as `after` to read on. Null if there is no further event now. */
  next: string | null
}

/** A webhook that doesn't reach its endpoint. */
export interface WebhookNotice {
  /** The webhook's ID. */
  id: string
  state: WebhookTrouble
  /** When the first of these deliveries failed. Null if it was turned off. */
  since: string | null
}

/** What to change about the webhook. */
export interface WebhookPatch {
  type?: DestinationType
  /** The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response. */
  url?: string
  /** For `nats`: the subject, without wildcards. A stream must store it. */
  subject?: string
  /** For `rabbitmq`: an exchange that exists. Leave empty for the default exchange. */
  exchange?: string
  /** For `rabbitmq`: the routing key. With the default exchange, the name of a queue. */
  routingKey?: string
  /** Event types, `*` for all of them, or a prefix such as `payment.*`. */
  events?: string[]
  /** A note to yourself about what the endpoint is for. */
  description?: string
  /** Whether events are sent. */
  active?: boolean
}

/** Whether deliveries have been failing for 15 minutes or longer (`failing`), or the server turned the webhook off (`disabled`). */
export type WebhookTrouble = 'failing' | 'disabled'

/** Opening hours for each weekday, in the center's time zone. The center is closed on days that are absent. */
export interface WeekHours {
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  mon?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  tue?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  wed?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  thu?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  fri?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  sat?: OpenInterval[]
  /** The hours on this day, as up to six time spans. Empty or absent if there are none. */
  sun?: OpenInterval[]
}

/** A center's branding and features. */
export interface WhitelabelConfig {
  /** The center's subdomain. */
  domain: string
  /** The center's name. */
  name: string
  vertical: Vertical
  branding: Branding
  features: Features
  /** The language and region for texts and formats. */
  locale: string
}

/** Set to `true` to include values and salts that aren't redacted. */
export type WithValues = 'true' | 'false'

/** The withdrawal. */
export interface Withdrawal {
  /** Why you're withdrawing the decision. */
  reason?: string
}

/** The decision that was withdrawn. */
export interface WithdrawnDecision {
  /** The decision event's ID. */
  eventId: string
  /** The decision's own ID, as returned when it was recorded. */
  decisionId: string
  /** When the decision was withdrawn. */
  withdrawnAt: string
  /** The hash of the refusal's chain entry: `sha256:` followed by 64 hex digits. */
  sealedHash: string
}

/** A witness that cosigns checkpoints. */
export interface Witness {
  /** The witness's name, as in its cosignatures. */
  name: string
  /** A verifier key as in c2sp.org/signed-note. */
  vkey: string
  /** The address of the witness. Null if it isn't public. */
  url: string | null
}

/** How far a witness is behind the newest checkpoint. */
export interface WitnessLag {
  /** The witness's name. */
  name: string
  /** The size of the largest checkpoint that the witness has cosigned. Null if it hasn't cosigned any. */
  size: number | null
  /** How many entries the witness is behind the newest checkpoint. */
  lag: number
}

/** One of the center's workflows. */
export interface Workflow {
  /** The workflow's ID, the same in every center. */
  id: string
  /** The workflow's name. */
  name: string
  type: WorkflowType
  status: WorkflowStatus
  vertical: Vertical
  /** When the workflow last ran in this center. Null if it never did. */
  lastRun: string | null
  /** What the workflow does. */
  description: string
  /** When the workflow starts by itself. Null if it has no schedule. */
  schedule: Schedule | null
  /** The event that starts the workflow, if its type is EVENT. Otherwise, null. */
  event: string | null
  parameters: ParameterSchema
  /** The names of the workflow's steps, in order. */
  steps: string[]
  settings: WorkflowSettings
}

/** The center's settings for a workflow. */
export interface WorkflowSettings {
  /** Whether the workflow's schedule or event starts it. A person can always start it. */
  enabled: boolean
  /** A cron expression: minute, hour, day of month, month, day of week. The workflow can run at most once an hour. Null if the workflow's own schedule applies. */
  schedule: string | null
  /** The center's default parameters. */
  parameters: JsonObject
  /** Tags for the workflow's drafts, in addition to its own. */
  tags: string[]
}

/** Whether the workflow starts by itself. INACTIVE: neither its schedule nor an event starts it. */
export type WorkflowStatus = 'ACTIVE' | 'INACTIVE'

/** What starts the workflow. A person can start a workflow of any type. */
export type WorkflowType = 'SCHEDULED' | 'MANUAL' | 'EVENT'

/** `true` for decisions that are waiting for approval, `false` for all others. */
export type YesNo = 'true' | 'false'
