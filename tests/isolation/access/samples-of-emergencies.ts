/** Valid calls of the operations on approvals that were given in an emergency. */
import { newId } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import { emergencyForPartner, emergencyIn, join, objectTo } from '../emergencies.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'
import { withKeys } from './samples-of-passkeys.ts'

/** Used by somebody new each time: whoever used one that is not settled has to wait. */
async function toBeConfirmed(server: TestServer, { center, admin }: Cast): Promise<string> {
  return emergencyIn(server, { center, admin, user: await join(server, center, 'INSTRUCTOR') })
}

async function objectedTo(server: TestServer, cast: Cast): Promise<string> {
  const id = await toBeConfirmed(server, cast)
  await objectTo(server, cast.center, cast.instructor, id)
  return id
}

const about = (make: typeof toBeConfirmed, body: object): Sample => {
  const call = (eventId: string) => ({ params: { eventId }, body })
  return {
    status: 200,
    call: async (server, cast) => call(await make(server, cast)),
    nowhere: () => call(newId('decisionEvent')),
  }
}

const confirmation = { result: 'confirmed' }
const closing = { reason: 'We spoke about it.' }

export const emergencySamples: Readonly<Record<string, Sample>> = {
  'decisions.challengeConfirmation': withKeys(about(toBeConfirmed, confirmation)),
  'decisions.confirm': about(toBeConfirmed, confirmation),
  'decisions.closeEmergency': about(objectedTo, closing),
  'partner.closeEmergency': {
    call: async (server, { partner }) => ({
      params: (await emergencyForPartner(server, partner)).params,
      body: closing,
    }),
    status: 200,
    foreign: { status: 404, code: 'CENTER_NOT_FOUND' },
    nowhere: () => ({ params: { centerId: '2000000000', eventId: newId('decisionEvent') }, body: closing }),
  },
}
