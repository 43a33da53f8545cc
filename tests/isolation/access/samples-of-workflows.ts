/** Good calls of the operations on workflows and their runs. */
import { newId } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'

/** One that may run beside itself, so that every caller can be answered the same. */
const anyOf = ({ services }: TestServer): string => {
  const found = services.catalogue.ofVertical('education').find(({ definition }) => !definition.alone)
  if (!found) throw new Error('education has no workflow that may run beside itself')
  return found.id
}

const body = { parameters: { from: '2026-09-01', to: '2026-12-31' } }

async function newRun(server: TestServer, { admin, center }: Cast): Promise<string> {
  const { accessToken } = await server.signIn(admin, center.domain)
  const answer = await server.call('POST', `/api/workflows/${anyOf(server)}/execute`, { token: accessToken, body })
  if (answer.status !== 200) throw new Error(`could not make a sample: ${answer.text}`)
  return answer.body.data.executionId
}

const ofRun: Sample = {
  call: async (server, cast) => ({ params: { executionId: await newRun(server, cast) } }),
  status: 200,
  nowhere: () => ({ params: { executionId: newId('execution') } }),
}

// A workflow is the same in every center of the vertical: who names it asks about their own runs of it.
export const workflowSamples: Readonly<Record<string, Sample>> = {
  'workflows.list': { call: () => ({}), status: 200 },
  'workflows.execute': {
    call: (server) => ({ params: { workflowId: anyOf(server) }, body }),
    status: 200,
    namesNothing: true,
  },
  'executions.list': { call: (server) => ({ params: { workflowId: anyOf(server) } }), status: 200, namesNothing: true },
  'executions.get': ofRun,
  'executions.cancel': ofRun,
}
