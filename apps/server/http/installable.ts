/** What a browser needs to put the console on a home screen: a manifest in the reader's language, and icons of the one mark. */
import { draw, picture, svgText } from '@countersign/design/drawing.ts'
import { markDrawing } from '@countersign/design/mark.ts'
import en from '@countersign/words/en/ui.json' with { type: 'json' }
import ko from '@countersign/words/ko/ui.json' with { type: 'json' }
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './failures.ts'
import { iconPng, plainPng } from './icons.ts'
import { addressKey, enforce } from './identify.ts'
import { preferredLanguage } from './preferences.ts'
import type { RateLimits } from './rate-limit.ts'

interface Brand {
  readonly name: string
  readonly primaryColor: string
}

const folder = '/assets/icons/'
const icons: Readonly<Record<string, { readonly size: number; readonly share: number; readonly purpose?: string }>> = {
  'icon-192.png': { size: 192, share: 0.8, purpose: 'any' },
  'icon-512.png': { size: 512, share: 0.8, purpose: 'any' },
  'maskable-512.png': { size: 512, share: 0.54, purpose: 'maskable' },
  'touch-180.png': { size: 180, share: 0.66 },
}
const paper = '#fbfaf6'
const markSvg = svgText(markDrawing({ label: '', color: '#656B71' }))
const plainSvg = (color: string): string =>
  svgText(
    picture(
      { className: 'mark', label: '', width: 24, height: 24, viewBox: '0 0 24 24' },
      draw('rect', { width: 24, height: 24, fill: color }),
    ),
  )

/** `/` leads to what the person has to do today. */
export function manifestOf(brand: Brand | null, language: 'ko' | 'en') {
  const words = language === 'ko' ? ko : en
  const name = brand?.name ?? words.brand
  return {
    id: '/',
    ...{ name, short_name: name, description: words.installText },
    ...{ lang: language, dir: 'ltr' },
    ...{ start_url: '/', scope: '/', display: 'standalone' },
    ...{ theme_color: brand?.primaryColor ?? paper, background_color: paper },
    icons: Object.entries(icons).flatMap(([file, { size, purpose }]) =>
      purpose ? [{ src: folder + file, sizes: `${size}x${size}`, type: 'image/png', purpose }] : [],
    ),
  }
}

export function mountInstallable(
  http: FastifyInstance,
  limits: RateLimits,
  brandOf: (host: string) => Promise<Brand | null>,
): void {
  // Each is drawn once, when a browser first asks for it.
  const drawn = new Map<string, Buffer>()
  async function brandOfRequest(request: FastifyRequest, reply: FastifyReply): Promise<Brand | null> {
    // The name of a host is free to choose, and each one is looked up.
    enforce(reply, await limits.consume('public', addressKey(request.ip)))
    // Without the directory the service's own name is right enough.
    return brandOf(request.hostname).catch(() => null)
  }
  http.get('/assets/app.webmanifest', async (request, reply) => {
    const brand = await brandOfRequest(request, reply)
    const language = preferredLanguage(request.headers['accept-language']) ?? 'ko'
    return reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestOf(brand, language)))
  })
  http.get<{ Params: { file: string } }>(`${folder}:file`, async (request, reply) => {
    const brand = await brandOfRequest(request, reply)
    const { file } = request.params
    const icon = Object.hasOwn(icons, file) ? icons[file] : undefined
    if (!icon && file !== 'mark.svg') throw notFound()
    reply.header('cache-control', 'public, max-age=86400')
    if (!icon) return reply.type('image/svg+xml').send(brand ? plainSvg(brand.primaryColor) : markSvg)
    reply.type('image/png')
    if (brand) return reply.send(plainPng(icon.size, brand.primaryColor))
    const picture = drawn.get(file) ?? iconPng(icon.size, icon.share)
    drawn.set(file, picture)
    return reply.send(picture)
  })
}
