/** The documentation site: its links, its anchors, its Markdown, and that nothing in it needs a weaker policy. */
import { scopes } from '@countersign/contract/enums.ts'
import { errorCodes } from '@countersign/contract/errors.ts'
import { operations } from '@countersign/contract/operations.ts'
import { eventTypeNames } from '@countersign/contract/webhook-events.ts'
import { settings } from '@countersign/server/config/settings.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { decisions, groups } from '../../apps/docs/map.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
}, 300_000)

const languages = ['', '/ko']
const anchorsOn = (address: string): string[] =>
  Array.from(site.pages.get(address)?.html.matchAll(/<span id="([^"]+)"><\/span>/g) ?? [], ([, id]) => id as string)

describe.each(languages)('the reference below /docs%s', (language) => {
  it('has one anchor for each error code, event type, scope and setting, and no other', () => {
    expect(anchorsOn(`/docs${language}/reference/errors`)).toEqual(Object.keys(errorCodes))
    expect(anchorsOn(`/docs${language}/reference/events`)).toEqual(eventTypeNames)
    expect(anchorsOn(`/docs${language}/reference/scopes`)).toEqual(scopes)
    expect(anchorsOn(`/docs${language}/reference/settings`)).toEqual(Object.keys(settings))
  })

  it('has one anchor for each operation', () => {
    const pages = [...site.pages.keys()].filter((address) => address.startsWith(`/docs${language}/reference/api/`))
    expect(pages.flatMap(anchorsOn).sort()).toEqual(operations.map(({ id }) => id).sort())
  })
})

describe('links', () => {
  it('lead to pages, places and files that exist', () => {
    const broken: string[] = []
    let checked = 0
    for (const { address, html } of site.pages.values()) {
      for (const [, target = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        if (!/^(\/docs|#)/.test(target)) continue
        checked++
        const fault = site.fault(target.replaceAll('&amp;', '&'), address)
        if (fault) broken.push(`${address}: ${target}: ${fault}`)
      }
    }
    expect(broken).toEqual([])
    expect(checked).toBeGreaterThan(10_000)
  })

  it('to other places of this server are those of the fonts and the description', () => {
    const others = new Set<string>()
    for (const { html } of site.pages.values()) {
      for (const [, target = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        if (!/^(\/docs|#|https?:|mailto:)/.test(target)) others.add(target)
      }
    }
    expect([...others].sort()).toEqual(['/assets/fonts.css'])
  })

  it('of the search and of llms.txt lead to places that exist', () => {
    const found = ['en', 'ko'].flatMap(
      (language) => JSON.parse(site.read(`search-${language}.json`)) as { address: string }[],
    )
    expect(found.length).toBeGreaterThan(1000)
    expect(found.filter(({ address }) => site.fault(address, ''))).toEqual([])
    const listed = Array.from(site.read('llms.txt').matchAll(/\]\(([^)]+)\)/g), ([, target]) => target as string)
    expect(listed.length).toBeGreaterThan(60)
    expect(listed.filter((target) => site.fault(target, ''))).toEqual([])
  })
})

describe('pages', () => {
  it('exist in both languages, each with its Markdown beside it', () => {
    const slugs = [...groups.flatMap(({ pages }) => pages), ...decisions].map(({ slug }) => slug)
    for (const language of languages) {
      for (const slug of slugs) expect(site.pages.has(`/docs${language}/${slug}`), slug).toBe(true)
    }
    const without = [...site.pages.keys()].filter((address) => {
      const name = address.replace(/^\/docs\/?/, '') || 'index'
      return site.fault(`/docs/${name === 'ko' ? 'ko/index' : name}.md`, '')
    })
    expect(without).toEqual([])
  })

  it('have no script, style or handler inside', () => {
    for (const { address, html } of site.pages.values()) {
      const inside = html.match(/<style|<script(?![^>]*\ssrc=)|\sstyle="|<[^>]*\son\w+="/g)
      expect(inside, address).toBeNull()
    }
  })

  it('load only files of this server', () => {
    for (const { address, html } of site.pages.values()) {
      const loaded = html.match(
        /<(?:script|img|link|iframe|source)[^>]*\s(?:src|href|srcset)="(?!\/(?!\/)|data:)[^"]*"/g,
      )
      expect(loaded, address).toBeNull()
    }
  })
})
