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
  const remedy = 'Check REDIS_URL. Without Redis each process counts rate limits on its own.'
  return look('redis', undefined, remedy, async () => {
    if (redisUrl === null)
      return production ? warning('REDIS_URL is not set.', remedy) : skipped('REDIS_URL is not set.')
    const client = new Redis(redisUrl, { lazyConnect: true, connectTimeout: 3000, retryStrategy: () => null })
    client.on('error', () => {})
    try {
      await client.connect()
      const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of an unknown version'
      return ok(`Redis ${version} answers.`)
    } finally {
      client.disconnect()
    }
  })
}

const smtp = ({ smtpUrl, production }: Config): Promise<Finding> => {
  const remedy = 'Set SMTP_URL. Without a mail server invitations and forgotten passwords are refused.'
  return look('smtp', undefined, 'Check SMTP_URL: host, port, user and password.', async () => {
    if (smtpUrl === null) return production ? failed('SMTP_URL is not set.', remedy) : skipped('SMTP_URL is not set.')
    const transport = createTransport(smtpUrl)
    try {
      await transport.verify()
      return ok('The mail server accepts the login.')
    } finally {
      transport.close()
    }
  })
}

const name = (setting: string, url: string): Promise<Finding> => {
  const { hostname } = new URL(url)
  const remedy = `Add a DNS record for ${hostname}, or correct ${setting}.`
  return look('dns', hostname, remedy, async () => {
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
      return warning(
        `${setting} names an IP address, for which there are no passkeys.`,
        `Set ${setting} to a host name.`,
      )
    const found = await lookup(hostname, { all: true })
    return ok(`It has ${found.length === 1 ? 'one address' : `${found.length} addresses`}.`)
  })
}

const witnesses = ({ log }: Config): readonly Promise<Finding>[] => {
  if (log.policy.trim() === '') {
    const remedy =
      'Name witnesses in TLOG_POLICY_FILE: without them, an old copy of database and store together is not noticed.'
    return [look('witness', undefined, remedy, () => warning('No witness is configured.', remedy))]
  }
  let policy: TrustPolicy
  try {
    policy = parsePolicy(`${log.policy}\n`)
  } catch (error) {
    const remedy = 'Correct the file that TLOG_POLICY_FILE names.'
    return [look('witness', undefined, remedy, () => failed((error as Error).message, remedy))]
  }
  return policy.witnesses.flatMap(({ name: witness, url }) => {
    if (url === null) return []
    const remedy = `Ask the operator of ${witness}, or correct its URL in TLOG_POLICY_FILE.`
    return look('witness', witness, remedy, async () => {
      const service = openService(`${url.replace(/\/$/, '')}/add-checkpoint`, { timeoutMs: 5000, maxBytes: 64 * 1024 })
      try {
        // Not a checkpoint, so the witness learns nothing and refuses it.
        const { status } = await service.post(
          { 'content-type': 'text/plain; charset=utf-8' },
          '',
          new AbortController().signal,
        )
        return status === null ? failed('It does not answer.', remedy) : ok('It answers.')
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
