import { operations } from '@countersign/contract/operations.ts'
import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'
import { fuzz } from './requests.ts'

it('2,000 generated requests: no mistake of ours, no answer outside the contract, nothing of our insides', {
  timeout: 600_000,
}, async () => {
  const server = await startServer()
  const report = await fuzz({ ...server, publicUrl: server.services.config.publicUrl }, { count: 2000 })
  const complaints = server.logs.filter((line) => Number(JSON.parse(line).level) >= 50)
  await server.close()
  expect(report.failure).toBeNull()
  expect(complaints).toEqual([])
  expect(report.requests).toBeGreaterThanOrEqual(2000)
  // A run that is refused at the door everywhere would prove nothing.
  const succeeded = operations.filter(({ id }) =>
    [...(report.reached.get(id)?.keys() ?? [])].some((status) => status < 300),
  )
  expect(succeeded.map(({ id }) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  const statuses = Object.keys(report.byStatus).map(Number)
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 409, 422]))
})
