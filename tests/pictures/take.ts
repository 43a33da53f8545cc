/** Every page of the console with demo data, in both themes and both languages and on a phone, and one sheet of all of them. */
import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { violations } from '../journeys/axe.ts'
import { type ConsoleDesk, restyle, settled } from '../support/console.ts'
import { misfits } from '../support/layout.ts'
import type { Person } from '../support/world.ts'
import { takeOthers } from './others.ts'
import { pagesOf } from './pages.ts'
import { writeReadmePictures } from './readme.ts'
import { besideReferences, contactSheet } from './sheets.ts'
import type { Story } from './story.ts'
import { phone, screen, views } from './views.ts'

const kinds = [...views.map(({ theme, language }) => `${theme}-${language}`), 'phone']

interface Wanted {
  readonly folder: string
  /** Pages whose names match; absent, all. */
  readonly only?: RegExp | undefined
  /** More widths, each in every view: `NAME-WIDTH-THEME-LANGUAGE.png`. */
  readonly widths?: readonly number[] | undefined
  /** A folder with pictures of the reference pages. */
  readonly references?: string | undefined
  /** Where the pictures of the README go. */
  readonly readme?: string | undefined
}

/** Returns the pages, and what axe finds and what does not fit on them. */
export async function takePictures(
  desk: ConsoleDesk,
  story: Story,
  { folder, only, widths = [], references, readme }: Wanted,
) {
  const people: Readonly<Record<string, Person>> = {
    ADMIN: story.admin,
    INSTRUCTOR: story.instructor,
    PARENT: story.parent,
    CHILD: story.client,
    PARTNER_ADMIN: story.partner,
    OPERATOR: story.operator,
    ALTERED: story.altered.admin,
  }
  await mkdir(folder, { recursive: true })
  const all = (await pagesOf(story)).filter(({ name }) => !only || only.test(name))
  const open = new Map<string | null, Page>()
  const found: string[] = []
  for (const { name, path, as, press } of all) {
    // A page that doesn't come is named, and hides no other.
    try {
      const person = as === null ? null : people[as]
      if (person === undefined) throw new Error(`the story has no person with the role ${as}`)
      const page = open.get(as) ?? (await desk.visit(person, as === null ? path : '/me'))
      open.set(as, page)
      await page.goto(desk.origin + path)
      if (press) await page.locator(press).click()
      for (const view of views) {
        await restyle(page, view)
        const what = [...(await violations(page)), ...(view === views[0] ? await misfits(page) : [])]
        found.push(...what.map((each) => `${name} ${view.theme} ${view.language} ${each}`))
        await page.screenshot({ path: `${folder}/${name}-${view.theme}-${view.language}.png` })
      }
      await restyle(page, views[0])
      await page.setViewportSize(phone)
      await settled(page)
      await page.screenshot({ path: `${folder}/${name}-phone.png` })
      for (const view of [views[0], views[2]]) {
        await restyle(page, view)
        await settled(page)
        await page.screenshot({ path: `${folder}/${name}-phone-${view.language}.png` })
      }
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 600 ? phone.height : screen.height })
        for (const view of views) {
          await restyle(page, view)
          await page.screenshot({ path: `${folder}/${name}-${width}-${view.theme}-${view.language}.png` })
        }
      }
      await page.setViewportSize(screen)
    } catch (error) {
      open.delete(as)
      found.push(`${name} ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
  const others = await takeOthers(desk, story, folder, only)
  found.push(...others.found)
  await contactSheet(desk.browser, folder, [...all.map(({ name }) => name), ...others.names], kinds)
  if (references) await besideReferences(desk.browser, folder, references)
  if (readme) await writeReadmePictures(desk.browser, folder, readme, only)
  return { pages: [...all.map(({ name }) => name), ...others.names], found }
}
