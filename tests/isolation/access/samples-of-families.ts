/** Valid calls of the operations on children and guardians. */
import { newId, newUuid, typedId } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Center, Person } from '../../support/world.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'

/** A guardianship of this person for a new child of the center. */
async function guardianship({ world }: TestServer, parent: Person, center: Center, status: string): Promise<string> {
  const [child, id] = [await world.person({ login: false }), newUuid()]
  await world.member(child, center, 'CHILD')
  await world.query(
    'insert into directory.guardianships (center_id, id, parent_id, child_id, status) values ($1, $2, $3, $4, $5)',
    [center.id, id, parent.actorId, child.actorId, status],
  )
  return typedId('guardianship', id)
}

const here = ({ center }: Cast) => ({ center: center.domain })

/** The administrator of the cast is the parent: only the parent can answer. */
const own = (from: string): Sample => ({
  call: async (server, { admin, center }) => ({
    params: { id: await guardianship(server, admin, center, from) },
  }),
  status: 200,
  others: { status: 404, code: 'NOT_FOUND' },
  nowhere: () => ({ params: { id: newId('guardianship') } }),
})

export const familySamples: Readonly<Record<string, Sample>> = {
  'children.list': { call: (_, cast) => ({ params: here(cast) }), status: 200 },
  'children.create': { call: (_, cast) => ({ params: here(cast), body: { name: 'Mina' } }), status: 201 },
  'guardianships.invite': {
    call: (_, cast) => ({
      params: { ...here(cast), childId: cast.child.actorId },
      body: { email: `parent-${newUuid()}@people.example` },
    }),
    status: 201,
    nowhere: (cast) => ({ params: { ...here(cast), childId: newUuid() }, body: { email: 'parent@people.example' } }),
  },
  'guardianships.endAsCenter': {
    call: async (server, cast) => ({
      params: { ...here(cast), id: await guardianship(server, cast.instructor, cast.center, 'ACTIVE') },
    }),
    status: 200,
    nowhere: (cast) => ({ params: { ...here(cast), id: newId('guardianship') } }),
  },
  'guardianships.accept': own('INVITED'),
  'guardianships.end': own('ACTIVE'),
  'family.get': { call: () => ({}), status: 200 },
  'family.listAppointments': { call: () => ({}), status: 200 },
  'family.listAttendance': { call: () => ({}), status: 200 },
}
