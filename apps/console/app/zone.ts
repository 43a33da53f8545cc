/** The time zone that a page shows: that of the center of the address, or of the decision in it; elsewhere that of the browser. */
const zones = new Map<string, string>()

/** `of`: the domain of a center in `/c/{center}`, the id in `/approve/{id}`. */
export const setZone = (of: string, zone: string): void => void zones.set(of, zone)

export function currentZone(): string {
  const [, place, of = ''] = location.pathname.split('/')
  const known = place === 'c' || place === 'approve' ? zones.get(of) : undefined
  return known ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
