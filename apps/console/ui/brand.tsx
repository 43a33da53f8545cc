/** Whose page this is: the center on its own domain, and the service elsewhere. */
import type { WhitelabelConfig } from '@countersign/sdk'
import type { CSSProperties } from 'react'
import { lineColor, ownLogo } from '../app/brand.ts'
import { useSite } from '../app/site.ts'
import { Mark } from './picture.tsx'
import { useUiWords } from './words.ts'

/** The color of the center is one line at the top of the page, and nothing else. */
export function bandOf(site: WhitelabelConfig | null | undefined): { className?: string; style?: CSSProperties } {
  if (!site) return {}
  const { primaryColor } = site.branding
  const style: Record<string, string> = {}
  for (const theme of ['light', 'dark'] as const) {
    const color = lineColor(primaryColor, theme)
    if (color) style[`--brand-${theme}`] = color
  }
  return { className: 'branded', style }
}

export function useBrandName(): string {
  const say = useUiWords()
  const { data: site, isPending } = useSite()
  // No name rather than a wrong one.
  return isPending ? '' : (site?.name ?? say('brand'))
}

export function Brand() {
  const { data: site, isPending } = useSite()
  const name = useBrandName()
  // No name rather than a wrong one.
  if (isPending) return null
  if (!site) {
    return (
      <>
        <Mark /> {name}
      </>
    )
  }
  const logo = ownLogo(site.branding.logo, location.origin)
  return (
    <>
      {logo && <img className="brand-logo" src={logo} alt="" />} {name}
    </>
  )
}
