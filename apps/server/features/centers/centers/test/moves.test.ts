import { type CenterStatus, centerStatuses } from '@countersign/contract/enums.ts'
import { centerMoves, moveBetween } from '@countersign/contract/moves.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type OperatorShell, openOperatorShell } from '../../../../data/operator.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { createSandbox } from '../../sandboxes/api.ts'
import { moveCenter } from '../api.ts'

let server: TestServer
let shell: OperatorShell

beforeAll(async () => {
  server = await startServer()
  shell = openOperatorShell(server.services.config, server.services.log)
})
afterAll(async () => {
  await shell.close()
  await server.close()
})

const operator = { requestId: 'operator', actorId: 'operator', centerId: 0 }
const move = (id: number, to: CenterStatus) => shell.asOperator(operator, (tx) => moveCenter(tx, id, to))

const statusOf = async (id: number) =>
  (await server.world.query<{ status: string }>('select status from directory.centers where id = $1', [id]))[0]?.status
const entriesOf = (id: number) =>
  server.world.query<{ details: object; actor_id: string }>(
    `select details, actor_id from directory.audit_entries where type = 'center.updated' and center_id = $1`,
    [id],
  )

const pairs = centerStatuses.flatMap((from) => centerStatuses.map((to) => ({ from, to })))

describe('every state from every state', () => {
  it('follows the rule: an ended center stays ended, and only the operator ends one', () => {
    const allowed = pairs.filter(({ from, to }) => moveBetween(centerMoves, from, to))
    expect(allowed.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
      'ACTIVE INACTIVE',
      'ACTIVE SUSPENDED',
      'SUSPENDED ACTIVE',
      'SUSPENDED INACTIVE',
    ])
    const operatorAlone = Object.values(centerMoves).filter(({ by }) => by === 'the operator')
    expect(operatorAlone.map(({ to }) => to)).toEqual(['INACTIVE'])
  })

  it.each(pairs)('$from to $to', async ({ from, to }) => {
    const { id } = await server.world.center({ status: from })
    const name = moveBetween(centerMoves, from, to)
    if (name) {
      expect(await move(id, to)).toBe(from)
      expect(await statusOf(id)).toBe(to)
      expect(await entriesOf(id)).toEqual([{ actor_id: 'operator', details: { action: name, from, to } }])
      await expect(move(id, to)).rejects.toMatchObject({ code: 'CONFLICT' })
      expect(await entriesOf(id)).toHaveLength(1)
    } else {
      await expect(move(id, to)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(`A center with the status ${from} can't be changed to ${to}`),
      })
      expect(await statusOf(id)).toBe(from)
      expect(await entriesOf(id)).toEqual([])
    }
  })

  it.each(pairs.filter(({ from, to }) => moveBetween(centerMoves, from, to)))(
    '$from to $to, of its sandbox',
    async ({ from, to }) => {
      const { id, domain } = await server.world.center()
      const person = await server.world.person()
      await server.world.member(person, { id, domain })
      const { accessToken: token } = await server.signIn(person, domain)
      const made = await server.call('POST', `/api/centers/${id}/sandbox`, { token })
      const sandbox: number = made.body.data.center.id
      await server.world.query('update directory.centers set status = $2 where id = $1', [id, from])
      await move(id, to)
      const ends = to === 'INACTIVE'
      expect(await statusOf(sandbox)).toBe(ends ? 'INACTIVE' : 'ACTIVE')
      expect((await entriesOf(sandbox)).map(({ details }) => details)).toEqual(
        ends ? [{ action: 'end', from: 'ACTIVE', to: 'INACTIVE' }] : [],
      )
    },
  )

  it('a center that has ended gets no sandbox', async () => {
    const { id } = await server.world.center({ status: 'INACTIVE' })
    const create = shell.asOperator(operator, (tx) => createSandbox(server.services, tx, id, newUuid()))
    await expect(create).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has been closed'),
    })
  })

  it('is refused for a center that does not exist', async () => {
    await expect(move(2_000_000_000, 'INACTIVE')).rejects.toMatchObject({ code: 'CENTER_NOT_FOUND' })
  })
})

describe('the effect of a state', () => {
  const outcome = async (center: { id: number; domain: string }, token: string, key: string) => {
    // Another process made the move, so this one sees it within a second.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const entered = await server.call('GET', `/api/centers/${center.id}`, { token })
    const listed = await server.call('GET', '/api/v1/decision-events', { token: key })
    const shown = await server.call('GET', `/api/centers/${center.domain}/info`)
    return [entered.body.error?.code ?? entered.status, listed.body.error?.code ?? listed.status, shown.status]
  }

  it('reaches members and API keys when the center is suspended, reinstated and ended', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken } = await server.signIn(person, center.domain)
    const key = await server.world.key(center)
    await move(center.id, 'SUSPENDED')
    expect(await outcome(center, accessToken, key)).toEqual(['CENTER_SUSPENDED', 'FORBIDDEN', 200])
    await move(center.id, 'ACTIVE')
    expect(await outcome(center, accessToken, key)).toEqual([200, 200, 200])
    await move(center.id, 'INACTIVE')
    expect(await outcome(center, accessToken, key)).toEqual(['CENTER_SUSPENDED', 'FORBIDDEN', 404])
  })
})
