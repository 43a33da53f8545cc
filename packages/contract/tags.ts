/** The groups of the API reference, in its order: what each is for, which credential it accepts, and where to start. */
const session = 'Credential: an access token from `POST /api/auth/login`, or the session cookie.'
const key = (scopes: string) =>
  `Credential: an API key with ${scopes}; an ADMIN creates one with \`POST /api/api-keys\`.`

export const tags = {
  'Decision events': `Record decisions by people, agents and systems, list them, and approve or refuse them. Approving and refusing both seal the decision into the center's chain.\n\n${key('the `decide` scope for one agent, or `proof:write` (`proof:read` is enough to read)')}\n\nStart with \`POST /api/v1/decision-events\`, then send the approval to \`POST /api/v1/decision-events/{id}/approvals\`.`,
  Agents: `Ask for a decision before an AI agent acts. The center's policies determine whether the action is refused, sealed at once, or held until a person approves it.\n\n${key('the `decide` scope, bound to the agent, or with the `proof:write` scope')}\n\nStart with \`POST /api/v1/agents/decide\`.`,
  Decisions: `Review, discuss and approve decisions as a member of a center, signed in with your own account.\n\n${session} Requires the ADMIN or INSTRUCTOR role.\n\nStart with \`GET /api/decisions?waiting=true\`.`,
  Evidence: `Read what was sealed, and export it as a file that anyone can verify offline.\n\n${key('the `proof:read` scope')}\n\nStart with \`GET /api/v1/evidence/{id}/export\`; the ID is \`evidence.id\` of a decision event.`,
  Transparency: `Signed checkpoints and Merkle proofs for the chains. With two checkpoints, an auditor can check that the later chain continues the earlier one.\n\n${key('the `proof:read` scope')} The log document is public.\n\nStart with \`GET /api/v1/chains/{domain}/checkpoint\`, and keep the response.`,
  'Public verification': `Verify a sealed record by its ID, without an account. The response has facts about the hash, but none of the record's content.\n\nNo credential required.\n\nStart with the \`verifyUrl\` of an exported proof.`,
  Webhooks: `Receive events such as \`dpu.sealed\` as signed HTTP requests, see their deliveries, and retry or recover the ones that failed. Companion applications publish their own events here too.\n\n${key('the `webhooks:write` scope (or `proof:write` to change webhooks, `proof:read` to read them, `events:write` to publish events)')} A signed-in ADMIN manages webhooks under \`/api/webhooks\`.\n\nStart with \`POST /api/v1/webhooks\`, then \`POST /api/v1/webhooks/{webhookId}/test\`.`,
  Policies: `Define which decisions need a person, two approvers or a higher evidence level, and how a center's action types are shown to approvers.\n\n${session} Requires the ADMIN role; an INSTRUCTOR can read action types.\n\nStart with \`POST /api/policies\`.`,
  'Decision proof units': `Decision proof units (DPUs) are a center's sealed records. Read, verify and export them, raise their evidence level, or redact values.\n\n${session} Requires the ADMIN or INSTRUCTOR role.\n\nStart with \`POST /api/dpu/demo\` to create one as a test.`,
  'API keys': `Create and revoke the keys that programs use to call the Proof API under \`/api/v1\`.\n\n${session} Requires the ADMIN role.\n\nStart with \`POST /api/api-keys\`.`,
  'Sign-in': `Sign in, keep a session, switch centers, recover an account, and sign in to companion applications.\n\nCredential: none to sign in; afterwards, the access token or the session cookie.\n\nStart with \`POST /api/auth/login\`.`,
  Passkeys: `Register passkeys, sign in with them, and confirm the passkeys of a center's members. Passkeys also sign approvals.\n\n${session} Signing in needs no credential; confirming a member's passkey requires the ADMIN role.\n\nStart with \`POST /api/auth/passkeys/register/options\`.`,
  Centers: `A center is a tenant. Manage its settings, instructors, appointments and attendance, and search for centers.\n\n${session} Search and public profiles need no credential.\n\nStart with \`GET /api/centers\`.`,
  Members: `Invite people to a center, and approve, suspend or end their memberships.\n\n${session} Most operations require the ADMIN role.\n\nStart with \`POST /api/centers/{center}/members\`.`,
  Families: `Manage children who have no email address, and their guardians. A guardian sees appointments and attendance in all centers.\n\n${session} Managing children and guardians requires the ADMIN role; a PARENT can add their own children.\n\nStart with \`POST /api/centers/{center}/children\` or, as a guardian, with \`GET /api/family\`.`,
  Audit: `See what was changed in a center, by whom and when.\n\n${session} Requires the ADMIN or INSTRUCTOR role.\n\nStart with \`GET /api/audit\`.`,
  Provisioning: `Create a center with its administrator, subscription and settings, and see the available plans.\n\n${session} The lists of plans are public.\n\nStart with \`POST /api/provisioning/check-subdomain\`, then \`POST /api/provisioning/center-tenant\`.`,
  Subscription: `See the current center's plan, its seats, and what the subscription allows now.\n\n${session} Requires the ADMIN role.\n\nStart with \`GET /api/center/subscription\`.`,
  Partners: `A partner manages many centers: list, create and suspend them, and see their members, figures and audit entries.\n\n${session} Requires a partner role.\n\nStart with \`GET /api/partner/centers\`.`,
  'Platform operators': `For the people who run the platform: onboard partners, and see every center, cell and alarm.\n\n${session} Requires a platform operator's account.\n\nStart with \`POST /api/admin/partners/onboard\`.`,
  Workflows: `List a center's workflows, run them, and follow their executions. A completed execution leaves a DPU.\n\n${session} Requires the ADMIN or INSTRUCTOR role.\n\nStart with \`GET /api/workflows\`.`,
  Console: `The console's pages, one call each: the inbox, the trace of a decision, the chains. These operations belong to the console in this repository and change with it; programs should use the Proof API.\n\n${session} Requires the ADMIN role, or the INSTRUCTOR role for pages that both can see.\n\nStart with \`GET /api/console/inbox\`.`,
  System: `Health checks for load balancers, the public keys that verify access tokens, and this description of the API.\n\nNo credential required.\n\nStart with \`GET /health/ready\`.`,
} as const

export type Tag = keyof typeof tags
