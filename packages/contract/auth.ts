/** Sign-in and sessions: part 4.1 of the specification, and signing out. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, DateTime, described, Email, named, nullable, Phone } from './common.ts'
import { ActorRoleSchema, Destination, environments, MembershipStatusSchema, oneOf, TargetApp } from './enums.ts'
import { TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'

export const Membership = named(
  'Membership',
  {
    id: TypedId('membership', "The membership's ID."),
    centerId: described(CenterId, 'The center that the membership is in.'),
    centerName: Type.String({ description: "The center's name, as people see it." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    role: ActorRoleSchema,
    status: MembershipStatusSchema,
    invitedAt: described(DateTime, 'When the person was invited or added.'),
    endedAt: nullable(described(DateTime, "When the membership ended. Null while it hasn't.")),
  },
  { description: "A person's membership in a center." },
)

export const AuthSession = named(
  'AuthSession',
  {
    accessToken: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer`.' }),
    refreshToken: Type.String({ description: 'An opaque token for the next access token. Each use replaces it.' }),
    expiresIn: Type.Integer({ description: 'How long the access token is valid, in seconds.', examples: [900] }),
    actor: named(
      'SessionActor',
      {
        id: described(ActorId, "The person's actor ID."),
        email: Type.String({ description: "The person's email address. Empty if they have none." }),
        name: Type.String({ description: "The person's name." }),
        role: ActorRoleSchema,
      },
      { description: 'The person who signed in.' },
    ),
    center: nullable(
      named(
        'SessionCenter',
        {
          id: described(CenterId, "The center's ID."),
          name: Type.String({ description: "The center's name." }),
          domain: described(CenterDomain, "The center's subdomain."),
        },
        { description: "The center that the session is in. Null if it isn't in one." },
      ),
    ),
    destination: Destination,
  },
  { description: 'A session with its tokens.' },
)

const { refreshToken: _, ...sessionFields } = AuthSession.properties

const BrowserSession = named(
  'BrowserSession',
  {
    ...sessionFields,
    operator: Type.Boolean({
      description: 'Whether the person is a platform operator and can call operator operations.',
    }),
    environment: oneOf('EnvironmentName', environments, 'What the operator calls this installation.'),
  },
  {
    description:
      'A session for a browser. The refresh token is in the cookie `refresh_token`, in production `__Host-refresh_token`, which no script can read.',
  },
)

export const Password = Type.String({
  minLength: 1,
  maxLength: 1024,
  examples: ['correct horse battery staple'],
  description: "The account's password.",
})
/** Why the requested center, or the one entered before, cannot be entered. */
export const standingErrors = ['NO_MEMBERSHIP', 'MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_ENDED', 'CENTER_SUSPENDED'] as const
/** As long as a body may be, so that a token of any length gets 401 and no validation error reveals what tokens look like. */
export const OpaqueToken = Type.String({
  minLength: 1,
  maxLength: 1_048_576,
  description: 'The token, exactly as you received it.',
  examples: ['csr_3vB1xQ'],
})
const signIn = { tag: 'Sign-in', store: 'identity' } as const
const shared = { ...signIn, surface: 'platform' } as const
const anyone = { kind: 'public' } as const
/** Browsers call these at a different path, and their scripts never see the refresh token. */
const inBrowser = { byCookie: true, replies: { 200: BrowserSession } } as const

export const Credentials = named(
  'Credentials',
  {
    email: Type.Optional(described(Email, "The account's email address. Send this or `phone`.")),
    phone: Type.Optional(described(Phone, "The account's phone number. Send this or `email`.")),
    password: Password,
    centerDomain: Type.Optional(
      described(CenterDomain, 'The subdomain of the center to enter. Leave out to choose later.'),
    ),
  },
  {
    description: 'What a person signs in with.',
    examples: [{ email: 'admin@haneul.example', password: 'correct horse battery staple', centerDomain: 'haneul' }],
  },
)

const NewBrowserSession = named(
  'NewBrowserSession',
  {
    email: Type.Optional(described(Email, "The account's email address. Send this or `phone`.")),
    phone: Type.Optional(described(Phone, "The account's phone number. Send this or `email`.")),
    password: Type.Optional(described(Password, "The account's password.")),
    centerDomain: Type.Optional(
      described(CenterDomain, 'The subdomain of the center to enter. Leave out to choose later.'),
    ),
    refreshToken: Type.Optional(
      described(OpaqueToken, 'The refresh token of another sign-in, instead of credentials.', 'csr_3vB1xQ'),
    ),
  },
  {
    description: 'What a browser session starts with.',
    examples: [{ email: 'admin@haneul.example', password: 'correct horse battery staple' }],
  },
)

export const login = definition({
  ...signIn,
  mounts: [
    { access: anyone, body: Credentials },
    {
      ...inBrowser,
      id: 'auth.startSession',
      access: anyone,
      path: '/auth/session',
      summary: 'Start a browser session',
      description:
        'Signs in and keeps the refresh token in a cookie. Send credentials as to `POST /api/auth/login`, or the `refreshToken` of any other sign-in: that token is used up, and its successor is in the cookie. `auth_token` is set too. The rate limit is that of `POST /api/auth/login`.',
      body: NewBrowserSession,
      errors: [
        'INVALID_EMAIL',
        'INVALID_CREDENTIALS',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'CENTER_NOT_FOUND',
        ...standingErrors,
      ],
    },
  ],
  id: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  rate: 'login',
  summary: 'Sign in',
  description:
    'Signs in with `email` or `phone`, not both. With `centerDomain` the session enters that center; without it, `destination` says which page to show next. The reply also sets the session cookie `auth_token`. Each account and IP address gets five attempts in 15 minutes; a successful sign-in resets the count.',
  replies: { 200: AuthSession },
  errors: ['INVALID_EMAIL', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'CENTER_NOT_FOUND', ...standingErrors],
})

const CurrentActor = named(
  'CurrentActor',
  {
    actorId: described(ActorId, "The person's actor ID."),
    email: Type.String({ description: "The person's email address. Empty if they have none." }),
    name: Type.String({ description: "The person's name." }),
    role: ActorRoleSchema,
    centerId: nullable(described(CenterId, "The center that the session is in. Null if it isn't in one.")),
    centerDomain: nullable(described(CenterDomain, "The subdomain of that center. Null if the session isn't in one.")),
    authorizedDomains: Type.Array(CenterDomain, {
      description: 'The subdomains of the centers that the person may enter.',
    }),
    memberships: Type.Array(Membership, { description: "The person's memberships, in every state." }),
  },
  { description: 'The person who is signed in.' },
)

export const me = operation({
  ...shared,
  id: 'auth.getMe',
  method: 'GET',
  path: '/auth/me',
  access: { kind: 'actor', center: 'if-entered', confined: true },
  summary: 'Retrieve the signed-in person',
  description:
    "Returns who you are, the center you're in, and the centers you may enter. To enter another one, call `POST /api/auth/switch-center`.",
  replies: { 200: CurrentActor },
})

const person = { kind: 'actor', center: 'optional', confined: true } as const

export const switchCenter = definition({
  ...signIn,
  mounts: [
    { access: person },
    {
      ...inBrowser,
      id: 'auth.switchSession',
      access: person,
      path: '/auth/session/center',
      summary: 'Switch centers in a browser',
      description:
        'Works like `POST /api/auth/switch-center` and keeps the refresh token in the cookie. You need an ACTIVE membership in the center.',
    },
  ],
  id: 'auth.switchCenter',
  method: 'POST',
  path: '/auth/switch-center',
  summary: 'Switch centers',
  description:
    "Starts a new session in another center where you're an ACTIVE member, and ends the current one; use the new tokens from then on. A session that began with OpenID Connect can enter only its provider's centers; any other gets `FORBIDDEN`.",
  body: named(
    'CenterSwitch',
    { centerId: described(CenterId, 'The center to enter.') },
    { description: 'The center to enter.', examples: [{ centerId: 1 }] },
  ),
  replies: { 200: AuthSession },
  errors: ['FORBIDDEN', ...standingErrors],
})

export const refreshToken = definition({
  ...signIn,
  mounts: [
    {
      access: anyone,
      body: named(
        'RefreshRequest',
        { refreshToken: described(OpaqueToken, 'The refresh token from the last sign-in or refresh.', 'csr_3vB1xQ') },
        { description: 'The token to exchange.', examples: [{ refreshToken: 'csr_3vB1…' }] },
      ),
    },
    {
      ...inBrowser,
      id: 'auth.refreshSession',
      access: anyone,
      path: '/auth/session/refresh',
      summary: 'Refresh a browser session',
      description:
        "Exchanges the refresh token in the cookie for new tokens. The request must come from this server's origin. Two tabs that refresh within 10 seconds get the same successor.",
      errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
    },
  ],
  id: 'auth.refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  rate: 'token',
  summary: 'Refresh the tokens',
  description:
    'Exchanges a refresh token for new tokens. Each use replaces the refresh token. Two uses within 10 seconds get the same successor; using a replaced token later ends the whole session.',
  replies: { 200: AuthSession },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const createSsoToken = operation({
  ...shared,
  id: 'auth.createSsoToken',
  method: 'POST',
  path: '/auth/sso/token',
  access: { kind: 'actor', center: 'required' },
  summary: 'Create an SSO token',
  description:
    'Creates a single-use token that signs you in to a companion application. It is valid for 60 seconds; the application redeems it with `POST /api/auth/sso/verify`.',
  body: named(
    'NewSsoToken',
    { targetApp: TargetApp },
    { description: 'The application to sign in to.', examples: [{ targetApp: 'lms' }] },
  ),
  replies: {
    200: named(
      'SsoToken',
      {
        token: Type.String({ description: 'The token to hand to the application.' }),
        expiresAt: described(DateTime, 'When the token expires.'),
      },
      { description: 'A single-use token for a companion application.' },
    ),
  },
})

const SsoIdentity = named(
  'SsoIdentity',
  {
    actorId: described(ActorId, "The person's actor ID."),
    email: Type.String({ description: "The person's email address. Empty if they have none." }),
    name: Type.String({ description: "The person's name." }),
    role: ActorRoleSchema,
    centerId: described(CenterId, 'The center that the person is in.'),
    centerDomain: described(CenterDomain, 'The subdomain of that center.'),
    targetApp: TargetApp,
    memberships: Type.Array(Membership, { description: "The person's memberships." }),
  },
  { description: 'Who the token belongs to.' },
)

export const verifySsoToken = operation({
  ...shared,
  id: 'auth.verifySsoToken',
  method: 'POST',
  path: '/auth/sso/verify',
  access: { kind: 'public' },
  rate: 'token',
  summary: 'Redeem an SSO token',
  description:
    "Returns who the token belongs to. The token is the credential: it works once, within 60 seconds. A request with a `targetApp` other than the token's is refused and doesn't use the token up.",
  body: named(
    'SsoVerification',
    {
      token: described(OpaqueToken, 'The token that the person brought.', 'cst_9kQ2xZ'),
      targetApp: Type.Optional(
        described(TargetApp, 'The application that redeems the token. If you send it, it must match.'),
      ),
    },
    { description: 'The token to redeem.', examples: [{ token: 'cst_9kQ2…', targetApp: 'lms' }] },
  ),
  replies: { 200: SsoIdentity },
  errors: ['UNAUTHORIZED', ...standingErrors],
})

export const logout = operation({
  ...shared,
  id: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  access: { kind: 'actor', center: 'optional', confined: true },
  summary: 'Sign out',
  description: 'Ends this session, its refresh token and its cookie.',
  replies: { 204: null },
})
