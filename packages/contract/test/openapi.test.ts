import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from 'typebox'
import Value from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { offenders } from '../../../tests/support/offenders.ts'
import recorded from '../examples.json' with { type: 'json' }
import { replyExample } from '../examples.ts'
import { errorsOf, openApiDocument } from '../openapi.ts'
import { namedSchemas } from '../openapi-schemas.ts'
import { fullPath, type Operation, payloadName } from '../operation.ts'
import { operations } from '../operations.ts'
import { type Schema, schemasIn } from './schemas.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test reads an untyped document
const document = openApiDocument() as any
// biome-ignore lint/suspicious/noExplicitAny: the test reads an untyped document
const described = ({ spec }: Operation): any => document.paths[fullPath(spec)]?.[spec.method.toLowerCase()]

/** Inline objects where a reference to a component is expected. */
function anonymousObjects(root: object): string[] {
  const found: string[] = []
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, properties } = value as Schema
    const isComponent = /^\/components\/schemas\/[^/]+$/.test(place)
    if ([type].flat().includes('object') && properties && !isComponent) found.push(place)
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples') walk(inner, `${place}/${key}`)
    }
  }
  walk(root, '')
  return found
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 of API version 1.0.0', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(document.info.version).toBe('1.0.0')
  })

  it('is refused by the validator after a deliberate error', async () => {
    const broken = structuredClone(document)
    delete broken.paths['/api/auth/login'].post.responses
    broken.paths['/api/auth/login'].post.responses = 'none'
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  it('equals the committed file', () => {
    expect(JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))).toEqual(document)
  })

  it('has no dangling reference', () => {
    const text = JSON.stringify(document)
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (pointer as string).split('/').reduce((inner, key) => inner?.[key], document)
      expect([pointer, target !== undefined]).toEqual([pointer, true])
    }
    expect(text).not.toMatch(/"\$ref":"(?!#)/)
  })

  it('has no anonymous object', () => {
    expect(anonymousObjects(document)).toEqual([])
  })

  it('reports an object without a name', () => {
    const inner = { type: 'object', properties: { size: { type: 'integer' } } }
    const schemas = { Box: { type: 'object', properties: { lid: inner, sides: { type: 'array', items: inner } } } }
    expect(anonymousObjects({ components: { schemas } })).toHaveLength(2)
  })

  it('names schemas in PascalCase words', () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
    for (const name of [
      'DecisionEvent',
      'NewDecisionEvent',
      'DecisionEventResponse',
      'DecisionEventSummaryPage',
      'Webhook',
    ])
      expect(names).toContain(name)
  })

  it('describes every tag: purpose, credential and first operation', () => {
    const used = [...new Set(operations.map(({ spec }) => spec.tag))].toSorted()
    expect(document.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(used)
    for (const { description } of document.tags) {
      expect(description).toMatch(/\bcredential\b/i)
      expect(description).toMatch(/^Start with /m)
    }
  })

  it('begins with the Proof API, and lists paths in the order of the tags', () => {
    expect(Object.keys(document.paths)[0]).toBe('/api/v1/decision-events')
    const tagOf = (path: object) => Object.values(path)[0].tags[0]
    const order = Object.values(document.paths).map((path) => tagOf(path as object))
    const names: string[] = document.tags.map(({ name }: { name: string }) => name)
    expect(order).toEqual(order.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)))
    const lastProof = order.lastIndexOf('Webhooks')
    // What programs and people both manage stands with the tag of the people who do.
    const shared = /^\/api\/v1\/(policies|sandboxes|sandbox|api-key)\b/
    const later = Object.keys(document.paths).slice(lastProof + 1)
    for (const path of later.filter((each) => !shared.test(each))) expect(path).not.toMatch(/^\/api\/v1\//)
  })

  it('contains exactly the operations', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as object).map((each) => each.operationId),
    )
    expect(ids.toSorted()).toEqual(operations.map((each) => each.id).toSorted())
  })
})

/** What the document says of every operation. */
const rules: Readonly<Record<string, (operation: Operation) => void>> = {
  'declares access and error responses': (operation) => {
    const { security, responses, description } = described(operation)
    const session = ['accessToken', 'sessionCookie']
    const kinds = { public: [], key: ['apiKey'], actor: session, partner: session, operator: session }
    const named = [...new Set(security.flatMap((each: object) => Object.keys(each)))]
    expect(named).toEqual(kinds[operation.spec.access.kind])
    expect(description).toContain('**Who may call it:**')
    const statuses = [...Object.keys(operation.bodies), ...[...errorsOf(operation).keys()].map(String)]
    expect(Object.keys(responses).toSorted()).toEqual([...new Set(statuses)].toSorted())
  },

  'requires every parameter of its path': (operation) => {
    const { spec } = operation
    const { parameters } = described(operation) as { parameters: { name: string; in: string; required: boolean }[] }
    const inPath = parameters.filter((each) => each.in === 'path')
    expect(inPath.map((each) => each.name)).toEqual([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    for (const each of inPath) expect(each.required).toBe(true)
    const takesKey = operation.idempotent || spec.idempotency === 'own'
    expect(JSON.stringify(parameters).includes('IdempotencyKey')).toBe(takesKey)
  },

  'has only valid examples': ({ spec, bodies }) => {
    const schemas = [spec.params, spec.query, spec.body, ...Object.values(bodies)].flatMap((each) =>
      each ? [...schemasIn(each as Schema)] : [],
    )
    for (const { place, schema } of schemas) {
      for (const example of schema.examples ?? [])
        expect([place, example, Value.Check(schema as never, example)]).toEqual([place, example, true])
    }
  },

  'has an example of its body, which is refused with an unknown field': ({ spec }) => {
    if (!spec.body) return
    const body = spec.body as Schema
    expect(body.examples?.length).toBeGreaterThan(0)
    for (const example of body.examples ?? []) {
      expect([...Value.Errors(spec.body as never, example)]).toEqual([])
      // A body that is a free object accepts any field.
      const free = body.additionalProperties === true
      expect(Value.Check(spec.body as never, { ...(example as object), unheardOf: 1 })).toBe(free)
    }
  },

  'has an example of its reply for every success status': (operation) => {
    for (const [status, body] of Object.entries(operation.bodies)) {
      if (body === null) continue
      const example = replyExample(operation, Number(status))
      expect(example).toBeDefined()
      expect([...Value.Errors(body, example)]).toEqual([])
    }
  },
}

const idOf = ({ id }: Operation): string => id

describe('every operation of the document', () => {
  it.each(Object.entries(rules))('%s', async (_, rule) => {
    expect(await offenders(operations, idOf, rule)).toEqual([])
  })
})

describe('an operation that breaks the rule is listed', () => {
  const sound = operations.find(({ id }) => id === 'webhooks.update') as Operation
  const body = { ...(sound.spec.body as Schema), examples: [{ nothing: 1 }] } as never
  const planted: Readonly<Record<string, Operation>> = {
    'declares access and error responses': { ...sound, spec: { ...sound.spec, access: { kind: 'public' } } },
    'requires every parameter of its path': { ...sound, idempotent: false },
    'has only valid examples': { ...sound, spec: { ...sound.spec, body } },
    'has an example of its body, which is refused with an unknown field': { ...sound, spec: { ...sound.spec, body } },
    'has an example of its reply for every success status': { ...sound, bodies: { 200: Type.Literal('another') } },
  }

  it.each(Object.entries(rules))('%s', async (name, rule) => {
    const broken = planted[name] as Operation
    expect(await offenders([sound, broken], idOf, rule)).toEqual([expect.stringMatching(/^webhooks\.update: /)])
  })
})

it('examples.json has no unused example', () => {
  const used = operations.flatMap(({ id, spec }) => [
    id,
    ...Object.keys(spec.replies).map((status) => `${id} ${status}`),
    (spec.counts && payloadName(spec.counts)) ?? '',
    ...Object.values(spec.replies).flatMap((payload) => {
      const { title, items } = (payload ?? {}) as { title?: string; items?: { title?: string } }
      return [title ?? items?.title ?? '']
    }),
  ])
  expect(Object.keys(recorded).filter((name) => !used.includes(name))).toEqual([])
})

it('two different schemas with one title are refused', () => {
  const { refer } = namedSchemas()
  refer({ title: 'Box', type: 'object', properties: { a: { type: 'string' } } })
  expect(() => refer({ title: 'Box', type: 'object', properties: { b: { type: 'string' } } })).toThrow('Box')
})
