/** Valid calls of the operations on workflows and their executions. */
import { newId } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'

/** A workflow that allows concurrent executions, so that every caller can get the same answer. */
const anyOf = ({ services }: TestServer): string => {
  const found = services.catalogue.ofVertical('education').find(({ definition }) => !definition.alone)
  if (!found) throw new Error('education has no workflow that allows concurrent executions')
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

// A workflow is the same in every center of the vertical: a caller that names it sees its own executions.
export const workflowSamples: Readonly<Record<string, Sample>> = {
  'workflows.list': { call: () => ({}), status: 200 },
  'workflows.execute': {
    call: (server) => ({ params: { workflowId: anyOf(server) }, body }),
    status: 200,
    namesNothing: true,
  },
  'workflows.putSettings': {
    call: (server) => ({ params: { workflowId: anyOf(server) }, body: { tags: ['sample'] } }),
    status: 200,
    namesNothing: true,
  },
  'executions.list': { call: (server) => ({ params: { workflowId: anyOf(server) } }), status: 200, namesNothing: true },
  'executions.get': ofRun,
  'executions.cancel': ofRun,
}
