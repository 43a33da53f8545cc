/**
 * The color and the logo of a center where the design allows them. Red is the seal, and a line that cannot be seen says
 * nothing: such a color is left out, and the line is ink.
 */
const grounds = { light: '#fbfaf6', dark: '#15181a' } as const
const leastContrast = 3

const channels = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** As WCAG 2.2 computes it. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Hues that an eye calls red beside the seal, unless they are almost gray. */
export function isRed(hex: string): boolean {
  const [r = 0, g = 0, b = 0] = channels(hex)
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const spread = most - least
  if (spread < 0.2 || r < most) return false
  const hue = (60 * (g - b)) / spread
  return hue > -25 && hue < 28
}

/** The color as a line on the desk in this theme; null where it must not be used. */
export function lineColor(hex: string, theme: keyof typeof grounds): string | null {
  if (!/^#[0-9a-f]{6}$/.test(hex) || isRed(hex)) return null
  return contrast(hex, grounds[theme]) >= leastContrast ? hex : null
}

/** The page asks no other host, so a logo is shown only where it comes with the page or from this host. */
export function ownLogo(logo: string, origin: string): string | null {
  if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/.test(logo)) return logo
  return /^\/[^/\\]/.test(logo) || logo.startsWith(`${origin}/`) ? logo : null
}
