/** Concurrent claims of one center name. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { countOf } from './platform-races.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

export const sameNameRace: Race = {
  name: 'one name for many new centers',
  async prepare(setup) {
    const { world, clients } = setup
    const [partner, admin] = [await world.partner(), await world.person()]
    await world.account(admin, partner)
    let made = 0
    return async (contenders) => {
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(admin)
      const name = `Wanted ${newUuid().slice(-12)}`
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', '/api/partner/centers', {
          token,
          body: { name, tenantType: 'CENTER', vertical: 'education', adminEmail: `${newUuid()}@many.example` },
        }),
      )
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => status === 201),
        `answers ${countBy(answers)}`,
      )
      const slugs = answers.map(({ body }) => body.data?.centerDomain)
      check(new Set(slugs).size === answers.length, 'two centers have one slug')
      check(
        slugs.filter((slug) => slug === name.toLowerCase().replace(' ', '-')).length === 1,
        'no center has the slug of the name',
      )
      made += answers.length
      const { body } = await (clients[0] as (typeof clients)[0]).call('GET', '/api/partner/stats/dashboard', { token })
      check(body.data.totalCenters === made, `the dashboard says ${body.data.totalCenters} of ${made}`)
      const rows = await countOf(world, 'directory.centers where partner_id = $1', [partner.id])
      check(rows === made, `${rows} centers of ${made}`)
      return { violations, turnedAway }
    }
  },
}
