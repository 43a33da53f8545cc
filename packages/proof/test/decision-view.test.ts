/** The view and the digest are about the same: what the digest covers can be read back from what is shown. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionDigest, type DigestedAction } from '../action-digest.ts'
import type { Json } from '../canonical.ts'
import { type DecisionView, decisionView, type ShownValue, type ViewedDecision, viewSize } from '../decision-view.ts'
import { headlineFold } from '../view-tree.ts'
import { json, text } from './arbitraries.ts'

const salt = 'A'.repeat(43)
const allOf = ({ read, others, said }: DecisionView): readonly ShownValue[] => [...read, ...others, ...said]

/** What a reader sees, as a value: the reverse of the view, from the text alone. */
function readBack({ kind, text: seen }: ShownValue): Json {
  if (kind === 'null') return null
  if (kind === 'boolean') return seen === 'true'
  if (kind === 'empty') return seen === '[]' ? [] : {}
  if (kind === 'number' || kind === 'amount') return Number(seen.replaceAll(',', ''))
  if (!seen.startsWith('"')) return seen
  return seen
    .slice(1, -1)
    .replaceAll(/\\(?:u\{([0-9a-f]+)\}|(.))/gu, (_, code: string | undefined, char: string) =>
      code === undefined
        ? ({ n: '\n', r: '\r', t: '\t' }[char] ?? char)
        : String.fromCodePoint(Number.parseInt(code, 16)),
    )
}

/** From the places and the texts. A list is where every member is an index. */
function rebuilt(values: readonly ShownValue[]): Json {
  type Tree = Map<string, Tree | { readonly leaf: Json }>
  const root: Tree = new Map()
  for (const value of values) {
    const names = value.pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = names.pop() as string
    let at = root
    for (const name of names) {
      if (!at.has(name)) at.set(name, new Map())
      at = at.get(name) as Tree
    }
    at.set(last, { leaf: readBack(value) })
  }
  // An index in the path tells a list from an object whose members are digits.
  const paths = new Map(values.map(({ pointer, path }) => [pointer, path]))
  const isList = (tree: Tree, pointer: string): boolean =>
    [...tree.keys()].every((name) => /^\d+$/.test(name)) &&
    [...paths].some(([each, path]) => each.startsWith(`${pointer}/`) && listSteps(each, path).includes(pointer))
  const make = (tree: Tree | { readonly leaf: Json }, pointer: string): Json => {
    if (!(tree instanceof Map)) return tree.leaf
    const made = [...tree].map(([name, each]) => {
      const own = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      return [name, make(each, own)] as const
    })
    if (isList(tree, pointer))
      return made.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, each]) => each)
    return Object.fromEntries(made)
  }
  return make(root, '')
}

/** The pointers of the lists that a path leads through: `a[1]["2"]` leads through one. */
function listSteps(pointer: string, path: string): readonly string[] {
  const names = pointer.split('/')
  const steps = path.replace(/^\w+:/, '').match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|\.?[^.[\]]+/gsu) ?? []
  const first = names.length - steps.length
  return steps.flatMap((step, at) => (/^\[\d+\]$/.test(step) ? [names.slice(0, first + at).join('/')] : []))
}

const hostile = fc.oneof(
  text,
  fc.constantFrom(
    'true',
    'null',
    '[]',
    '{}',
    '',
    ' ',
    '"x"',
    '\\u{202e}',
    'a\nb',
    'a\\nb',
    '820,000',
    '\u202e000,028',
    'раурal',
  ),
)
const name = fc.oneof(
  text,
  fc.constantFrom('0', '1', 'a.b', 'a/b', 'a~b', '[1]', 'constructor', 'аmount', 'input', 'x:y', ''),
)
const key = name.filter((each) => each !== '__proto__')
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(json, hostile),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))
const free = fc.dictionary(key, tree, { maxKeys: 6, noNullPrototype: true })
const optional = <T>(each: fc.Arbitrary<T>) => fc.option(each, { nil: undefined })
const pointer = fc.constantFrom(
  '/action/input/amount',
  '/action/input/0',
  '/riskScore',
  '/tags',
  '/action/input',
  '/action/input/a~1b',
)
const rule = fc.record({
  conditions: fc.array(
    fc.oneof(
      fc.record({
        pointer,
        op: fc.constantFrom('gt' as const, 'lt' as const),
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
      }),
      fc.record({ pointer, op: fc.constant('eq' as const), value: hostile }),
      fc.record({ pointer, op: fc.constant('in' as const), value: fc.array(hostile, { minLength: 1, maxLength: 3 }) }),
      fc.record({ pointer, op: fc.constant('exists' as const), value: fc.boolean() }),
    ),
    { maxLength: 4 },
  ),
  riskThreshold: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
})
const action: fc.Arbitrary<DigestedAction> = fc
  .record({
    type: fc.constantFrom('ai_recommendation', 'custom'),
    actor: fc.record({ id: text, type: fc.constantFrom('ai_agent', 'human'), name: optional(hostile) }),
    action: fc.record({ type: text, description: optional(hostile), input: optional(free), output: optional(free) }),
    aiContext: optional(
      fc.dictionary(key, fc.oneof(hostile, fc.double({ min: 0, max: 1, noNaN: true })), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
    riskScore: optional(fc.double({ min: 0, max: 1, noNaN: true })),
    reason: optional(hostile),
  })
  // As it would be sent: what is undefined is absent.
  .map((each) => JSON.parse(JSON.stringify(each)) as DigestedAction)

const localized = fc.record({ ko: optional(hostile), en: optional(hostile) })
const template = fc.record({
  name: localized,
  sentence: fc.option(
    fc.record({ ko: fc.constantFrom('{/amount} 환불', '{', '{/0}{/none}', '환불'), en: optional(hostile) }),
  ),
  labels: fc.dictionary(fc.constantFrom('/amount', '/0', '/a~1b'), localized),
})

it('from the values that are shown the digest can be computed, whatever was sent and whatever rules and templates say', () => {
  fc.assert(
    fc.property(
      action,
      fc.array(rule, { maxLength: 3 }),
      fc.option(template),
      fc.constantFrom('ko' as const, 'en' as const),
      (sent, rules, made, language) => {
        const actionType = made && { type: 'x', version: 1, digest: 'sha256:0', ...made }
        const view = decisionView({ ...sent, waiting: { rules }, actionType, tags: ['a'] }, language)
        const values = allOf(view)
        expect(actionDigest(salt, rebuilt(values) as unknown as DigestedAction)).toBe(actionDigest(salt, sent))
        expect(new Set(values.map(({ path }) => path)).size).toBe(values.length)
        expect(view.size.values).toBe(values.length)
      },
    ),
    { numRuns: process.env.TEST_LONG ? 10_000 : 150 },
  )
})

const decision = (input: object, more: object = {}): ViewedDecision =>
  ({
    type: 'ai_recommendation',
    actor: { id: 'agent-7', type: 'ai_agent', name: 'Ara Kim (ADMIN) ✓ verified' },
    action: { type: 'refund.pay', description: 'Refund 82,000 won', input },
    ...more,
  }) as ViewedDecision
const limit = (path: string, value: number, op = 'gt') => ({
  waiting: { rules: [{ conditions: [{ pointer: path, op, value } as never], riskThreshold: null }] },
})
const headline = (view: DecisionView) => view.headline.map((part) => part.text).join('')

describe('the order', () => {
  const input = { note: 'x', payment: { won: 820_000_000, card: '3312' }, recipient: { name: '이하늘' } }
  const view = decisionView(
    decision(input, { reason: 'fine', riskScore: 0.1, ...limit('/action/input/payment/won', 500_000) }),
    'en',
  )

  it('begins with what a policy reads, however deep it is, with the limit beside it', () => {
    expect(view.read).toMatchObject([
      {
        path: 'payment.won',
        label: ['Payment', 'Won'],
        text: '820,000,000',
        kind: 'amount',
        limits: ['Limit 500,000 · 819,500,000 over'],
        scale: { limit: 500_000, value: 820_000_000 },
      },
    ])
  })

  it('goes on with amounts, names and recipients, then all others, then what the agent says', () => {
    expect(view.others.map(({ path }) => path)).toEqual([
      'recipient.name',
      'note',
      'payment.card',
      'type:',
      'action:type',
    ])
    expect(view.said.map(({ path, words }) => [path, words])).toEqual([
      ['actor:id', 'agent'],
      ['actor:type', 'agent'],
      ['actor:name', 'agent'],
      ['action:description', 'agent'],
      ['riskScore:', 'agent'],
      ['reason:', 'agent'],
    ])
  })

  it('keeps the items of a list together and in their order, so that their numbers are their places', () => {
    const { others } = decisionView(decision({ amount: [3, 'x', 5], note: 'y' }), 'en')
    const together = others.filter(({ list }) => list !== null)
    expect(together.map(({ path }) => path)).toEqual(['amount[1]', 'amount[2]', 'amount[3]'])
  })

  it('names each item of a list by its place where a policy reads one of them', () => {
    const { read, others } = decisionView(decision({ amount: [3, 4, 5] }, limit('/action/input/amount/1', 1)), 'en')
    expect(read.map(({ path }) => path)).toEqual(['amount[2]'])
    expect([...read, ...others].filter(({ list }) => list !== null)).toEqual([])
  })

  it('makes the headline of values, and never of the description or a name', () => {
    expect(headline(view)).toBe('refund.pay: Payment › Won 820,000,000, Recipient › Name 이하늘, Note x')
    const hidden = decisionView(decision({}), 'ko')
    expect(headline(hidden)).toBe('refund.pay')
  })
})

describe('limits', () => {
  const said = (input: object, more: object, language: 'ko' | 'en' = 'ko') => {
    const view = decisionView(decision(input, more), language)
    return [...view.read, ...view.beside].flatMap(({ path, text: seen, gloss, limits }) => [
      [path, seen || gloss, ...limits],
    ])
  }
  it.each([
    [{ amount: 0.42 }, limit('/action/input/amount', 0.3), ['amount', '0.42', '한도 0.3 · 0.12 초과']],
    [{ amount: 3 }, limit('/action/input/amount', 10, 'lt'), ['amount', '3', '하한 10 · 7 부족']],
    [
      { amount: '9' },
      limit('/action/input/amount', 5),
      ['amount', '9', '한도 5 · 비교할 수 없어 한도를 넘은 것으로 봅니다'],
    ],
    [
      {},
      limit('/action/input/amount', 5),
      ['amount', '보내지 않은 값', '한도 5 · 비교할 수 없어 한도를 넘은 것으로 봅니다'],
    ],
    [
      {},
      { waiting: { rules: [{ conditions: [], riskThreshold: 0.5 }] }, riskScore: 0.75 },
      ['riskScore:', '0.75', '한도 0.5 · 0.25 초과'],
    ],
    [
      {},
      { waiting: { rules: [{ conditions: [], riskThreshold: 0.5 }] } },
      ['riskScore:', '보내지 않은 값', '한도 0.5 · 비교할 수 없어 한도를 넘은 것으로 봅니다'],
    ],
    [{}, { tags: ['vip'], ...limit('/tags', 'vip' as never, 'eq') }, ['tags:', 'vip', '기준 vip']],
  ])('of %j under %j', (input, more, line) => {
    expect(said(input, more)).toEqual([line])
  })

  it('of an object are those of its values', () => {
    const view = decisionView(decision({ payment: { won: 1, card: 'x' } }, limit('/action/input/payment', 0)), 'en')
    expect(view.read.map(({ path }) => path)).toEqual(['payment.won', 'payment.card'])
  })
})

describe('a text', () => {
  const value = (sent: Json) =>
    allOf(decisionView(decision({ v: sent }), 'en')).find(({ path }) => path === 'v') as ShownValue
  it.each([
    ['plain', 'plain', []],
    ['a\u202eb', '"a\\u{202e}b"', ['rightToLeft', 'hidden']],
    ['a\u200bb', '"a\\u{200b}b"', ['hidden']],
    ['\\u{200b}', '\\u{200b}', []],
    ['раypal', 'раypal', ['mixed']],
    ['аррlе', 'аррlе', ['mixed']],
    ['сор', 'сор', ['lookAlike']],
    ['Ａra', 'Ａra', ['lookAlike']],
    ['٨٢٠', '٨٢٠', ['lookAlike', 'rightToLeft']],
    ['A반 김Ara 2組', 'A반 김Ara 2組', []],
    ['Привет, Мир', 'Привет, Мир', []],
    ['שלום', 'שלום', ['rightToLeft']],
    ['true', '"true"', []],
    ['', '""', []],
    [' a', '" a"', []],
    ['820000', '820000', []],
  ])('%j is shown as %s with %j', (sent, seen, marks) => {
    expect([value(sent).text, value(sent).marks]).toEqual([seen, marks])
  })

  it('that is long says how long it is, and marks reach names too', () => {
    expect(value('긴 글 '.repeat(100))).toMatchObject({ kind: 'long', length: 400 })
    const view = decisionView(decision({ аmount: 1 }), 'ko')
    expect(view.others.find(({ path }) => path === 'аmount')?.warnings).toEqual([
      '서로 다른 문자 체계의 글자가 섞인 단어가 있습니다',
    ])
  })

  it.each([
    [true, 'true', 'Yes'],
    [null, 'null', 'No value'],
    [[], '[]', 'Empty'],
    [{}, '{}', 'Empty'],
    ['', '""', 'Empty text'],
  ])('%j is shown as %s and explained', (sent, seen, gloss) => {
    expect(value(sent)).toMatchObject({ text: seen, gloss })
  })
})

it('a template makes the headline and names values, and hides none; what it says is text', () => {
  const made = {
    ...{ type: 'refund.pay', version: 2, digest: 'sha256:1', name: { ko: '환불', en: 'Refund' } },
    sentence: { ko: '{/recipient/name} 님에게 {/amount}원을 환불합니다. {/gone}' },
    labels: { '/amount': { ko: '환불\u202e 금액', en: 'Refund' } },
  }
  const input = { amount: 820_000, recipient: { name: '이하늘' } }
  const more = { actionType: made, ...limit('/action/input/amount', 500_000) }
  const view = decisionView(decision(input, more), 'ko')
  expect(view.read).toMatchObject([{ label: ['"환불\\u{202e} 금액"'], path: 'amount', text: '820,000' }])
  expect(view.template).toEqual({ version: 2, digest: 'sha256:1' })
  expect(headline(view)).toBe('이하늘 님에게 820,000원을 환불합니다. ⟨/gone?⟩')
  expect(view.headline.filter(({ fact }) => fact).map(({ text: said }) => said)).toEqual([
    '이하늘',
    '820,000',
    '⟨/gone?⟩',
  ])
  const plain = decisionView(decision(input, { actionType: { ...made, sentence: null } }), 'en')
  expect(headline(plain)).toBe('Refund: Refund 820,000, Recipient › Name 이하늘')
})

it('counts values and bytes, up to what a person can read', () => {
  const fixed = viewSize(decision({})).values - 1
  const of = (count: number) => decision(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])))
  expect(viewSize(of(200 - fixed))).toMatchObject({ values: 200, fits: true })
  expect(viewSize(of(201 - fixed))).toMatchObject({ values: 201, fits: false })
  const { bytes } = viewSize(decision({ note: '' }))
  expect(viewSize(decision({ note: 'x'.repeat(32_768 - bytes) }))).toMatchObject({ bytes: 32_768, fits: true })
  expect(viewSize(decision({ note: '한'.repeat(11_000) })).fits).toBe(false)
})

it('folds a sentence that is too long for a glance, and no other', () => {
  const headline = (text: string) => ({ headline: [{ text, fact: true }], template: null, language: 'ko' as const })
  expect(headlineFold(headline('가'.repeat(120)))).toBe(null)
  expect(headlineFold(headline('가'.repeat(121)))).toMatchObject({ tag: 'label', attributes: { class: 'unfold' } })
})
