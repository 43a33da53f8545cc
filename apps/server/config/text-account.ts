/** The account at a provider of text messages, as TEXT_URL states it: `sens://KEY:SECRET@HOST/SERVICE`. */
export interface TextAccount {
  readonly provider: 'sens' | 'solapi'
  readonly key: string
  readonly secret: string
  readonly origin: string
  /** The service of SENS; empty for SOLAPI. */
  readonly service: string
}

/** `+http` reaches a stand-in of a provider on the operator's own machine. */
const form = /^(sens|solapi)(\+http)?:\/\/([^:@/\s]+):([^@/\s]+)@([^/\s]+)(?:\/([^\s]*))?$/

export function textAccount(url: string): TextAccount | null {
  const [, provider, plain, key = '', secret = '', host, service = ''] = form.exec(url) ?? []
  if (provider === undefined || (provider === 'sens') !== (service !== '')) return null
  try {
    const [named, known, hidden] = [service, key, secret].map(decodeURIComponent) as [string, string, string]
    const origin = new URL(`${plain ? 'http' : 'https'}://${host}`).origin
    return { provider: provider as TextAccount['provider'], key: known, secret: hidden, origin, service: named }
  } catch {
    return null
  }
}
