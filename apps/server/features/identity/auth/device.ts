/** A plain description of the program and the machine behind a sign-in, from its User-Agent. */

/** The first that matches: browsers name those that they imitate. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bWhale\//, 'Whale'],
  [/\bKAKAOTALK\b/, 'KakaoTalk'],
  [/\bNAVER\(inapp/, 'NAVER'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export interface Device {
  readonly browser: string | null
  readonly system: string | null
}

/** A header can be as long as all headers together; names are in its beginning. */
const maxRead = 512

/** Only words of these tables are stored, never the header, which a caller writes. */
export function deviceOf(userAgent: string): Device {
  const text = userAgent.slice(0, maxRead)
  const first = (table: typeof browsers) => table.find(([pattern]) => pattern.test(text))?.[1] ?? null
  return { browser: first(browsers), system: first(systems) }
}
