/** A real DNS server on loopback, for TXT records. */
import dns2 from 'dns2'
import type { Client } from './client.ts'

export interface DnsServer {
  /** As WEBHOOK_DNS_SERVERS names it. */
  readonly address: string
  /** The values of the records at a name; a name without any does not exist. */
  readonly records: Map<string, readonly string[]>
  /** While true, the server refuses every question. */
  failing: boolean
  close(): Promise<void>
}

export async function startDns(): Promise<DnsServer> {
  const { TYPE, CLASS, RCODE } = dns2.Packet
  const records = new Map<string, readonly string[]>()
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const [question] = request.questions
      const response = dns2.Packet.createResponseFromRequest(request)
      const values = question?.type === TYPE.TXT ? records.get(question.name.toLowerCase()) : undefined
      if (own.failing) response.header.rcode = RCODE.SERVFAIL
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
