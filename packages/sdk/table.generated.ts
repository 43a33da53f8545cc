/** Generated from packages/contract by `npm run generate`. */
import type { Table } from './call.ts'

export const proofTable: Table = {
  agents: {
    decide: { method: 'POST', path: '/api/v1/agents/decide', reply: 'data', input: 'body', repeat: 'header' },
  },
  approvals: {
    create: { method: 'POST', path: '/api/v1/decision-events/{id}/approvals', reply: 'data', input: 'body', repeat: 'header' },
  },
  chains: {
    listEntries: { method: 'GET', path: '/api/v1/chains/{domain}/entries', reply: 'lines', input: 'query' },
    getCheckpoint: { method: 'GET', path: '/api/v1/chains/{domain}/checkpoint', reply: 'data' },
    getInclusionProof: { method: 'GET', path: '/api/v1/chains/{domain}/proofs/{index}', reply: 'data', input: 'query' },
    getConsistencyProof: { method: 'GET', path: '/api/v1/chains/{domain}/consistency', reply: 'data', input: 'query' },
  },
  decisions: {
    record: { method: 'POST', path: '/api/v1/decision-events', reply: 'data', input: 'body', repeat: 'field' },
    list: { method: 'GET', path: '/api/v1/decision-events', reply: 'page', input: 'query' },
    get: { method: 'GET', path: '/api/v1/decision-events/{id}', reply: 'data' },
    consume: { method: 'POST', path: '/api/v1/decision-events/{id}/consume', reply: 'data', input: 'body', repeat: 'same' },
    reportOutcome: { method: 'POST', path: '/api/v1/decision-events/{id}/outcome', reply: 'data', input: 'body', repeat: 'same' },
  },
  dpus: {
    getState: { method: 'GET', path: '/api/v1/dpu/{id}', reply: 'data' },
  },
  events: {
    publish: { method: 'POST', path: '/api/v1/events', reply: 'data', input: 'body', repeat: 'header' },
  },
  evidence: {
    get: { method: 'GET', path: '/api/v1/evidence/{id}', reply: 'data' },
    export: { method: 'GET', path: '/api/v1/evidence/{id}/export', reply: 'bare' },
    getContext: { method: 'GET', path: '/schema/decision-proof/v2', reply: 'bare', open: true },
  },
  logs: {
    get: { method: 'GET', path: '/.well-known/countersign-log.json', reply: 'bare', open: true },
  },
  publicVerification: {
    verify: { method: 'GET', path: '/verify/{id}', reply: 'bare', open: true },
  },
  system: {
    getHome: { method: 'GET', path: '/', reply: 'bare', open: true },
    checkLive: { method: 'GET', path: '/health/live', reply: 'bare', open: true },
    checkReady: { method: 'GET', path: '/health/ready', reply: 'bare', open: true },
    getJwks: { method: 'GET', path: '/.well-known/jwks.json', reply: 'bare', open: true },
    getOpenApi: { method: 'GET', path: '/openapi.json', reply: 'bare', open: true },
  },
  webhooks: {
    register: { method: 'POST', path: '/api/v1/webhooks', reply: 'bare', input: 'body', repeat: 'header' },
    list: { method: 'GET', path: '/api/v1/webhooks', reply: 'data' },
    update: { method: 'PATCH', path: '/api/v1/webhooks/{webhookId}', reply: 'bare', input: 'body', repeat: 'header' },
    delete: { method: 'DELETE', path: '/api/v1/webhooks/{webhookId}', reply: 'none', repeat: 'header' },
    rotateSecret: { method: 'POST', path: '/api/v1/webhooks/{webhookId}/rotate-secret', reply: 'bare', input: 'body', repeat: 'header' },
    listDeliveries: { method: 'GET', path: '/api/v1/webhooks/{webhookId}/deliveries', reply: 'data', input: 'query' },
    retryEvent: { method: 'POST', path: '/api/v1/webhooks/events/{eventId}/retry', reply: 'data', repeat: 'header' },
    listAttempts: { method: 'GET', path: '/api/v1/webhooks/{webhookId}/deliveries/{eventId}/attempts', reply: 'data' },
    test: { method: 'POST', path: '/api/v1/webhooks/{webhookId}/test', reply: 'data', repeat: 'header' },
    recover: { method: 'POST', path: '/api/v1/webhooks/{webhookId}/recover', reply: 'data', input: 'body', repeat: 'header' },
    getRecovery: { method: 'GET', path: '/api/v1/webhooks/{webhookId}/recoveries/{recoveryId}', reply: 'data' },
    listEventTypes: { method: 'GET', path: '/api/v1/webhooks/event-types', reply: 'data' },
  },
}

export const platformTable: Table = {
  admin: {
    onboardPartner: { method: 'POST', path: '/api/admin/partners/onboard', reply: 'data', input: 'body', repeat: 'header' },
  },
  apiKeys: {
    create: { method: 'POST', path: '/api/api-keys', reply: 'data', input: 'body', repeat: 'header' },
    list: { method: 'GET', path: '/api/api-keys', reply: 'data' },
    revoke: { method: 'DELETE', path: '/api/api-keys/{id}', reply: 'none', repeat: 'header' },
  },
  audit: {
    list: { method: 'GET', path: '/api/audit', reply: 'page', input: 'query' },
    exportCsv: { method: 'GET', path: '/api/audit.csv', reply: 'text', input: 'query' },
  },
  auth: {
    login: { method: 'POST', path: '/api/auth/login', reply: 'data', input: 'body', open: true, session: true },
    getMe: { method: 'GET', path: '/api/auth/me', reply: 'data' },
    switchCenter: { method: 'POST', path: '/api/auth/switch-center', reply: 'data', input: 'body', session: true },
    refreshToken: { method: 'POST', path: '/api/auth/refresh-token', reply: 'data', input: 'body', open: true, session: true },
    createSsoToken: { method: 'POST', path: '/api/auth/sso/token', reply: 'data', input: 'body' },
    verifySsoToken: { method: 'POST', path: '/api/auth/sso/verify', reply: 'data', input: 'body', open: true },
    logout: { method: 'POST', path: '/api/auth/logout', reply: 'none' },
    signUp: { method: 'POST', path: '/api/auth/signup', reply: 'data', input: 'body', open: true },
    confirmSignUp: { method: 'POST', path: '/api/auth/signup/confirm', reply: 'data', input: 'body', open: true },
    requestPasswordReset: { method: 'POST', path: '/api/auth/password/forgot', reply: 'data', input: 'body', open: true },
    resetPassword: { method: 'POST', path: '/api/auth/password/reset', reply: 'none', input: 'body', open: true },
    acceptInvitation: { method: 'POST', path: '/api/auth/invitations/accept', reply: 'data', input: 'body', open: true },
    listChildren: { method: 'GET', path: '/api/auth/me/children', reply: 'data' },
  },
  bookings: {
    listSlots: { method: 'GET', path: '/api/centers/{center}/available-slots', reply: 'data', input: 'query' },
    create: { method: 'POST', path: '/api/centers/{center}/bookings', reply: 'data', input: 'body', repeat: 'header' },
    cancel: { method: 'DELETE', path: '/api/centers/{center}/bookings/{id}', reply: 'none', repeat: 'header' },
  },
  centers: {
    list: { method: 'GET', path: '/api/centers', reply: 'data' },
    get: { method: 'GET', path: '/api/centers/{center}', reply: 'data' },
    getInfo: { method: 'GET', path: '/api/centers/{center}/info', reply: 'data', open: true },
    search: { method: 'POST', path: '/api/centers/search', reply: 'data', input: 'body', open: true },
    updateSettings: { method: 'PATCH', path: '/api/centers/{center}/settings', reply: 'data', input: 'body', repeat: 'header' },
  },
  decisions: {
    list: { method: 'GET', path: '/api/decisions', reply: 'page', input: 'query' },
    get: { method: 'GET', path: '/api/decisions/{eventId}', reply: 'data' },
    open: { method: 'POST', path: '/api/decisions/{eventId}/opened', reply: 'data', repeat: 'header' },
    challengeApproval: { method: 'POST', path: '/api/decisions/{eventId}/approvals/challenge', reply: 'data', input: 'body', repeat: 'header' },
    approve: { method: 'POST', path: '/api/decisions/{eventId}/approvals', reply: 'data', input: 'body', repeat: 'header' },
    comment: { method: 'POST', path: '/api/decisions/{eventId}/comments', reply: 'data', input: 'body', repeat: 'header' },
    setDeputy: { method: 'PUT', path: '/api/decisions/deputy', reply: 'data', input: 'body', repeat: 'header' },
  },
  dpus: {
    list: { method: 'GET', path: '/api/dpu', reply: 'page', input: 'query' },
    createDemo: { method: 'POST', path: '/api/dpu/demo', reply: 'data', input: 'body', repeat: 'header' },
    getStats: { method: 'GET', path: '/api/dpu/stats', reply: 'data' },
    verifyChain: { method: 'GET', path: '/api/dpu/verify-chain', reply: 'data', input: 'query' },
    get: { method: 'GET', path: '/api/dpu/{id}', reply: 'data' },
    challengeRaise: { method: 'POST', path: '/api/dpu/{id}/challenge', reply: 'data', input: 'body', repeat: 'header' },
    update: { method: 'PUT', path: '/api/dpu/{id}', reply: 'data', input: 'body', repeat: 'header' },
    export: { method: 'GET', path: '/api/dpu/{id}/export', reply: 'bare' },
    redact: { method: 'POST', path: '/api/dpu/{id}/redactions', reply: 'data', input: 'body', repeat: 'header' },
    verify: { method: 'GET', path: '/api/dpu/{id}/verify', reply: 'data' },
    getResponsibility: { method: 'GET', path: '/api/dpu/{id}/responsibility', reply: 'data' },
  },
  evidence: {
    getContext: { method: 'GET', path: '/schema/decision-proof/v2', reply: 'bare', open: true },
  },
  executions: {
    list: { method: 'GET', path: '/api/workflows/{workflowId}/executions', reply: 'page', input: 'query' },
    get: { method: 'GET', path: '/api/workflows/executions/{executionId}', reply: 'data' },
    cancel: { method: 'POST', path: '/api/workflows/executions/{executionId}/cancel', reply: 'data', repeat: 'header' },
  },
  instructors: {
    list: { method: 'GET', path: '/api/centers/{center}/instructors', reply: 'data' },
    setHours: { method: 'PUT', path: '/api/centers/{center}/instructors/{actorId}/hours', reply: 'data', input: 'body', repeat: 'header' },
  },
  logs: {
    get: { method: 'GET', path: '/.well-known/countersign-log.json', reply: 'bare', open: true },
  },
  memberPasskeys: {
    list: { method: 'GET', path: '/api/centers/{center}/members/{actorId}/passkeys', reply: 'data' },
    listUnconfirmed: { method: 'GET', path: '/api/centers/{center}/passkeys', reply: 'data' },
    challengeConfirmation: { method: 'POST', path: '/api/centers/{center}/members/{actorId}/passkeys/{id}/confirm/options', reply: 'data' },
    confirm: { method: 'POST', path: '/api/centers/{center}/members/{actorId}/passkeys/{id}/confirm', reply: 'data', input: 'body', repeat: 'header' },
  },
  members: {
    list: { method: 'GET', path: '/api/centers/{center}/members', reply: 'page', input: 'query' },
    exportCsv: { method: 'GET', path: '/api/centers/{center}/members.csv', reply: 'text', input: 'query' },
    invite: { method: 'POST', path: '/api/centers/{center}/members', reply: 'data', input: 'body', repeat: 'header' },
  },
  memberships: {
    update: { method: 'PATCH', path: '/api/memberships/{id}', reply: 'data', input: 'body', repeat: 'header' },
    accept: { method: 'POST', path: '/api/memberships/{id}/accept', reply: 'data', repeat: 'header' },
    approve: { method: 'POST', path: '/api/memberships/{id}/approve', reply: 'data', repeat: 'header' },
    suspend: { method: 'POST', path: '/api/memberships/{id}/suspend', reply: 'data', repeat: 'header' },
    reinstate: { method: 'POST', path: '/api/memberships/{id}/reinstate', reply: 'data', repeat: 'header' },
    end: { method: 'POST', path: '/api/memberships/{id}/end', reply: 'data', repeat: 'header' },
    reject: { method: 'POST', path: '/api/memberships/{id}/reject', reply: 'data', repeat: 'header' },
    reinvite: { method: 'POST', path: '/api/memberships/{id}/reinvite', reply: 'data', repeat: 'header' },
  },
  notificationChannels: {
    create: { method: 'POST', path: '/api/centers/{center}/notification-channels', reply: 'data', input: 'body', repeat: 'header' },
    list: { method: 'GET', path: '/api/centers/{center}/notification-channels', reply: 'data' },
    test: { method: 'POST', path: '/api/centers/{center}/notification-channels/{id}/test', reply: 'data', repeat: 'header' },
    remove: { method: 'DELETE', path: '/api/centers/{center}/notification-channels/{id}', reply: 'none', repeat: 'header' },
  },
  partner: {
    confirmPasskey: { method: 'POST', path: '/api/partner/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm', reply: 'data', repeat: 'header' },
    listCenters: { method: 'GET', path: '/api/partner/centers', reply: 'page', input: 'query' },
    createCenter: { method: 'POST', path: '/api/partner/centers', reply: 'data', input: 'body', repeat: 'header' },
    getCenter: { method: 'GET', path: '/api/partner/centers/{centerId}', reply: 'data' },
    updateCenter: { method: 'PATCH', path: '/api/partner/centers/{centerId}', reply: 'data', input: 'body', repeat: 'header' },
    nameCenterAdmin: { method: 'POST', path: '/api/partner/centers/{centerId}/admins', reply: 'data', input: 'body', repeat: 'header' },
    getDashboard: { method: 'GET', path: '/api/partner/stats/dashboard', reply: 'data' },
    listAuditEntries: { method: 'GET', path: '/api/partner/audit', reply: 'page', input: 'query' },
    listMembers: { method: 'GET', path: '/api/partner/members', reply: 'page', input: 'query' },
    getSettings: { method: 'GET', path: '/api/partner/settings', reply: 'data' },
    updateSettings: { method: 'PATCH', path: '/api/partner/settings', reply: 'data', input: 'body', repeat: 'header' },
  },
  passkeys: {
    list: { method: 'GET', path: '/api/auth/passkeys', reply: 'data' },
    startRegistration: { method: 'POST', path: '/api/auth/passkeys/register/options', reply: 'data' },
    attest: { method: 'POST', path: '/api/auth/passkeys/register/attestation', reply: 'data', input: 'body' },
    register: { method: 'POST', path: '/api/auth/passkeys/register', reply: 'data', input: 'body' },
    remove: { method: 'DELETE', path: '/api/auth/passkeys/{id}', reply: 'none' },
    startLogin: { method: 'POST', path: '/api/auth/passkeys/login/options', reply: 'data', open: true },
    login: { method: 'POST', path: '/api/auth/passkeys/login', reply: 'data', input: 'body', open: true, session: true },
  },
  policies: {
    list: { method: 'GET', path: '/api/policies', reply: 'data' },
    create: { method: 'POST', path: '/api/policies', reply: 'data', input: 'body', repeat: 'header' },
    update: { method: 'PATCH', path: '/api/policies/{id}', reply: 'data', input: 'body', repeat: 'header' },
    delete: { method: 'DELETE', path: '/api/policies/{id}', reply: 'none', repeat: 'header' },
    listVersions: { method: 'GET', path: '/api/policies/{id}/versions', reply: 'data' },
    check: { method: 'POST', path: '/api/policies/check', reply: 'data', input: 'body' },
  },
  provisioning: {
    createCenter: { method: 'POST', path: '/api/provisioning/center-tenant', reply: 'data', input: 'body', repeat: 'header' },
    checkSubdomain: { method: 'POST', path: '/api/provisioning/check-subdomain', reply: 'bare', input: 'body' },
    listCenterPlans: { method: 'GET', path: '/api/provisioning/center-plans', reply: 'data', open: true },
    listLmsPlans: { method: 'GET', path: '/api/provisioning/lms-plans', reply: 'data', open: true },
  },
  publicVerification: {
    verify: { method: 'GET', path: '/verify/{id}', reply: 'bare', open: true },
  },
  sandboxes: {
    create: { method: 'POST', path: '/api/centers/{center}/sandbox', reply: 'data', repeat: 'header' },
    reset: { method: 'POST', path: '/api/centers/{center}/sandbox/reset', reply: 'data', repeat: 'header' },
  },
  subscription: {
    get: { method: 'GET', path: '/api/center/subscription', reply: 'data' },
  },
  system: {
    getHome: { method: 'GET', path: '/', reply: 'bare', open: true },
    checkLive: { method: 'GET', path: '/health/live', reply: 'bare', open: true },
    checkReady: { method: 'GET', path: '/health/ready', reply: 'bare', open: true },
    getJwks: { method: 'GET', path: '/.well-known/jwks.json', reply: 'bare', open: true },
    getOpenApi: { method: 'GET', path: '/openapi.json', reply: 'bare', open: true },
  },
  whitelabel: {
    getConfig: { method: 'GET', path: '/api/whitelabel/{domain}/config', reply: 'data', open: true },
  },
  workflows: {
    list: { method: 'GET', path: '/api/workflows', reply: 'data' },
    putSettings: { method: 'PUT', path: '/api/workflows/{workflowId}/settings', reply: 'data', input: 'body', repeat: 'header' },
    execute: { method: 'POST', path: '/api/workflows/{workflowId}/execute', reply: 'data', input: 'body', repeat: 'header' },
  },
}
