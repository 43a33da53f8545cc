import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, type Json } from '../canonical.ts'
import { entryContent, entryHash, firstSandboxId, logName, type Prepared } from '../chain.ts'
import { commit, commitment } from '../commitment.ts'
import { dpuStatic } from '../dpu-entry.ts'
import { historyStatic } from '../history-entry.ts'
import { proofStatic, proofValues } from '../proof-entry.ts'
import * as node from '../sha256.node.ts'
import * as web from '../sha256.web.ts'
import { dpuInput, historyInput, json, proofInput, saltSequence, text } from './arbitraries.ts'
import * as example from './worked-example.ts'

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %j', (input, expected) => {
    expect(node.sha256Hex(input)).toBe(expected)
    expect(web.sha256Hex(input)).toBe(expected)
  })

  it('is the same in Node and in a browser', () => {
    fc.assert(
      fc.property(text, fc.uint8Array({ maxLength: 200 }), (string, bytes) => {
        expect(web.sha256Hex(string)).toBe(node.sha256Hex(string))
        expect(web.sha256Bytes(bytes)).toEqual(node.sha256Bytes(bytes))
        expect(Buffer.from(node.sha256Bytes(Buffer.from(string))).toString('hex')).toBe(node.sha256Hex(string))
      }),
    )
  })
})

describe('worked example', () => {
  it('has the commitment', () => {
    const { salt, path, value, commitment: expected } = example.commitmentExample
    expect(commitment(salt, path, value)).toBe(expected)
  })

  it('has a preimage of 1192 bytes and both hashes', () => {
    const [first, second] = example.entries
    const genesis = canonical(example.contentOf(0))
    expect(Buffer.byteLength(genesis + first.sealedAt)).toBe(1192)
    expect(entryHash(genesis, null, first.sealedAt)).toBe(first.hash)
    expect(entryHash(canonical(example.contentOf(1)), first.hash, second.sealedAt)).toBe(second.hash)
  })
})

describe('commitment', () => {
  it('depends on the salt, the path and the value', () => {
    const salt = 'ab'.repeat(16)
    const original = commitment(salt, 'approval.reason', 'yes')
    expect(original).toBe(`sha256:${node.sha256Hex(`["${salt}","approval.reason","yes"]`)}`)
    expect(commitment('ac'.repeat(16), 'approval.reason', 'yes')).not.toBe(original)
    expect(commitment(salt, 'approval.approver.id', 'yes')).not.toBe(original)
    expect(commitment(salt, 'approval.reason', 'no')).not.toBe(original)
  })

  it('is made for each path, with a separate salt', () => {
    const path = fc.string({ unit: fc.constantFrom(...'abcXYZ."\\é😀'), minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.dictionary(path, json, { noNullPrototype: true }), (values) => {
        const { commitments, salts } = commit(values, saltSequence())
        expect(Object.keys(commitments)).toEqual(Object.keys(values))
        expect(new Set(Object.values(salts)).size).toBe(Object.keys(values).length)
        for (const path of Object.keys(values)) {
          expect(commitments[path]).toBe(commitment(salts[path] as string, path, values[path] as Json))
        }
      }),
    )
  })
})

const place = fc.record({
  log: fc.oneof(
    text,
    fc.nat().map((center) => logName('proof.example', center, 'proof')),
  ),
  index: fc.maxSafeInteger().map(Math.abs),
  sealedAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
})

describe('entryContent writes the canonical form of the content', () => {
  const agrees = (prepared: Prepared, at: { log: string; index: number; sealedAt: string }, members: Json) => {
    const { log, index } = at
    const whole = { ...(members as object), v: 'dpu-chain-v1', log, index, commitments: prepared.commitments }
    expect(entryContent(prepared, at)).toBe(canonical(whole as Json))
  }

  it('in the domain proof, with and without an approval and policies', () => {
    const seen = { approved: 0, plain: 0, policies: 0 }
    fc.assert(
      fc.property(proofInput, place, (input, at) => {
        const { id, decisionId, evidenceLevel, event, approval, policies = [], actionDigest } = input
        const { type, occurredAt, actor, action, replaces } = event
        if (approval) seen.approved++
        else seen.plain++
        if (policies.length > 0) seen.policies++
        agrees(proofStatic(input, saltSequence()), at, {
          domain: 'proof',
          actionDigest,
          id,
          decisionId,
          evidenceLevel,
          event: {
            type,
            occurredAt,
            actor: { type: actor.type },
            action: { type: action.type },
            ...(replaces !== undefined && { replaces }),
          },
          ...(approval && {
            approval: {
              result: approval.result,
              approvedAt: at.sealedAt,
              approver: { type: approval.approver.type },
              identity: { level: approval.identity.level },
              ...(approval.channel !== undefined && { channel: approval.channel }),
              ...(approval.openedAt !== undefined && { openedAt: approval.openedAt }),
              ...(approval.decidedAt !== undefined && { decidedAt: approval.decidedAt }),
            },
          }),
          ...(policies.length > 0 && { policies: policies.map((policy) => ({ ...policy })) }),
        })
      }),
      { numRuns: 1000 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
  })

  it('in the domain dpu', () => {
    fc.assert(
      fc.property(dpuInput, place, (input, at) => {
        const { values: _, ...members } = JSON.parse(JSON.stringify(input))
        agrees(dpuStatic(input, saltSequence()), at, { domain: 'dpu', ...members })
      }),
      { numRuns: 300 },
    )
  })

  it('in the domain history', () => {
    fc.assert(
      fc.property(historyInput, place, (input, at) => {
        const { id, type, target, previous } = input
        const state = `sha256:${'0'.repeat(64)}`
        const prepared = historyStatic(input, () => state, saltSequence())
        agrees(prepared, at, { domain: 'history', id, type, target, previous, state })
      }),
      { numRuns: 300 },
    )
  })
})

describe('commitments of a decision', () => {
  it('cover every submitted value and no absent one', () => {
    fc.assert(
      fc.property(proofInput, (input) => {
        const { event, approval } = input
        const said: Record<string, unknown> = {}
        const note = (prefix: string, from: object | undefined, names: readonly string[]) => {
          for (const name of names) {
            const value = (from as Record<string, unknown> | undefined)?.[name]
            if (value !== undefined) said[prefix ? `${prefix}.${name}` : name] = value
          }
        }
        note('event.actor', event.actor, ['id', 'name'])
        note('event.action', event.action, ['description', 'input', 'output'])
        note('event.aiContext', event.aiContext, Object.keys(event.aiContext ?? {}))
        note('event', event, ['tags', 'reason', 'riskScore', 'recordedBy'])
        note('approval.approver', approval?.approver, ['id', 'name'])
        note('approval', approval, ['reason', 'submittedBy', 'onBehalfOf'])
        note('approval.identity', approval?.identity, ['by'])
        note('', input, ['priorApprovals', 'control', 'vertical', 'country', 'region', 'actionSalt'])
        for (const [position, prior] of (input.prior ?? []).entries()) said[`prior${position}`] = prior
        expect(proofValues(input)).toEqual(said)
        expect(Object.keys(proofStatic(input, saltSequence()).commitments).sort()).toEqual(Object.keys(said).sort())
      }),
      { numRuns: 300 },
    )
  })

  it('keep the values out of the chain', () => {
    const secret = 'Kim Minji, born 2011'
    const { opening, before, after, approval } = proofStatic(
      {
        id: 'evd_1',
        actionDigest: `sha256:${'0'.repeat(64)}`,
        actionSalt: secret,
        decisionId: 'dec_1',
        evidenceLevel: 'AUDIT_READY',
        event: {
          type: 'custom',
          occurredAt: '2026-01-02T03:04:05.006Z',
          actor: { id: secret, type: 'human', name: secret },
          action: { type: 'plan.adjust', description: secret, input: { secret }, output: { secret } },
          aiContext: { model: secret, provider: secret, reasoning: secret },
          tags: [secret],
          reason: secret,
        },
        approval: {
          approver: { id: secret, type: 'human', name: secret },
          result: 'approved',
          reason: secret,
          submittedBy: secret,
          identity: { level: 'session', by: secret },
          onBehalfOf: secret,
        },
        priorApprovals: [{ secret }],
      },
      saltSequence(),
    )
    expect(opening + before + after + approval).not.toContain('Minji')
  })
})

it('names a log by host, center and domain', () => {
  expect(logName('proof.example', 42, 'proof')).toBe('proof.example/c/42/proof')
  expect(logName('proof.example', firstSandboxId - 1, 'dpu')).toBe('proof.example/c/999999999/dpu')
  expect(logName('proof.example', firstSandboxId, 'dpu')).toBe('proof.example/sandbox/1000000000/dpu')
})
