/**
 * The page of `apps/verifier/`, read from disk, with the facts of this server embedded as data. Its script is allowed
 * by hash only; a data block is never executed, whatever its content.
 */
import { readFileSync } from 'node:fs'
import type { HtmlPage } from '../../../http/route.ts'
import type { PublicFacts } from './facts.ts'

/** The data in a page that a server has sent; `null` in the file that users keep. */
export interface Served {
  /** Null: no sealed record has this id. Absent: the page was requested without a record. */
  readonly facts?: PublicFacts | null
  /** The center of the record has left: where its log was closed. */
  readonly left?: { readonly log: string; readonly size: number; readonly root: string; readonly closedAt: string }
  /** The keys of this host, as a trust policy for an auditor. */
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

/** JSON that cannot end the data block. */
const dataBlock = (served: Served): string =>
  place.replace('null<', () => `${JSON.stringify(served).replaceAll('<', '\\u003c')}<`)
