/** Hostile headers and addresses. */
import fc from 'fast-check'

const latin1 = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0xff })
    .filter((code) => code < 0x7f || code > 0x9f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
})
const oddToken = fc.constantFrom(
  'Bearer',
  'Bearer ',
  'Bearer  x',
  'Basic YTpi',
  'bearer x.y.z',
  'Bearer null',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'Bearer csk_test_x_y',
  `Bearer ${'x'.repeat(7000)}`,
  'Bearer a b',
  'Digest x="',
  '\u00ff',
)

const oddHeader = fc.oneof(
  fc.tuple(
    fc.constant('idempotency-key'),
    fc.oneof(
      latin1,
      fc.constantFrom('k', 'k', 'x'.repeat(255), 'x'.repeat(256), ' ', 'a,b', 'ключ'.replaceAll(/./g, 'é')),
    ),
  ),
  fc.tuple(
    fc.constant('content-type'),
    fc.constantFrom(
      '',
      'application/json',
      'application/json; charset=latin1',
      'APPLICATION/JSON',
      'application/json;charset',
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/ld+json',
      '*/*',
      'x',
      ';',
      'application/json, text/plain',
      `application/json; x=${'y'.repeat(3000)}`,
    ),
  ),
  fc.tuple(fc.constant('authorization'), fc.oneof(oddToken, latin1)),
  fc.tuple(
    fc.constant('cookie'),
    fc.oneof(
      latin1,
      fc.constantFrom(
        'auth_token=',
        'auth_token=x',
        'auth_token="x"',
        'auth_token=%',
        'auth_token=%00',
        'auth_token=a; auth_token=b',
        '__proto__=x; auth_token=y',
        '=;=;=',
        ';;;',
        'last_tenant=%ff',
        "last_tenant='--",
        `last_tenant=${'x'.repeat(3000)}`,
      ),
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'accept',
      'accept-encoding',
      'origin',
      'user-agent',
      'x-forwarded-for',
      'x-request-id',
      'x-http-method-override',
      'range',
      'if-none-match',
      'content-encoding',
      'host',
      'forwarded',
      'sec-fetch-site',
      'content-language',
      'te',
    ),
    fc.oneof(
      latin1,
      fc.constantFrom('', '[', '@', '%', 'null', 'gzip', 'DELETE', '127.0.0.1', '::1, ::2', 'bytes=0-', '*'),
    ),
  ),
)

export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(oddHeader, { minLength: 1, maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs))

export const oddSegment = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%ff',
    '%00',
    '%c0%af',
    '%ed%a0%80',
    '%2e%2e',
    '..',
    '.',
    '%2F',
    '%5c',
    ';',
    ';x=1',
    ':id',
    '*',
    '{id}',
    'null',
    '%20',
    '%F0%9F%98%80',
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(301),
    'x'.repeat(4000),
    "'--",
    '%27%20or%201=1',
    '__proto__',
    'constructor',
    'évil',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).map((value) => encodeURIComponent(value.toWellFormed())),
)

export const oddQuery = fc.oneof(
  fc
    .constantFrom(
      '',
      '&&&',
      '=',
      '=&=',
      '%',
      'limit',
      'limit=',
      'limit=0',
      'limit=101',
      'limit=1e1',
      'limit=0x10',
      'limit=1&limit=2',
      'limit[]=1',
      'limit[$gt]=1',
      'limit=-1',
      'limit=1.5',
      'limit=%00',
      'limit=٣',
      'offset=-1',
      'offset=1000001',
      'offset=999999',
      'offset=9007199254740993',
      'type=custom&type=escalation',
      'type=',
      'status=x',
      "tag='--",
      'tag=',
      'tag=%ff',
      'tag=%F0%9F%98%80',
      `tag=${'x'.repeat(65)}`,
      '__proto__=1',
      '__proto__[a]=1',
      'constructor=1',
      'x='.concat('y'.repeat(3000)),
      'a=1'.concat('&a=1'.repeat(1000)),
      'page=1',
      '?',
      '#x',
      'tag=a#b',
    )
    .map((text) => encodeURI(text).replaceAll('%25', '%')),
  fc.webQueryParameters({ size: 'small' }),
)
