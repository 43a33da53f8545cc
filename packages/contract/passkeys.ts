/** Passkeys of a person: registering, signing in, removing. Not in the specification. */
import { Type } from 'typebox'
import { AuthSession, standingErrors } from './auth.ts'
import { ActorId, CenterDomain, DateTime, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

/** Base64url without padding, as a browser sends it. */
const Base64url = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description })

const Credential = named('PasskeyCredential', {
  id: Type.String({ description: 'Credential id' }),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})

const creation = '`PublicKeyCredential.parseCreationOptionsFromJSON`'
export const CreationOptions = named(
  'PasskeyCreationOptions',
  {
    challenge: Type.String(),
    rp: named('PasskeyRp', { id: Type.String(), name: Type.String() }),
    user: named('PasskeyUser', { id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(named('PasskeyParameters', { type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer(),
    excludeCredentials: Type.Array(Credential, { description: 'The passkeys that you have' }),
    authenticatorSelection: named('PasskeySelection', {
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
  },
  { description: `PublicKeyCredentialCreationOptionsJSON: pass it to ${creation}` },
)

export const RequestOptions = named(
  'PasskeyRequestOptions',
  {
    challenge: Type.String({ description: 'Where there is a statement: SHA-256 of its canonical form' }),
    rpId: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
    allowCredentials: Type.Array(Credential, { description: 'Empty: any passkey of this host' }),
  },
  {
    description: 'PublicKeyCredentialRequestOptionsJSON: pass it to `PublicKeyCredential.parseRequestOptionsFromJSON`',
  },
)

export const Assertion = named(
  'PasskeyAssertion',
  {
    id: Base64url(1400, 'Credential id'),
    authenticatorData: Base64url(5500, 'As the authenticator returned it'),
    clientDataJSON: Base64url(5500, 'As the browser returned it'),
    signature: Base64url(1400, 'As the authenticator returned it'),
    userHandle: Type.Optional(nullable(Base64url(100, 'As the authenticator returned it'))),
  },
  { description: 'The answer of `navigator.credentials.get`' },
)

const Attestation = named(
  'PasskeyAttestation',
  {
    id: Base64url(1400, 'Credential id'),
    clientDataJSON: Base64url(5500, 'As the browser returned it'),
    attestationObject: Base64url(11_000, 'As the authenticator returned it'),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
  },
  { description: 'The answer of `navigator.credentials.create`' },
)

/** Of a software authenticator at `https://countersign.example`. */
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

const stated = { rpId: Type.String(), nonce: Type.String(), issuedAt: DateTime }
const thumbprint = Type.String({ description: 'Thumbprint of the public key (RFC 7638)' })

const RegisterStatement = named('PasskeyStatement', {
  type: Type.Literal('countersign-passkey-v1'),
  actorId: ActorId,
  thumbprint,
  ...stated,
})

export const ConfirmStatement = named('PasskeyConfirmStatement', {
  type: Type.Literal('countersign-passkey-confirm-v1'),
  log: Type.String({ description: 'The log `history` of the center' }),
  actorId: ActorId,
  thumbprint,
  confirmerId: ActorId,
  ...stated,
})

const PasskeyName = Type.String({ minLength: 1, maxLength: 64, description: 'For you, to tell your passkeys apart' })

const Passkey = named('Passkey', {
  id: TypedId('passkey', 'Passkey id'),
  name: nullable(PasskeyName),
  thumbprint,
  confirmation: oneOf('PasskeyRegistered', ['mail', 'passkey'], 'How it was confirmed when it was registered'),
  aaguid: Type.String({ description: 'Kind of authenticator, as the authenticator states it' }),
  backupEligible: Type.Boolean({ description: 'It may be kept in an account and be on several devices' }),
  createdAt: DateTime,
  lastUsedAt: nullable(DateTime),
})

const shared = { surface: 'platform', tag: 'Passkeys', store: 'identity' } as const
const anyone = { kind: 'actor', center: 'optional' } as const

export const listPasskeys = operation({
  ...shared,
  id: 'passkeys.list',
  method: 'GET',
  path: '/auth/passkeys',
  access: anyone,
  summary: 'List your passkeys, the oldest first',
  replies: { 200: Type.Array(Passkey) },
})

export const startRegistration = operation({
  ...shared,
  id: 'passkeys.startRegistration',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/auth/passkeys/register/options',
  access: anyone,
  summary: 'Begin to register a passkey',
  description:
    'You must have signed in within the last five minutes; a refresh is not a sign-in. The challenge is good for five minutes, once.',
  replies: { 200: named('PasskeyRegistration', { publicKey: CreationOptions, expiresAt: DateTime }) },
  errors: ['FORBIDDEN', 'CONFLICT'],
})

export const attestPasskey = operation({
  ...shared,
  id: 'passkeys.attest',
  method: 'POST',
  path: '/auth/passkeys/register/attestation',
  access: anyone,
  summary: 'Send the new passkey, and get the statement that it signs',
  description:
    'The new passkey then signs the statement, because the first answer does not show that anybody holds its key. With `confirmWith` an older passkey of yours signs the same statement; it is null if you have none.',
  body: named(
    'NewPasskeyAttestation',
    { attestation: Attestation },
    { examples: [{ attestation: attestationExample }] },
  ),
  replies: {
    200: named('PasskeyAttested', {
      statement: RegisterStatement,
      publicKey: RequestOptions,
      confirmWith: nullable(RequestOptions),
      expiresAt: DateTime,
    }),
  },
  errors: ['CONFLICT'],
})

export const registerPasskey = operation({
  ...shared,
  id: 'passkeys.register',
  method: 'POST',
  path: '/auth/passkeys/register',
  access: anyone,
  summary: 'Register the passkey with its signature over the statement',
  description:
    'Each center where you are an ACTIVE member seals the passkey in its log within seconds. An approval that needs a passkey counts it once an ADMIN of the center has confirmed it, or at once where `confirmation` is by an older passkey that counts there. You are told by mail.',
  body: named(
    'NewPasskey',
    {
      assertion: Assertion,
      confirmation: Type.Optional(Assertion),
      name: Type.Optional(PasskeyName),
    },
    { examples: [{ assertion: assertionExample, name: 'Phone' }] },
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
  summary: 'Remove one of your passkeys',
  description: 'It no longer signs in or approves. Each center that knows it seals the removal in its log.',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const startPasskeyLogin = operation({
  ...shared,
  id: 'passkeys.startLogin',
  method: 'POST',
  path: '/auth/passkeys/login/options',
  access: { kind: 'public' },
  summary: 'Begin to sign in by passkey',
  description: 'The challenge is good for five minutes, once. It needs no name: the passkey says whose it is.',
  replies: { 200: named('PasskeyLogin', { publicKey: RequestOptions, expiresAt: DateTime }) },
  errors: ['CONFLICT'],
})

export const passkeyLogin = operation({
  ...shared,
  id: 'passkeys.login',
  method: 'POST',
  path: '/auth/passkeys/login',
  access: { kind: 'public' },
  rate: 'login',
  summary: 'Sign in by passkey',
  description:
    'Answers and sets the cookie as `POST /api/auth/login` does. The limit is five attempts in 15 minutes per passkey and IP address; a successful login resets it.',
  body: named(
    'PasskeyCredentials',
    { assertion: Assertion, centerDomain: Type.Optional(CenterDomain) },
    { examples: [{ assertion: { ...assertionExample, userHandle: 'RtkApX8ne1lChmpVGb8hiSdEidEJTs6X2PydQG7WRFs' } }] },
  ),
  replies: { 200: AuthSession },
  errors: ['INVALID_CREDENTIALS', 'FORBIDDEN', 'CONFLICT', 'CENTER_NOT_FOUND', ...standingErrors],
})
