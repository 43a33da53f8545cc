/** A real DNS server on loopback, for TXT, CNAME and A records. */
import dns2 from 'dns2'
import type { Client } from './client.ts'

export interface DnsServer {
  /** As WEBHOOK_DNS_SERVERS names it. */
  readonly address: string
  /** The values of the records at a name; a name without any does not exist. */
  readonly records: Map<string, readonly string[]>
  /** Addresses or one alias by name; `*.example` answers for names without an entry of their own, as a wildcard does. */
  readonly hosts: Map<string, readonly string[] | { readonly alias: string }>
  /** While true, the server refuses every question. */
  failing: boolean
  close(): Promise<void>
}

export async function startDns(): Promise<DnsServer> {
  const { TYPE, CLASS, RCODE } = dns2.Packet
  const records = new Map<string, readonly string[]>()
  const hosts: DnsServer['hosts'] = new Map()
  const hostOf = (name: string) => hosts.get(name) ?? hosts.get(name.replace(/^[^.]+/, '*'))
  /** A name server follows its own aliases, and sends them along. */
  function hostAnswers(name: string, wantsAddress: boolean): object[] | null {
    const host = hostOf(name)
    if (!host) return null
    if ('alias' in host) {
      const alias = { name, type: TYPE.CNAME, class: CLASS.IN, ttl: 0, domain: host.alias }
      return [alias, ...(wantsAddress ? (hostAnswers(host.alias, true) ?? []) : [])]
    }
    return wantsAddress ? host.map((address) => ({ name, type: TYPE.A, class: CLASS.IN, ttl: 0, address })) : []
  }
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const [question] = request.questions
      const response = dns2.Packet.createResponseFromRequest(request)
      const values = question?.type === TYPE.TXT ? records.get(question.name.toLowerCase()) : undefined
      const host = question && hostAnswers(question.name.toLowerCase(), question.type === TYPE.A)
      if (own.failing) response.header.rcode = RCODE.SERVFAIL
      else if (question && question.type !== TYPE.TXT && host) (response.answers as object[]).push(...host)
      else if (!question || !values) response.header.rcode = RCODE.NXDOMAIN
      else {
        // The types ask for full resources; a plain record is what the library documents.
        const answers: Partial<(typeof response.answers)[number]>[] = response.answers
        for (const data of values) {
          answers.push({ name: question.name, type: TYPE.TXT, class: CLASS.IN, ttl: 0, data })
        }
      }
      void send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const own: DnsServer = {
    address: `127.0.0.1:${udp?.port}`,
    records,
    hosts,
    failing: false,
    close: () => server.close(),
  }
  return own
}

/** Adds a domain through the API, publishes its record and has it checked. Returns the domain. */
export async function proveDomain(
  client: Client,
  dns: DnsServer,
  { token, path, domain, purpose }: { token: string; path: string; domain: string; purpose?: 'email' | 'site' },
) {
  const added = await client.call('POST', path, { token, body: { domain, ...(purpose && { purpose }) } })
  if (added.status !== 201) throw new Error(`could not add a domain: ${added.text}`)
  const { id, record } = added.body.data
  dns.records.set(record.name, ['v=spf1 -all', record.value])
  const checked = await client.call('POST', `${path}/${id}/check`, { token })
  if (checked.body.data?.status !== 'proven') throw new Error(`could not prove a domain: ${checked.text}`)
  return checked.body.data
}
