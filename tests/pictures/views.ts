/** How a page is pictured. */
export const views = [
  { theme: 'light', language: 'ko' },
  { theme: 'dark', language: 'ko' },
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'en' },
] as const
export const phone = { width: 390, height: 844 }
export const screen = { width: 1440, height: 900 }
