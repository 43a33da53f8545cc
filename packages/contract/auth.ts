/** Sign-in and sessions: part 4.1 of the specification, and signing out. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, DateTime, described, Email, named, nullable, Phone } from './common.ts'
import {
  ActorRoleSchema,
  ActorRoles,
  Destination,
  environments,
  LanguageSchema,
  MembershipStatusSchema,
  oneOf,
  PartnerRoleSchema,
  TargetAppSchema,
} from './enums.ts'
import { TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'

export const Membership = named(
  'Membership',
  {
    id: TypedId('membership', "The membership's ID."),
    centerId: described(CenterId, 'The center that the membership is in.'),
    centerName: Type.String({ description: "The center's display name." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    role: described(ActorRoleSchema, 'The highest of `roles`, in the order ADMIN, INSTRUCTOR, PARENT, CHILD.'),
    roles: ActorRoles,
    status: MembershipStatusSchema,
    invitedAt: described(DateTime, 'When the person was invited or added.'),
    endedAt: nullable(described(DateTime, "When the membership ended. Null if it hasn't ended.")),
  },
  { description: "A person's membership in a center." },
)

export const AuthSession = named(
  'AuthSession',
  {
    accessToken: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer`.' }),
    refreshToken: Type.String({
      description: 'An opaque token that you exchange for new tokens. Each use replaces it.',
    }),
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
        { description: "The center that the session is in. Null if the session isn't in a center." },
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
      description: 'Whether the person is a platform operator, who can call the operations for platform operators.',
    }),
    environment: oneOf('EnvironmentName', environments, 'The name of this environment, as configured by the operator.'),
  },
  {
    description:
      "A session for a browser. The refresh token is in the `refresh_token` cookie (`__Host-refresh_token` in production), which scripts can't read.",
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
      described(CenterDomain, 'The subdomain of the center to sign in to. Omit this to choose a center later.'),
    ),
  },
  {
    description: 'The credentials that a person signs in with.',
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
      described(CenterDomain, 'The subdomain of the center to sign in to. Omit this to choose a center later.'),
    ),
    refreshToken: Type.Optional(
      described(
        OpaqueToken,
        'The refresh token from another sign-in, which you can send instead of credentials.',
        'csr_3vB1xQ',
      ),
    ),
  },
  {
    description: 'The credentials or refresh token to start a browser session with.',
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
        'Signs you in and stores the refresh token in a cookie. Send the same credentials as to `POST /api/auth/login`, or the `refreshToken` from any other sign-in; that token is used up, and the cookie holds its replacement. The response also sets the session cookie, `auth_token`. The rate limit is the same as for `POST /api/auth/login`.',
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
    'Signs you in with `email` or `phone`, but not both. With `centerDomain`, the session enters that center; without it, `destination` says which page to show next. The response also sets the session cookie, `auth_token`. You get five attempts in 15 minutes for each account from the same IP address; a successful sign-in resets the count.',
  replies: { 200: AuthSession },
  errors: ['INVALID_EMAIL', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'CENTER_NOT_FOUND', ...standingErrors],
})

export const CurrentActor = named(
  'CurrentActor',
  {
    actorId: described(ActorId, "The person's actor ID."),
    email: Type.String({ description: "The person's email address. Empty if they have none." }),
    phone: nullable(described(Phone, "The person's phone number. Null if they have none.")),
    name: Type.String({ description: "The person's name, as the center that the session is in knows it." }),
    language: nullable(
      described(LanguageSchema, 'The language that we write to the person in. Null if they chose none.'),
    ),
    role: ActorRoleSchema,
    centerId: nullable(
      described(CenterId, "The center that the session is in. Null if the session isn't in a center."),
    ),
    centerDomain: nullable(
      described(
        CenterDomain,
        "The subdomain of the center that the session is in. Null if the session isn't in a center.",
      ),
    ),
    authorizedDomains: Type.Array(CenterDomain, {
      description: 'The subdomains of the centers that the person may enter.',
    }),
    memberships: Type.Array(Membership, { description: "All of the person's memberships, whatever their status." }),
    confined: Type.Boolean({
      description:
        "Whether the session is limited to the centers of a sign-in provider or of a custom domain. If so, it can't change the account.",
    }),
    partnerRole: nullable(
      described(
        PartnerRoleSchema,
        "The person's role at the partner they act for. Null if they act for none, or if the session is `confined`.",
      ),
    ),
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
    "Returns who you are, the center you're in, and the centers you may enter. To enter another center, call `POST /api/auth/switch-center`.",
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
        'Works like `POST /api/auth/switch-center`, but keeps the refresh token in the cookie. You need an ACTIVE membership in the center.',
    },
  ],
  id: 'auth.switchCenter',
  method: 'POST',
  path: '/auth/switch-center',
  summary: 'Switch centers',
  description:
    "Starts a new session in another center where you're an ACTIVE member, and ends the current session; use the new tokens from then on. A session that began with OpenID Connect can enter only its provider's centers; for any other center, the response is 403 `FORBIDDEN`.",
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
        "Exchanges the refresh token in the cookie for new tokens. The request must come from this server's origin. If two tabs refresh within 10 seconds of each other, both get the same new refresh token.",
      errors: ['UNAUTHORIZED', 'FORBIDDEN', ...standingErrors],
    },
  ],
  id: 'auth.refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  rate: 'token',
  summary: 'Refresh the tokens',
  description:
    'Exchanges a refresh token for new tokens. Each use replaces the refresh token. If you use the same token twice within 10 seconds, you get the same new refresh token both times; using a replaced token later ends the whole session.',
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
    { targetApp: TargetAppSchema },
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
    centerId: described(CenterId, 'The center that the person has entered.'),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    targetApp: TargetAppSchema,
    memberships: Type.Array(Membership, { description: "The person's memberships." }),
  },
  { description: 'The person that the token belongs to.' },
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
    "Returns the person that the token belongs to. The token is the credential: it works once, within 60 seconds. If you send a `targetApp` that doesn't match the token's, the request is refused and the token isn't used up.",
  body: named(
    'SsoVerification',
    {
      token: described(OpaqueToken, 'The token from `POST /api/auth/sso/token`.', 'cst_9kQ2xZ'),
      targetApp: Type.Optional(
        described(
          TargetAppSchema,
          'The application that redeems the token. If you send this, it must be the application that the token was created for.',
        ),
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
  description: 'Ends the current session, so that its tokens and cookies stop working.',
  replies: { 204: null },
})
