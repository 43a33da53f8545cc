/** What the server reaches over the network: Redis, the mail server, names and witnesses. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config/config.ts'
import { openService } from '../../lib/outbound-http.ts'
import { type Finding, failed, look, ok, skipped, warning } from './finding.ts'

const redis = ({ redisUrl, production }: Config): Promise<Finding> => {
  const remedy = 'Check REDIS_URL. Without Redis, each process counts rate limits on its own.'
  return look('redis', undefined, remedy, async () => {
    if (redisUrl === null) return production ? warning("REDIS_URL isn't set.", remedy) : skipped("REDIS_URL isn't set.")
    const client = new Redis(redisUrl, { lazyConnect: true, connectTimeout: 3000, retryStrategy: () => null })
    client.on('error', () => {})
    try {
      await client.connect()
      const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of an unknown version'
      return ok(`Redis ${version} is responding.`)
    } finally {
      client.disconnect()
    }
  })
}

const smtp = ({ smtpUrl, production }: Config): Promise<Finding> => {
  const remedy = "Set SMTP_URL. Without a mail server, invitations and password resets don't work."
  return look('smtp', undefined, 'Check the host, port, user and password in SMTP_URL.', async () => {
    if (smtpUrl === null) return production ? failed("SMTP_URL isn't set.", remedy) : skipped("SMTP_URL isn't set.")
    const transport = createTransport(smtpUrl)
    try {
      await transport.verify()
      return ok('The mail server accepts the credentials.')
    } finally {
      transport.close()
    }
  })
}

const name = (setting: string, url: string): Promise<Finding> => {
  const { hostname } = new URL(url)
  const remedy = `Add a DNS record for ${hostname}, or fix ${setting}.`
  return look('dns', hostname, remedy, async () => {
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
      return warning(`${setting} is an IP address, so passkeys don't work.`, `Set ${setting} to a host name.`)
    const found = await lookup(hostname, { all: true })
    return ok(`It has ${found.length === 1 ? 'one address' : `${found.length} addresses`}.`)
  })
}

const witnesses = ({ log }: Config): readonly Promise<Finding>[] => {
  if (log.policy.trim() === '') {
    const remedy =
      "Name witnesses in TLOG_POLICY_FILE. Without them, restoring an old copy of both the database and the fence store can't be detected."
    return [look('witness', undefined, remedy, () => warning('No witness is configured.', remedy))]
  }
  let policy: TrustPolicy
  try {
    policy = parsePolicy(`${log.policy}\n`)
  } catch (error) {
    const remedy = 'Fix the file that TLOG_POLICY_FILE names.'
    return [look('witness', undefined, remedy, () => failed((error as Error).message, remedy))]
  }
  return policy.witnesses.flatMap(({ name: witness, url }) => {
    if (url === null) return []
    const remedy = `Ask the operator of ${witness}, or fix its URL in TLOG_POLICY_FILE.`
    return look('witness', witness, remedy, async () => {
      const service = openService(`${url.replace(/\/$/, '')}/add-checkpoint`, { timeoutMs: 5000, maxBytes: 64 * 1024 })
      try {
        // Not a checkpoint, so the witness learns nothing and refuses it.
        const { status } = await service.post(
          { 'content-type': 'text/plain; charset=utf-8' },
          '',
          new AbortController().signal,
        )
        return status === null ? failed("It isn't responding.", remedy) : ok('It is responding.')
      } finally {
        await service.close()
      }
    })
  })
}

export const networkChecks = (config: Config): readonly Promise<Finding>[] => [
  redis(config),
  smtp(config),
  name('PUBLIC_URL', config.publicUrl),
  ...(new URL(config.authUrl).hostname === new URL(config.publicUrl).hostname
    ? []
    : [name('AUTH_URL', config.authUrl)]),
  ...witnesses(config),
]
