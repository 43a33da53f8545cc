/**
 * The page of `apps/verifier/`, as it lies on the disk, with what this server knows put into it as data. The script that reads
 * it is allowed by its hash alone; a block of data is never run, whatever stands in it.
 */
import { readFileSync } from 'node:fs'
import type { HtmlPage } from '../../../http/route.ts'
import type { PublicFacts } from './facts.ts'

/** What the page finds in itself when a server has sent it; `null` in the file that people keep. */
export interface Served {
  /** Null: there is no sealed record at this address. Absent: the page was asked for and no record. */
  readonly facts?: PublicFacts | null
  /** Whose signatures this host stands for, as an auditor's policy. */
  readonly policy: string | null
}

const file = new URL('../../../../verifier/dist/verify.html', import.meta.url)
const place = '<script type="application/json" id="served">null</script>'

export function verifierPage(): (served: Served) => HtmlPage {
  const html = readFileSync(file, 'utf8')
  const [before, after, ...more] = html.split(place)
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
  if (after === undefined || more.length > 0 || policy === undefined)
    throw new Error('apps/verifier/dist/verify.html is not what was built; run npm run generate')
  const contentSecurityPolicy = `${policy}; frame-ancestors 'none'`
  return (served) => ({ html: `${before}${dataBlock(served)}${after}`, contentSecurityPolicy })
}

/** As JSON in which nothing can end the block. */
const dataBlock = (served: Served): string =>
  place.replace('null<', () => `${JSON.stringify(served).replaceAll('<', '\\u003c')}<`)
