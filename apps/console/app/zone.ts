/** The time zone that a page shows: that of the center in the address, elsewhere that of the browser. */
const zones = new Map<string, string>()

export const setZone = (center: string, zone: string): void => void zones.set(center, zone)

export function currentZone(): string {
  const [, place, center = ''] = location.pathname.split('/')
  return (place === 'c' && zones.get(center)) || Intl.DateTimeFormat().resolvedOptions().timeZone
}
