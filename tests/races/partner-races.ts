/** One name, one domain of one's own: many hands. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import type { Center } from '../support/world.ts'
import { allAtOnce, countBy, judge, type Race } from './arena.ts'
import { checkOneWinner, countOf } from './platform-races.ts'

export const sameNameRace: Race = {
  name: 'one name for many new centers',
  async prepare(arena) {
    const { world, doors } = arena
    const [partner, admin] = [await world.partner(), await world.person()]
    await world.account(admin, partner)
    let made = 0
    return async (contenders) => {
      const { accessToken: token } = await (doors[0] as (typeof doors)[0]).signIn(admin)
      const name = `Wanted ${newUuid().slice(-12)}`
      const { answers, turnedAway } = await allAtOnce(arena, contenders, (door) =>
        door.call('POST', '/api/partner/centers', {
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
        'not one has the name’s own',
      )
      made += answers.length
      const { body } = await (doors[0] as (typeof doors)[0]).call('GET', '/api/partner/stats/dashboard', { token })
      check(body.data.totalCenters === made, `the dashboard says ${body.data.totalCenters} of ${made}`)
      const rows = await countOf(world, 'directory.centers where partner_id = $1', [partner.id])
      check(rows === made, `${rows} centers of ${made}`)
      return { violations, turnedAway }
    }
  },
}

export const customDomainRace: Race = {
  name: 'one custom domain',
  async prepare(arena) {
    const { world, doors } = arena
    const admin = await world.person()
    const centers: Center[] = []
    return async (contenders) => {
      while (centers.length < contenders) {
        const center = await world.center({ tenantType: 'WHITE_LABEL' })
        await world.member(admin, center, 'ADMIN')
        centers.push(center)
      }
      const { accessToken: token } = await (doors[0] as (typeof doors)[0]).signIn(admin, centers[0]?.domain)
      const customDomain = `r-${newUuid().slice(-12)}.example`
      let next = 0
      const { answers, turnedAway } = await allAtOnce(arena, contenders, (door) =>
        door.call('PATCH', `/api/centers/${centers[next++]?.id}/settings`, {
          token,
          body: { branding: { customDomain } },
        }),
      )
      const { check, violations } = judge()
      checkOneWinner(check, answers, 200, 'CONFLICT')
      const holders = await countOf(world, 'directory.centers where custom_domain = $1', [customDomain])
      check(holders === 1, `${holders} centers have it`)
      const config = await (doors[0] as (typeof doors)[0]).call('GET', `/api/whitelabel/${customDomain}/config`)
      check(config.status === 200, `its configuration is answered ${config.status}`)
      return { violations, turnedAway }
    }
  },
}
