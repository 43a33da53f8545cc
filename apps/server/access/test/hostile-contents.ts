/** Tokens with a genuine signature over contents that the server never issues: only the checks of header and claims refuse them. */
import { encode, type Forge, type Hostile, type Part } from './forge.ts'

const varied = (what: string, make: (value: never) => string, values: readonly unknown[]): Hostile =>
  values.map((value) => [`${what} ${(JSON.stringify(value) ?? 'missing').slice(0, 60)}`, make(value as never)] as const)

export function keyIds(forge: Forge): Hostile {
  const kid = String(forge.header.kid)
  return varied('kid', (value: unknown) => forge.ours({}, { kid: value }), [
    undefined,
    null,
    '',
    0,
    1,
    true,
    [kid],
    { kid },
    kid.toUpperCase(),
    ` ${kid}`,
    `${kid} `,
    `${kid}\u0000`,
    `${kid}/`,
    `./${kid}`,
    kid.slice(0, -1),
    '../../../../etc/passwd',
    '/dev/null',
    '..%2f..%2fdev%2fnull',
    'file:///dev/null',
    'https://attacker.example/key.pem',
    "' or '1'='1",
    "'; drop table directory.signing_keys; --",
    '" union select private_sealed from directory.signing_keys --',
    '%',
    '*',
    '__proto__',
    'constructor',
    '$(id)',
    '{{7*7}}',
    'x'.repeat(5000),
  ])
}

export function types(forge: Forge): Hostile {
  const values = [
    undefined,
    null,
    '',
    'JWT',
    'jwt',
    'rt+jwt',
    'at+jwt ',
    'at',
    'application/jwt',
    'at+jwt,JWT',
    5,
    ['at+jwt'],
  ]
  return varied('typ', (typ: unknown) => forge.ours({}, { typ }), values)
}

export function extensions(forge: Forge): Hostile {
  const headers: Part[] = [
    { crit: ['exp'], exp: 1 },
    { crit: ['unknown'], unknown: true },
    { crit: ['b64'], b64: false },
    { crit: ['b64'], b64: true, unknown: 1, alg: 'none' },
    { crit: [] },
    { crit: 'exp' },
    { crit: [''] },
    { crit: [1] },
    { crit: ['alg'] },
    { crit: null },
    { crit: ['b64'] },
    { crit: {} },
  ]
  return headers.map((header) => [`a header with ${JSON.stringify(header)}`, forge.ours({}, header)] as const)
}

export function audiencesAndIssuers(forge: Forge): Hostile {
  const own = String(forge.claims.aud)
  const values = [
    undefined,
    null,
    '',
    'https://elsewhere.example',
    `${own}/`,
    `${own}/api`,
    own.toUpperCase(),
    own.replace('http:', 'https:'),
    `${own}.elsewhere.example`,
    own.slice(0, -1),
    [],
    ['https://elsewhere.example'],
    [[own]],
    { own },
    7,
  ]
  return [
    ...varied('aud', (aud: unknown) => forge.ours({ aud }), values),
    ...varied('iss', (iss: unknown) => forge.ours({ iss }), [...values, [own]]),
  ]
}

export function times(forge: Forge): Hostile {
  const { iat, exp } = forge.claims
  const payload = (text: string) => {
    const rest = JSON.stringify({ ...forge.claims, exp: undefined }).slice(1)
    return forge.oursAsText(JSON.stringify(forge.header), `{${text},${rest}`)
  }
  return [
    ...varied('exp', (value: unknown) => forge.ours({ exp: value }), [
      undefined,
      null,
      '',
      'never',
      String(exp),
      `${exp}000`,
      exp + 0.5,
      exp + 1,
      exp + 86_400,
      exp * 1000,
      Number.MAX_SAFE_INTEGER,
      1e300,
      0,
      -1,
      iat - 1,
      true,
      [exp],
      { exp },
      new Date(exp * 1000).toISOString(),
    ]),
    ...varied('exp as text', payload, ['"exp":1e308', '"exp":1e999', '"exp":-1e999', '"exp":NaN', '"exp":Infinity']),
    ...varied('iat', (value: unknown) => forge.ours({ iat: value }), [
      undefined,
      null,
      String(iat),
      iat + 0.5,
      iat + 3600,
      iat - 86_400,
      0,
      1e300,
      [iat],
    ]),
    ...varied('nbf', (nbf: unknown) => forge.ours({ nbf }), [iat + 3600, 1e300, 'now', null, [iat]]),
    ['iat and exp an hour from now', forge.ours({ iat: iat + 3600, exp: exp + 3600 })],
  ]
}

export interface OtherSession {
  readonly sid: string
  readonly actorId: string
  readonly centerId: number
}

export function identities(forge: Forge, other: OtherSession): Hostile {
  const own = forge.claims as unknown as OtherSession & { sub: string }
  const strange = [undefined, null, '', 0, true, 'x', "' or true --", '\u0000', 'x'.repeat(2000)]
  const unknown = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
  return [
    ...varied('sid', (sid: unknown) => forge.ours({ sid }), [
      ...strange,
      unknown,
      other.sid,
      [own.sid],
      { id: own.sid },
      `${own.sid} `,
      `{${own.sid}}`,
    ]),
    ...varied('sub', (sub: unknown) => forge.ours({ sub }), [...strange, unknown, other.actorId, [own.sub]]),
    ...varied('actorId', (actorId: unknown) => forge.ours({ actorId }), [...strange, other.actorId, [own.actorId]]),
    ...varied('sub and actorId', (actorId: unknown) => forge.ours({ sub: actorId, actorId }), [other.actorId, unknown]),
    ...varied('centerId', (centerId: unknown) => forge.ours({ centerId }), [
      undefined,
      null,
      0,
      -1,
      other.centerId,
      String(own.centerId),
      [own.centerId],
      own.centerId + 0.5,
      2 ** 40,
    ]),
    ...varied('jti', (jti: unknown) => forge.ours({ jti }), [undefined]),
  ]
}

/** Duplicate fields: whichever of the two a parser reads, one of them is wrong. */
export function duplicates(forge: Forge, other: OtherSession): Hostile {
  const header = JSON.stringify(forge.header)
  const claims = JSON.stringify(forge.claims)
  const twice = (text: string, more: string) => `${text.slice(0, -1)},${more}}`
  return [
    ['a second sid', forge.oursAsText(header, twice(claims, `"sid":"${other.sid}"`))],
    ['a second exp', forge.oursAsText(header, twice(claims, '"exp":99999999999'))],
    ['a second actorId', forge.oursAsText(header, twice(claims, `"actorId":"${other.actorId}"`))],
    ['a second aud', forge.oursAsText(header, twice(claims, '"aud":"elsewhere"'))],
    ['a second alg', forge.oursAsText(twice(header, '"alg":"none"'), claims)],
    ['a second kid', forge.oursAsText(twice(header, '"kid":"attacker"'), claims)],
    ['a second typ', forge.oursAsText(twice(header, '"typ":"JWT"'), claims)],
  ]
}

export function forms(forge: Forge): Hostile {
  const { genuine } = forge
  const [top, payload, end] = genuine.split('.') as [string, string, string]
  const header = JSON.stringify(forge.header)
  const claims = JSON.stringify(forge.claims)
  const written: Hostile = [
    '[]',
    'null',
    '"text"',
    '7',
    'true',
    '',
    '{',
    `${claims}x`,
    `[${claims}]`,
    '\ufeff{}',
  ].flatMap((text) => [
    [`the payload ${text.slice(0, 12)}`, forge.oursAsText(header, text)],
    [`the header ${text.slice(0, 12)}`, forge.oursAsText(text, claims)],
  ])
  const cut = [1, 10, top.length, top.length + 1, top.length + 5, top.length + payload.length + 2].map(
    (at) => [`cut off after ${at} characters`, genuine.slice(0, at)] as const,
  )
  return [
    ...written,
    ...cut,
    ...[1, 3, 10, 40].map((n) => [`the last ${n} characters missing`, genuine.slice(0, -n)] as const),
    ['no signature part', `${top}.${payload}`],
    ['an empty payload', `${top}..${end}`],
    ['an empty header', `.${payload}.${end}`],
    ['dots only', '..'],
    ['many dots', '.'.repeat(100)],
    ['four parts', `${genuine}.${end}`],
    ['five parts, as if encrypted', `${top}.${payload}.${end}.${end}.${end}`],
    ['parts in another order', `${payload}.${top}.${end}`],
    ['the payload of another token', `${top}.${encode(JSON.stringify({ ...forge.claims, email: 'x' }))}.${end}`],
    ['the header of another token', `${encode(JSON.stringify({ ...forge.header, x: 1 }))}.${payload}.${end}`],
    ['padding in the header', `${top}=.${payload}.${end}`],
    ['padding in the payload', `${top}.${payload}==.${end}`],
    ['the JSON form', JSON.stringify({ protected: top, payload, signature: end })],
    ['in quotes', `"${genuine}"`],
    ['in base64 once more', encode(genuine)],
    ['percent-encoded', genuine.replaceAll('.', '%2e')],
    ['in capitals', genuine.toUpperCase()],
    ['reversed', [...genuine].reverse().join('')],
    ['twice', `${genuine}${genuine}`],
    ['twice, with a comma', `${genuine},${genuine}`],
    ['a space within', `${top}. ${payload}.${end}`],
    ['a tab within', `${top}.\t${payload}.${end}`],
    ['something behind a space', `${genuine} x`],
    ['9,000 characters', forge.ours({ email: 'x'.repeat(6500) })],
    ['7,000 characters of brackets', forge.oursAsText(header, `${'['.repeat(2500)}${']'.repeat(2500)}`)],
  ]
}
