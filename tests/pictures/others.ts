/** Pages outside of the console that the same drawings show: the approval page before and after the seal, and the verification page. */
import type { Page } from 'playwright-core'
import { violations } from '../journeys/axe.ts'
import type { ConsoleDesk } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { tellInEnglish } from './english.ts'
import type { Story } from './story.ts'
import { phone, screen, views } from './views.ts'

interface OtherPage {
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  readonly open: (page: Page) => Promise<void>
}

async function pagesOf(desk: ConsoleDesk, { admin, center, decision, waiting }: Story): Promise<readonly OtherPage[]> {
  const { accessToken: token } = await desk.server.signIn(admin, center.domain)
  const details = await desk.server.call('GET', `/api/decisions/${decision}`, { token })
  const id = String(details.body.data.evidence.id).replace(/^[a-z]+_/, 'dpu_')
  const proof = await desk.server.call('GET', `/api/dpu/${id}/export`, { token })
  const approval =
    (event: string, shown: string, as: Person = admin) =>
    async (page: Page) => {
      await page.goto(`${desk.origin}/approve/${event}`)
      await page.locator(`input[type=email], ${shown}`).first().waitFor()
      if (await page.locator('input[type=email]').isVisible()) await desk.signIn(page, as)
      await page.locator(shown).waitFor()
    }
  const file = { name: `${id}.jsonld`, mimeType: 'application/json', buffer: Buffer.from(proof.text) }
  return [
    { name: 'approve', size: phone, open: approval(waiting, '.sentence') },
    {
      name: 'english',
      size: phone,
      async open(page) {
        const english = await tellInEnglish(desk)
        await page.context().clearCookies()
        await approval(english.event, '.sentence', english.approver)(page)
        await page.context().clearCookies()
      },
    },
    { name: 'approve-sealed', size: phone, open: approval(decision, '.stamp') },
    {
      name: 'verify',
      size: screen,
      open: async (page) => {
        await page.goto(`${desk.origin}/verify`)
        await page.locator('#choose').setInputFiles([file])
        await page.locator('#verdict').waitFor()
      },
    },
  ]
}

/** Returns their names, and what axe finds and what does not fit. */
export async function takeOthers(desk: ConsoleDesk, story: Story, folder: string, only: RegExp | undefined) {
  const all = await pagesOf(desk, story)
  const page = await desk.open(desk.browser, '/verify', { deviceScaleFactor: 1 })
  const found: string[] = []
  for (const { name, size, open } of all.filter((each) => !only || only.test(each.name))) {
    await page.setViewportSize(size)
    await open(page)
    for (const { theme, language } of views) {
      await page.emulateMedia({ colorScheme: theme })
      await page.locator(`#say-${language}`).click()
      const what = [...(await violations(page)), ...(await misfits(page))]
      found.push(...what.map((each) => `${name} ${theme} ${language} ${each}`))
      await page.evaluate('scrollTo(0, 0)')
      await page.screenshot({ path: `${folder}/${name}-${theme}-${language}.png` })
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('#say-ko').click()
    await page.setViewportSize(phone)
    await page.evaluate('scrollTo(0, 0)')
    await page.screenshot({ path: `${folder}/${name}-phone.png` })
  }
  await page.context().close()
  return { names: all.map(({ name }) => name), found }
}
