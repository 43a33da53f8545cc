import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem.ts'
import { bodyParser, readJson } from '../json-body.ts'

const read = (text: string): unknown => readJson(Buffer.from(text))

function refusal(text: string): unknown {
  try {
    read(text)
  } catch (error) {
    return error
  }
  return null
}

const isRefused = (text: string): boolean => {
  const error = refusal(text)
  if (error !== null) expect(error).toBeInstanceOf(Problem)
  return error !== null
}

/** Well-formed text of every plane, without the NUL that PostgreSQL cannot store. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll('\0', ' '))
const key = text.filter((name) => name !== '__proto__')
const { tree: json } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), text),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
  ),
}))

describe('a value that a double and PostgreSQL can store', () => {
  it('passes unchanged with any indentation', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const written = JSON.stringify(value, null, indent)
        expect(read(written)).toStrictEqual(JSON.parse(written))
      }),
      { numRuns: 2000 },
    )
  })

  it('passes unchanged when every character is written as an escape', () => {
    const escaped = (value: string) =>
      [...Array(value.length).keys()].map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
    fc.assert(
      fc.property(text, (value) => {
        expect(read(`["${escaped(value)}"]`)).toStrictEqual([value])
      }),
    )
  })
})

describe('text that is not JSON', () => {
  it('is refused whenever JSON.parse refuses it', () => {
    const spliced = fc
      .tuple(
        json,
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.string({ unit: fc.constantFrom(...'{}[]":,\\-+.eEu019 tfn\n'), maxLength: 3 }),
      )
      .map(([value, at, cut, insert]) => {
        const whole = JSON.stringify(value)
        const place = at % (whole.length + 1)
        return `${whole.slice(0, place)}${insert}${whole.slice(place + cut)}`.toWellFormed()
      })
    fc.assert(
      fc.property(spliced, (broken) => {
        const error = refusal(broken)
        if (error === null) expect(read(broken)).toStrictEqual(JSON.parse(broken))
        else expect(error instanceof Problem).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it('is reported as malformed for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), (bytes) => {
        try {
          readJson(Buffer.from(bytes))
        } catch (error) {
          expect(error instanceof Problem).toBe(true)
        }
      }),
    )
    for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0xef, 0xbb, 0xbf, 0x31]]) {
      expect(() => readJson(Buffer.from(bytes))).toThrow(Problem)
    }
  })
})

/** Mantissa and power of ten, exactly. */
function exactly(token: string): [bigint, number] {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(
    token,
  ) as string[]
  return [BigInt(`${sign}${whole}${fraction}`), Number(exponent) - fraction.length]
}

function sameNumber(one: string, other: string): boolean {
  const [a, x] = exactly(one)
  const [b, y] = exactly(other)
  const low = Math.min(x, y)
  return a * 10n ** BigInt(x - low) === b * 10n ** BigInt(y - low)
}

describe('numbers', () => {
  const digits = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max })
  const token = fc
    .record({
      sign: fc.constantFrom('', '-'),
      whole: fc.oneof(
        fc.constant('0'),
        digits(1, 25).filter((text) => text[0] !== '0'),
      ),
      fraction: fc.oneof(fc.constant(''), digits(1, 25), digits(1, 12)),
      zeros: fc.nat({ max: 30 }),
      exponent: fc.oneof(
        fc.constant(''),
        fc.integer({ min: -330, max: 330 }).map((power) => `e${power}`),
      ),
    })
    .map(({ sign, whole, fraction, zeros, exponent }) => {
      const tail = fraction + '0'.repeat(zeros)
      return `${sign}${whole}${tail && `.${tail}`}${exponent}`
    })

  it('are refused exactly when serializing them would give another number', () => {
    let kept = 0
    let refused = 0
    fc.assert(
      fc.property(token, (number) => {
        const again = JSON.stringify(JSON.parse(number))
        const survives = again !== 'null' && sameNumber(number, again)
        expect(isRefused(`[${number}]`)).toBe(!survives)
        if (survives) kept++
        else refused++
      }),
      { numRuns: 5000 },
    )
    expect(Math.min(kept, refused)).toBeGreaterThan(500)
  })

  it('pass in every spelling that JavaScript itself uses', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        for (const spelling of [String(number), number.toExponential()]) {
          expect(read(`[${spelling}]`)).toEqual([Number(spelling)])
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('inside a string are text', () => {
    expect(read('{"a":"9007199254740993","1e400":null}')).toEqual({ a: '9007199254740993', '1e400': null })
  })
})

describe('keys', () => {
  const written = (name: string, escaped: boolean) =>
    escaped && name.length > 0
      ? `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(name.slice(1)).slice(1)}`
      : JSON.stringify(name)
  // One UTF-16 code unit in front, so that escaping the first code unit never splits a pair.
  const plainKey = key.map((name) => `k${name}`)
  const wrapper = fc.oneof(
    fc.tuple(json, json).map(
      ([before, after]) =>
        (inner: string) =>
          `[${JSON.stringify(before)},${inner},${JSON.stringify(after)}]`,
    ),
    fc.tuple(plainKey, json).map(
      ([name, other]) =>
        (inner: string) =>
          `{"":${JSON.stringify(other)},${JSON.stringify(name)}:${inner}}`,
    ),
  )

  it('may not occur twice in one object, at any depth, in any spelling', () => {
    const cases = fc.record({
      layers: fc.array(wrapper, { maxLength: 20 }),
      name: plainKey,
      first: json,
      second: json,
      escaped: fc.boolean(),
    })
    fc.assert(
      fc.property(cases, ({ layers, name, first, second, escaped }) => {
        const member = (spelling: string, value: unknown) => `${spelling}:${JSON.stringify(value)}`
        const once = `{${member(written(name, false), first)},${member(written(`${name}x`, escaped), second)}}`
        const twice = `{${member(written(name, false), first)},${member(written(name, escaped), second)}}`
        const wrap = (core: string) => layers.reduce((inner, layer) => layer(inner), core)
        expect(read(wrap(once))).toStrictEqual(JSON.parse(wrap(once)))
        expect(isRefused(wrap(twice))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['{"__proto__":1}', '{"\\u005f_proto__":1}', '[{"a":{"__proto\\u005f_":{}}}]'])('%s is refused', (body) => {
    expect(isRefused(body)).toBe(true)
  })

  it('are accepted as text inside a value', () => {
    expect(read('{"a":"__proto__","constructor":1,"toString":2}')).toEqual({
      a: '__proto__',
      constructor: 1,
      toString: 2,
    })
  })
})

it.each(['"\\ud800"', '"\\udc00x"', '{"\\ud800":1}', '"\\u0000"', '{"a\\u0000":1}', '["a",{"b":["\\udfff"]}]'])(
  'refuses %s, which UTF-8 or PostgreSQL cannot represent',
  (body) => expect(isRefused(body)).toBe(true),
)

describe('bounds', () => {
  const nested = (kinds: readonly boolean[]) =>
    `${kinds.map((list) => (list ? '[' : '{"k":')).join('')}null${kinds
      .map((list) => (list ? ']' : '}'))
      .toReversed()
      .join('')}`

  it('accept 32 levels of nesting and refuse 33', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 33, maxLength: 33 }), (kinds) => {
        expect(read(nested(kinds.slice(1)))).toEqual(JSON.parse(nested(kinds.slice(1))))
        expect(isRefused(nested(kinds))).toBe(true)
      }),
    )
  })

  it('ignore brackets in strings', () => {
    expect(read(JSON.stringify(['[{'.repeat(1000)]))).toEqual(['[{'.repeat(1000)])
  })

  it('accept 20,000 values and refuse one more', () => {
    const list = (length: number) => JSON.stringify(Array(length).fill(0))
    expect(read(list(20_000))).toHaveLength(20_000)
    expect(isRefused(list(20_001))).toBe(true)
  })

  const mebibyte = 1024 * 1024
  const filled = (unit: string) => unit.repeat(Math.floor((mebibyte - 100) / unit.length))
  // Each takes some 30 ms; a superlinear parser would take minutes.
  it.each([
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 levels that close', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 open objects', '{"a":'.repeat(100_000)],
    ['only brackets', filled('[')],
    ['closing brackets first', `${filled(']')}[`],
    ['backslashes in a string', `"${filled('\\\\')}"`],
    ['escaped quotes', `"${filled('\\"')}"`],
    ['a string that does not end', `"${filled('\\"')}`],
    ['only quotes', filled('"')],
    ['a long number', filled('7')],
    ['zeros between two digits', `1${filled('0')}1`],
    ['zeros after the point', `0.${filled('0')}1`],
    ['a long exponent', `1e${filled('9')}`],
    ['many numbers with exponents', `[${filled('1e1,')}1]`],
    ['many long numbers', `[${filled(`1${'0'.repeat(990)}1,`)}1]`],
    ['minus signs', filled('-')],
    ['points', filled('1.')],
    ['keys', `{${filled('"a":1,')}"b":1}`],
    ['escapes', `"${filled('\\u0041')}"`],
    ['spaces', `${filled(' ')}1`],
  ])('parse 1 MiB of hostile text in linear time: %s', (_, body) => {
    const started = performance.now()
    const error = refusal(body)
    expect(performance.now() - started).toBeLessThan(3000)
    if (error !== null) expect(error instanceof Problem).toBe(true)
  })
})

describe('large bodies', () => {
  const large = Buffer.from(JSON.stringify(Array(100).fill('x'.repeat(1000))))
  const small = Buffer.from('{"a":1}')

  /** No other tenant is active, and the request never ends. */
  const alone = { onClose: () => {}, isShared: () => false, isGone: () => false }

  /** Which bodies were parsed in each turn of the event loop. */
  async function parsedInTurns(sent: readonly (readonly [string, Buffer])[]): Promise<string[][]> {
    const parse = bodyParser()
    const byTurn: string[][] = []
    let now: string[] = []
    let left = sent.length
    for (const [tenant, bytes] of sent) {
      parse(
        tenant,
        bytes,
        () => alone,
        (error) => {
          expect(error).toBeNull()
          now.push(tenant)
          left--
        },
      )
    }
    while (left > 0 || now.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      if (now.length > 0) byTurn.push(now)
      now = []
    }
    return byTurn
  }

  it('are parsed one in each turn of the event loop, and tenants take turns', async () => {
    const sent = ['a', 'a', 'a', 'a', 'b', 'c'].map((tenant) => [tenant, large] as const)
    expect(await parsedInTurns(sent)).toEqual([['a'], ['a'], ['b'], ['c'], ['a'], ['a']])
  })

  it('do not delay small ones', async () => {
    const sent = [['a', large] as const, ['a', large] as const, ['a', small] as const, ['b', small] as const]
    const [first] = await parsedInTurns(sent)
    expect(first?.slice(0, 2)).toEqual(['a', 'b'])
  })

  it.each([
    { isShared: true, waits: 'after a pause three times as long as the first took' },
    { isShared: false, waits: 'at once' },
  ])('of one tenant are processed one after another, the next $waits', async ({ isShared }) => {
    const parse = bodyParser()
    const whole = Buffer.from(JSON.stringify(Array(1000).fill('x'.repeat(1000))))
    const ends: (() => void)[] = []
    const processing = {
      onClose: (ended: () => void) => void ends.push(ended),
      isShared: () => isShared,
      isGone: () => false,
    }
    const sends = () =>
      new Promise<number>((resolve) =>
        parse(
          'a',
          whole,
          () => processing,
          () => resolve(performance.now()),
        ),
      )
    const [first, second] = [sends(), sends()]
    await first
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ends).toHaveLength(1)
    const ended = performance.now()
    ends[0]?.()
    const pause = (await second) - ended
    if (isShared) expect(pause).toBeGreaterThan(295)
    else expect(pause).toBeLessThan(95)
  })

  it('of clients that have gone are not parsed, and give their turn to the next', async () => {
    const parse = bodyParser()
    let isGone = true
    const processing = () => ({ ...alone, isGone: () => isGone })
    const outcome = () =>
      new Promise<unknown>((resolve) => parse('a', large, processing, (error, body) => resolve(error ?? body)))
    expect(await outcome()).toMatchObject({ message: 'The client closed the connection.' })
    isGone = false
    expect(await outcome()).toHaveLength(100)
  })

  it('that are malformed do not stop those after them', async () => {
    const parse = bodyParser()
    const results = await Promise.all(
      [Buffer.alloc(100_000, '['), large].map(
        (bytes) =>
          new Promise((resolve) =>
            parse(
              'a',
              bytes,
              () => alone,
              (error, body) => resolve(error ?? body),
            ),
          ),
      ),
    )
    expect(results[0]).toBeInstanceOf(Error)
    expect(results[1]).toHaveLength(100)
  })
})
