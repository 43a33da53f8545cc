/** A person's passkeys: registering, signing in, removing. These operations aren't in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { ActorId, CenterDomain, DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

/** Base64url without padding, as a browser sends it. */
const Base64url = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    description,
    examples: ['b7qkS5gI7I6x-hCSzn4h3Q'],
  })

const Credential = named(
  'PasskeyCredential',
  {
    id: Type.String({ description: 'The credential ID, in base64url.' }),
    type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
    transports: Type.Optional(
      Type.Array(Type.String(), { description: 'How the authenticator can be reached, such as `internal` or `usb`.' }),
    ),
  },
  { description: 'A passkey that the browser can choose from.' },
)

export const CreationOptions = named(
  'PasskeyCreationOptions',
  {
    challenge: Type.String({ description: 'The random value to sign, in base64url.' }),
    rp: named(
      'PasskeyRp',
      {
        id: Type.String({ description: 'The host that the passkey belongs to.' }),
        name: Type.String({ description: "The site's name." }),
      },
      { description: 'The site that the passkey is for.' },
    ),
    user: named(
      'PasskeyUser',
      {
        id: Type.String({ description: 'An opaque ID for the person, in base64url.' }),
        name: Type.String({ description: "The person's email address or name, as the browser shows it." }),
        displayName: Type.String({ description: "The person's name." }),
      },
      { description: 'The person that the passkey is for.' },
    ),
    pubKeyCredParams: Type.Array(
      named(
        'PasskeyParameters',
        {
          type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
          alg: Type.Integer({ description: 'A COSE algorithm number, such as -7 for ES256.' }),
        },
        { description: 'A signature algorithm.' },
      ),
      { description: 'The signature algorithms that are accepted, best first.' },
    ),
    timeout: Type.Integer({ description: 'How long the browser may wait for the person, in milliseconds.' }),
    excludeCredentials: Type.Array(Credential, {
      description: "Your existing passkeys, which can't be registered again.",
    }),
    authenticatorSelection: named(
      'PasskeySelection',
      {
        residentKey: Type.Literal('required', { description: 'The passkey must be discoverable.' }),
        requireResidentKey: Type.Literal(true, {
          description: 'The requirement that the passkey is discoverable, for older browsers.',
        }),
        userVerification: Type.Literal('required', { description: 'The authenticator must verify the person.' }),
      },
      { description: 'What the authenticator must support.' },
    ),
    attestation: Type.Literal('none', { description: 'No attestation is requested.' }),
  },
  {
    description:
      '`PublicKeyCredentialCreationOptionsJSON`. Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON`.',
  },
)

export const RequestOptions = named(
  'PasskeyRequestOptions',
  {
    challenge: Type.String({
      description:
        "The value to sign, in base64url. If there's a statement, this is the SHA-256 of the statement's canonical form.",
    }),
    rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
    timeout: Type.Integer({ description: 'How long the browser may wait for the person, in milliseconds.' }),
    userVerification: Type.Literal('required', { description: 'The authenticator must verify the person.' }),
    allowCredentials: Type.Array(Credential, {
      description: "The passkeys that can be used. If the list is empty, any of this host's passkeys can be used.",
    }),
  },
  {
    description:
      '`PublicKeyCredentialRequestOptionsJSON`. Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON`.',
  },
)

export const Assertion = named(
  'PasskeyAssertion',
  {
    id: Base64url(1400, 'The credential ID, in base64url.'),
    authenticatorData: Base64url(5500, "The credential's `response.authenticatorData`, unchanged."),
    clientDataJSON: Base64url(5500, "The credential's `response.clientDataJSON`, unchanged."),
    signature: Base64url(1400, "The credential's `response.signature`, unchanged."),
    userHandle: Type.Optional(
      nullable(Base64url(100, "The credential's `response.userHandle`, unchanged. Null if it has none.")),
    ),
  },
  { description: "The passkey's response: what `navigator.credentials.get` returned." },
)

const Attestation = named(
  'PasskeyAttestation',
  {
    id: Base64url(1400, 'The credential ID, in base64url.'),
    clientDataJSON: Base64url(5500, "The credential's `response.clientDataJSON`, unchanged."),
    attestationObject: Base64url(11_000, "The credential's `response.attestationObject`, unchanged."),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 32 }), {
        maxItems: 8,
        description: 'How the authenticator can be reached, as the browser reports it.',
        examples: [['internal']],
      }),
    ),
  },
  { description: 'The new passkey: what `navigator.credentials.create` returned.' },
)

/** From a software authenticator at `https://countersign.example`. */
const attestationExample = {
  id: 'b7qkS5gI7I6x-hCSzn4h3Q',
  clientDataJSON:
    'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiZ1d5eHJOcGZ2VzVRUDFXZ1pYUmhtQnpCOEVIeXExNW1FLXRDdXlOdWdDZyIsIm9yaWdpbiI6Imh0dHBzOi8vY291bnRlcnNpZ24uZXhhbXBsZSIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
  attestationObject:
    'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUoIjK1jFlm31kuwdBhp6k3lr9H9egHJ6HmyWsRpiwmSlFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEG-6pEuYCOyOsfoQks5-Id2lAQIDJiABIVggC0wRI_GvM5cJAAv1fYKxjfmWJ2KCCQL8u8T0qcWzD48iWCB_tMX78ivyat_oAEILx8GCO7gJeeuUStJG9gTFaUGpcg',
  transports: ['internal'],
}
const assertionExample = {
  id: 'b7qkS5gI7I6x-hCSzn4h3Q',
  authenticatorData: 'oIjK1jFlm31kuwdBhp6k3lr9H9egHJ6HmyWsRpiwmSkFAAAAAA',
  clientDataJSON:
    'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiam1iU0FYalpCTWdXcWV1dzlIajJMeU03cFViMGhjYUoxX0VwcERrVkl4cyIsIm9yaWdpbiI6Imh0dHBzOi8vY291bnRlcnNpZ24uZXhhbXBsZSIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
  signature: 'MEQCIEu5jn1QQGSuYe0mfe8Tdz8OSLmlWv_tjpOORLu37-gJAiBrWEhjEFd6D0npCO3eS9R0SHnqHYRw6Fd3umXGH1E6tQ',
}

const stated = {
  rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
  nonce: Type.String({ description: 'A random value that makes the statement unique.' }),
  issuedAt: described(DateTime, 'When the server issued the statement.'),
}
const thumbprint = Type.String({ description: "The public key's thumbprint (RFC 7638)." })

const RegisterStatement = named(
  'PasskeyStatement',
  {
    type: Type.Literal('countersign-passkey-v1', { description: 'The format of the statement.' }),
    actorId: described(ActorId, 'The person who registers the passkey.'),
    thumbprint,
    ...stated,
  },
  { description: 'The statement that registers a passkey.' },
)

export const ConfirmStatement = named(
  'PasskeyConfirmStatement',
  {
    type: Type.Literal('countersign-passkey-confirm-v1', { description: 'The format of the statement.' }),
    log: Type.String({ description: "The name of the center's `history` log." }),
    actorId: described(ActorId, 'The member whose passkey is confirmed.'),
    thumbprint,
    confirmerId: described(ActorId, 'The administrator who confirms the passkey.'),
    ...stated,
  },
  { description: "The statement that confirms another member's passkey." },
)

const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A name to tell your passkeys apart.',
  examples: ['Phone'],
})

const Passkey = named(
  'Passkey',
  {
    id: TypedId('passkey', "The passkey's ID."),
    name: nullable(described(PasskeyName, 'The name you gave the passkey. Null if it has none.')),
    thumbprint,
    confirmation: oneOf(
      'PasskeyRegistered',
      ['mail', 'passkey'],
      'How the passkey was confirmed when it was registered.',
    ),
    aaguid: Type.String({
      description: 'The AAGUID, which identifies the authenticator model, as the authenticator reports it.',
    }),
    backupEligible: Type.Boolean({ description: 'Whether the passkey can be synced to several devices.' }),
    createdAt: described(DateTime, 'When the passkey was registered.'),
    lastUsedAt: nullable(described(DateTime, 'When the passkey was last used. Null if it has never been used.')),
  },
  { description: 'One of your passkeys.' },
)

const shared = { surface: 'platform', tag: 'Passkeys', store: 'identity' } as const
const anyone = { kind: 'actor', center: 'optional' } as const

export const listPasskeys = operation({
  ...shared,
  id: 'passkeys.list',
  method: 'GET',
  path: '/auth/passkeys',
  access: anyone,
  summary: 'List your passkeys',
  description: 'Returns your passkeys, oldest first.',
  replies: { 200: Type.Array(Passkey) },
})

export const startRegistration = operation({
  ...shared,
  id: 'passkeys.startRegistration',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/auth/passkeys/register/options',
  access: anyone,
  summary: 'Start registering a passkey',
  description:
    "Returns the options for `navigator.credentials.create`. You must have signed in within the last five minutes; a refresh doesn't count as signing in. The challenge can be used once, within five minutes. Next, call `POST /api/auth/passkeys/register/attestation`.",
  replies: {
    200: named(
      'PasskeyRegistration',
      {
        publicKey: CreationOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'The options for creating a passkey.' },
    ),
  },
  errors: ['FORBIDDEN', 'CONFLICT'],
})

export const attestPasskey = operation({
  ...shared,
  id: 'passkeys.attest',
  method: 'POST',
  path: '/auth/passkeys/register/attestation',
  access: anyone,
  summary: 'Submit a new passkey',
  description:
    "Submits the new passkey and returns the statement that the passkey has to sign, because creating a passkey doesn't prove that anyone holds its key. Use `confirmWith` to have one of your older passkeys sign the same statement; it's null if you have none. Next, call `POST /api/auth/passkeys/register`.",
  body: named(
    'NewPasskeyAttestation',
    { attestation: Attestation },
    { description: 'The passkey that the browser created.', examples: [{ attestation: attestationExample }] },
  ),
  replies: {
    200: named(
      'PasskeyAttested',
      {
        statement: described(RegisterStatement, 'The statement that the passkey signs.'),
        publicKey: RequestOptions,
        confirmWith: nullable(
          described(
            RequestOptions,
            'Options for one of your older passkeys, which can confirm the new one. Null if you have none.',
          ),
        ),
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'What the new passkey must sign next.' },
    ),
  },
  errors: ['CONFLICT'],
})

export const registerPasskey = operation({
  ...shared,
  id: 'passkeys.register',
  method: 'POST',
  path: '/auth/passkeys/register',
  access: anyone,
  summary: 'Register a passkey',
  description:
    "Registers the passkey with its signature over the statement. Every center where you're an ACTIVE member seals the passkey in its log within seconds. For approvals that need a passkey, the new one counts once an ADMIN of the center has confirmed it, or at once if `confirmation` comes from an older passkey that counts there. You're notified by email.",
  body: named(
    'NewPasskey',
    {
      assertion: described(Assertion, "The new passkey's signature over the statement."),
      confirmation: Type.Optional(described(Assertion, "An older passkey's signature over the same statement.")),
      name: Type.Optional(PasskeyName),
    },
    {
      description: 'The signatures that register a passkey.',
      examples: [{ assertion: assertionExample, name: 'Phone' }],
    },
  ),
  replies: { 201: Passkey },
  errors: ['CONFLICT'],
})

export const removePasskey = operation({
  ...shared,
  id: 'passkeys.remove',
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  access: anyone,
  summary: 'Remove a passkey',
  description:
    'Removes one of your passkeys: you can no longer use it to sign in or approve. Every center that sealed the passkey also seals its removal.',
  params: IdParam('passkey'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const startPasskeyLogin = operation({
  ...shared,
  id: 'passkeys.startLogin',
  method: 'POST',
  path: '/auth/passkeys/login/options',
  access: { kind: 'public' },
  summary: 'Start signing in with a passkey',
  description:
    'Returns the options for `navigator.credentials.get`. The challenge can be used once, within five minutes. No user name is needed, because the passkey identifies its owner. Next, call `POST /api/auth/passkeys/login`.',
  replies: {
    200: named(
      'PasskeyLogin',
      {
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'The options for signing in with a passkey.' },
    ),
  },
  errors: ['CONFLICT'],
})

export const passkeyLogin = operation({
  ...shared,
  id: 'passkeys.login',
  method: 'POST',
  path: '/auth/passkeys/login',
  access: { kind: 'public' },
  rate: 'login',
  summary: 'Sign in with a passkey',
  description:
    'Returns the same response as `POST /api/auth/login` and sets the same cookie. Five attempts are allowed in 15 minutes for each passkey and IP address; a successful sign-in resets the count.',
  body: named(
    'PasskeyCredentials',
    {
      assertion: described(Assertion, "The passkey's signature over the challenge."),
      centerDomain: Type.Optional(
        described(CenterDomain, 'The subdomain of the center to sign in to. Omit this to choose a center later.'),
      ),
    },
    {
      description: 'The passkey to sign in with.',
      examples: [{ assertion: { ...assertionExample, userHandle: 'RtkApX8ne1lChmpVGb8hiSdEidEJTs6X2PydQG7WRFs' } }],
    },
  ),
  replies: { 200: AuthSession },
  errors: ['INVALID_CREDENTIALS', 'FORBIDDEN', 'CONFLICT', 'CENTER_NOT_FOUND', ...standingErrors],
})
