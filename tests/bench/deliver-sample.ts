import { perEndpoint } from '@countersign/server/features/automation/webhooks/delivery-worker.ts'

/** Concurrent deliveries, for the worker and for the reference. */
export const concurrency = perEndpoint
export const sampleSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const sampleData = JSON.stringify({
  dpuId: 'dpu_01kz9x4q8hfx5r3v7t2b6n0m1c',
  chainHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  domain: 'proof',
  actorId: 'agent-7',
  chainIndex: 41,
  sealedAt: '2026-11-15T09:30:00.000Z',
})
