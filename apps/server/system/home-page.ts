/** The start page at `/`. It has no script; the policy allows its style sheet by hash. */
import { createHash } from 'node:crypto'
import type { HtmlPage } from '../http/route.ts'

export const home = {
  name: 'Countersign',
  summary:
    'Holds decisions of AI agents, programs and people until they are approved, seals them, and exports proofs that anyone can check offline.',
  links: { docs: '/docs', verify: '/verify', openapi: '/openapi.json', health: '/health/ready' },
} as const

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
a{color:#0a6b44}dt{font-weight:600;margin-top:1rem}dd{margin:0}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#5fd3a2}}`

const entries: readonly (readonly [href: string, title: string, text: string])[] = [
  [home.links.docs, 'API reference', 'Every operation, with examples.'],
  [home.links.verify, 'Verifier', 'Check an exported proof in this browser. The file is not uploaded.'],
  [home.links.openapi, 'OpenAPI description', 'For code generators.'],
  [home.links.health, 'Health', 'Whether this server can serve requests.'],
]

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${home.name}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${home.name}</h1>
<p>${home.summary}</p>
<dl>
${entries.map(([href, title, text]) => `<dt><a href="${href}">${title}</a></dt><dd>${text}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`

export const homePage: HtmlPage = {
  html,
  contentSecurityPolicy: [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
