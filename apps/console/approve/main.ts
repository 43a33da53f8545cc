/** The approval page. The server also sends this document for an address that nothing has. */
import '@countersign/design/tokens.css'
import '@countersign/design/base.css'
import '@countersign/design/view.css'
import '../decision/seal-boxes.css'
import './style.css'
import '../boot.js'
import { approvePage } from './approve.ts'
import { make } from './dom.ts'
import { notice, say, show } from './page.ts'
import { readSite } from './site.ts'

const [, id] = /^\/approve\/([^/]+)$/.exec(location.pathname) ?? []
await readSite()
if (id === undefined) show(() => notice(say('noPageTitle'), [say('noPageBody')]))
else void approvePage(decodeURIComponent(id))

// After the page, which is readable without them.
document.head.append(make('link', { rel: 'stylesheet', href: '/assets/fonts.css' }))
