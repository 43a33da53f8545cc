/** The groups of the API reference, in its order: what it is for, which credential it takes, and where to start. */
const session = 'Credential: an access token from `POST /api/auth/login`, or the session cookie.'
const key = (scopes: string) =>
  `Credential: an API key with ${scopes}; an ADMIN creates one with \`POST /api/api-keys\`.`

export const tags = {
  'Decision events': `Record decisions of people, agents and systems, list them, and approve or reject them. An approval or rejection seals the decision into the center's hash chain.\n\n${key('the scope `decide` for one agent, or `proof:write` (`proof:read` is enough for reading)')}\n\nStart with \`POST /api/v1/decision-events\`, then send the approval to \`POST /api/v1/decision-events/{id}/approvals\`.`,
  Agents: `Ask before an AI agent acts. The policies of the center decide: the action is refused, sealed at once, or held until a person approves it.\n\n${key('the scope `decide`, bound to the agent, or `proof:write`')}\n\nStart with \`POST /api/v1/agents/decide\`.`,
  Decisions: `Decisions as the people of a center read, discuss and decide them, signed in with their own account.\n\n${session} The role ADMIN or INSTRUCTOR is required.\n\nStart with \`GET /api/decisions?waiting=true\`.`,
  Evidence: `Read what was sealed, and export it as a file that anyone can verify offline.\n\n${key('the scope `proof:read`')}\n\nStart with \`GET /api/v1/evidence/{id}/export\`; the id is \`evidence.id\` of a decision event.`,
  Transparency: `Signed checkpoints and Merkle proofs of the hash chains. With two checkpoints an auditor can check that the later chain continues the earlier one.\n\n${key('the scope `proof:read`')} The log document is public.\n\nStart with \`GET /api/v1/chains/{domain}/checkpoint\`, and keep the answer.`,
  'Public verification': `Check a sealed record by its id, without an account. The reply holds facts about the hash and no content of the record.\n\nNo credential.\n\nStart with the \`verifyUrl\` of an exported proof.`,
  Webhooks: `Receive events such as \`dpu.sealed\` as signed HTTP requests: subscriptions, deliveries, retries and recovery. Companion applications publish their own events here too.\n\n${key('the scope `webhooks:write`, or `proof:write` to change subscriptions, `proof:read` to read them, or `events:write` to publish')} An ADMIN who is signed in manages them under \`/api/webhooks\`.\n\nStart with \`POST /api/v1/webhooks\`, then \`POST /api/v1/webhooks/{webhookId}/test\`.`,
  Policies: `Rules for decisions: which ones need a person, two approvers or a higher evidence level; and the action types of a center, with the words in which their decisions are shown.\n\n${session} The role ADMIN is required; an INSTRUCTOR reads action types.\n\nStart with \`POST /api/policies\`.`,
  'Decision proof units': `Decision proof units (DPUs) are the sealed records of a center. Read, verify and export them, raise their evidence level, or redact values.\n\n${session} The role ADMIN or INSTRUCTOR is required.\n\nStart with \`POST /api/dpu/demo\` to create one for a test.`,
  'API keys': `Keys with which programs call the Proof API under \`/api/v1\`.\n\n${session} The role ADMIN is required.\n\nStart with \`POST /api/api-keys\`.`,
  'Sign-in': `Sign in, keep a session, change the center, recover an account, and sign in to companion applications.\n\nCredential: none for signing in; afterwards the access token or the session cookie.\n\nStart with \`POST /api/auth/login\`.`,
  Passkeys: `Register passkeys, sign in with them, and confirm those of the members of a center. A passkey signs approvals.\n\n${session} Signing in needs none; confirming requires the role ADMIN.\n\nStart with \`POST /api/auth/passkeys/register/options\`.`,
  Centers: `A center is a tenant: its settings, its instructors, their appointments and the attendance, and the public search for centers.\n\n${session} The search and the public profile need none.\n\nStart with \`GET /api/centers\`.`,
  Members: `People in a center: invite them and change the state of their membership.\n\n${session} Most operations require the role ADMIN.\n\nStart with \`POST /api/centers/{center}/members\`.`,
  Families: `Children without a mailbox, their guardians, and the appointments and attendance that a guardian sees over all centers.\n\n${session} Managing children and guardians requires the role ADMIN; a PARENT adds children of their own.\n\nStart with \`POST /api/centers/{center}/children\`, or as a guardian with \`GET /api/family\`.`,
  Audit: `What was changed in a center, by whom and when.\n\n${session} The role ADMIN or INSTRUCTOR is required.\n\nStart with \`GET /api/audit\`.`,
  Provisioning: `Create a center with its administrator, subscription and settings, and read the available plans.\n\n${session} The lists of plans are public.\n\nStart with \`POST /api/provisioning/check-subdomain\`, then \`POST /api/provisioning/center-tenant\`.`,
  Subscription: `The plan of the current center, its seats, and what the subscription allows at present.\n\n${session} The role ADMIN is required.\n\nStart with \`GET /api/center/subscription\`.`,
  Partners: `A partner manages many centers: list, create and suspend them, and read their members, figures and audit entries.\n\n${session} A partner role is required.\n\nStart with \`GET /api/partner/centers\`.`,
  'Platform operators': `Operations of the people who run the platform.\n\n${session} The account of a platform operator is required.\n\nStart with \`POST /api/admin/partners/onboard\`.`,
  Workflows: `Automations of a center: list them, run them, and follow their executions. A completed execution leaves a decision proof unit.\n\n${session} The role ADMIN or INSTRUCTOR is required.\n\nStart with \`GET /api/workflows\`.`,
  Console: `Pages of the console in one call each: the inbox, the way of a decision, the chains. These operations belong to the console of this repository and change with it; programs use the Proof API.\n\n${session} The role ADMIN is required, or INSTRUCTOR where the page is for both.\n\nStart with \`GET /api/console/inbox\`.`,
  System: `Health checks for load balancers, the public keys of access tokens, and this description.\n\nNo credential.\n\nStart with \`GET /health/ready\`.`,
} as const

export type Tag = keyof typeof tags
