/**
 * Every setting in one table: name, check, default and documentation. The server reads the environment through it;
 * `.env.example` and docs/settings.md are generated from it.
 */
import { isAbsolute } from 'node:path'
import { environments } from '@countersign/contract/enums.ts'
import {
  address,
  choice,
  file,
  integer,
  list,
  matching,
  rate,
  type Setting,
  secret,
  shortText,
} from './setting-kinds.ts'
import {
  isCell,
  isDatabase,
  isDnsServer,
  isEd25519Key,
  isHostName,
  isHostOfUrl,
  isNetwork,
  isOrigin,
  isP256Key,
  isUrl,
} from './setting-values.ts'
import { limitSettings } from './settings-limits.ts'
import { listeningSettings } from './settings-listening.ts'
import { mailSettings } from './settings-mail.ts'
import { telemetrySettings } from './settings-telemetry.ts'

const keyForm = '32 random bytes in base64 (openssl rand -base64 32)'
const vapidForm = 'a P-256 private key: 32 bytes in base64url, 43 characters'
const passwordForm = 'printable ASCII characters without spaces'
const isWord = (text: string): boolean => !/[^\x21-\x7e]/.test(text)
const isFence = (text: string): boolean => text === 'none' || isAbsolute(text) || isDatabase(text)
const seconds = (text: string): boolean => /^\d{1,7}(\.\d{1,3})?$/.test(text)

export const settings = {
  NODE_ENV: choice(['development', 'test', 'production'], {
    default: 'development',
    doc: '`production` makes cookies `Secure` and host-only (`__Host-`), listens on all addresses, and refuses demo data',
  }),
  ENVIRONMENT_NAME: choice(environments, {
    unset: '`production` if `NODE_ENV` is `production`, otherwise `development`',
    doc: 'What the console calls this installation. It shows a badge for every name except `production`',
  }),
  ...listeningSettings,
  ROLE: choice(['all', 'api', 'worker'], {
    default: 'all',
    doc: '`api` serves requests; `worker` runs jobs and workflows, and delivers webhooks; `all` does both',
  }),

  DATABASE_URL: matching('postgres://user@host:5432/database', isDatabase, {
    unset: 'required; `npm run dev` starts its own database',
    doc: 'PostgreSQL 15 or later: the directory, and the only cell unless `CELLS` is set. The user in the URL is the one that runs migrations; a server connects as its own roles and needs no user',
  }),
  CELLS: list('name=postgres://host/database for each cell', isCell, {
    unset: 'one cell, `main`, in `DATABASE_URL`',
    doc: 'The database of each cell. A cell name has lowercase letters, digits and hyphens',
  }),
  DATABASE_PASSWORD: matching(passwordForm, isWord, {
    unset: 'no password is sent',
    doc: 'The password of the roles that the server connects as; `npm run db:migrate` sets it',
  }),
  DATABASE_PASSWORD_FILE: file({
    unset: 'none',
    doc: "A file with that password, read if `DATABASE_PASSWORD` isn't set",
  }),
  DATABASE_OPERATOR_PASSWORD: matching(passwordForm, isWord, {
    unset: 'no password is sent',
    doc: 'The password of the role that operator commands connect as. Give it to `npm run db:migrate`, which sets it, and to those commands, but not to servers',
  }),
  DATABASE_OPERATOR_PASSWORD_FILE: file({
    unset: 'none',
    doc: "A file with that password, read if `DATABASE_OPERATOR_PASSWORD` isn't set",
  }),
  PREPARED_STATEMENTS: choice(['on', 'off'], {
    default: 'on',
    doc: "Set to `off` if there's a connection pooler in transaction mode between the server and PostgreSQL",
  }),
  DURABILITY: choice(['off', 'warn', 'strict'], {
    unset: '`warn` in production, otherwise `off`',
    doc: 'Whether to check at startup that no database can lose what it has acknowledged (`fsync`, `full_page_writes`, `synchronous_commit`, `synchronous_standby_names`, a standby). `warn` logs one line for each database that can; `strict` refuses to start',
  }),
  POOL_SIZE: integer(1, 999_999_999, { default: '10', doc: 'Database connections per pool and process' }),
  REDIS_URL: matching('redis://host:6379', isUrl('redis', 'rediss'), {
    unset: 'none: each process counts rate limits on its own',
    doc: 'Redis shares rate limits between processes, and wakes idle workers when work is due',
  }),
  REDIS_PREFIX: matching('letters, digits and _ : . -', (text) => /^[\w:.-]{1,100}$/.test(text), {
    default: 'countersign',
    doc: 'The prefix of every Redis key and channel, so that several installations can share one Redis',
  }),

  PUBLIC_URL: address({
    unset: 'required in production; `http://localhost:PORT` in development',
    doc: "The URL where users reach the service. It's the audience of tokens and the origin of cookie requests. In production, it must start with `https://`, except on a loopback host",
  }),
  SCHEMA_URL: address({ unset: '`PUBLIC_URL/schema`', doc: 'The schema URL in exported proofs' }),
  AUTH_URL: address({
    unset: '`PUBLIC_URL`',
    doc: "The issuer of access tokens. Passkeys belong to its host, so you can't change it after the first start, and passkeys don't work with an IP address",
  }),

  SITE_TARGET: matching('a host name such as sites.example', (text) => /^([a-z0-9-]+\.)+[a-z0-9-]+$/.test(text), {
    unset: 'the host of `PUBLIC_URL`',
    doc: "The host that centers' own domains have to lead to, by a CNAME record or by the same addresses. Give it a name of its own if centers' domains shouldn't show yours",
  }),

  LMS_URL: address({
    unset: 'none',
    doc: "The learning application that members open from a center. `{center}` in the path stands for the center's subdomain. The address gets a single-use token as the query parameter `sso_token`, so in production it must start with `https://`",
  }),
  CMS_URL: address({ unset: 'none', doc: 'The same for the content application, which ADMINs and INSTRUCTORs open' }),
  ERP_URL: address({ unset: 'none', doc: 'The same for the business management application, which ADMINs open' }),

  TLOG_HOST: matching('a host name without https:// or a path', (text) => /^[\w.-]+(:\d+)?$/.test(text), {
    unset: 'the host of `PUBLIC_URL`',
    doc: "The host in log names. It's hashed into every entry, so you can't change it after the first seal",
  }),
  TLOG_KEY: secret(`${keyForm}, or the output of "operator log-key new"`, {
    unset: 'required in production; derived from `SECRET_KEY` in development',
    doc: 'Signs every checkpoint. Use the output of `npm run operator -- log-key new`, or 32 random bytes in base64. Keep it separate from the databases and their backups',
  }),
  TLOG_KEY_FILE: file({
    unset: 'none; `npm run dev` creates one',
    doc: "A file with such keys, newest first, read if `TLOG_KEY` isn't set. Key rotation requires a file",
  }),
  TLOG_FENCE: matching(
    'an absolute path such as /var/lib/countersign/fence, postgres://user@host/fence, or none',
    isFence,
    {
      unset: 'required in production; `none` in development: a process remembers what it signed only until it stops',
      doc: 'Keeps a log from being signed twice at the same size, even after a failover or a restored backup. If all processes run on one machine, use a folder on its local disk. For several machines, use the URL of a database that its user owns, on a different PostgreSQL server from the cells. `none` turns it off',
    },
  ),
  TLOG_FENCE_COPY: matching('an absolute path such as /mnt/other/fence', isAbsolute, {
    unset: 'none',
    doc: 'A second folder, on another disk or a mounted share, that receives the same writes. Use it in place of `TLOG_FENCE` if the machine is lost',
  }),
  TLOG_POLICY_FILE: file({
    unset: 'none: no witnesses',
    doc: 'A trust policy file that names witnesses and how many of them must cosign',
  }),
  TSA_URL: address({
    unset: 'none: nothing is timestamped',
    doc: 'A time-stamping authority (RFC 3161). Once an hour, it timestamps every log that has grown',
  }),

  RATE_LIMIT_STANDARD: rate({
    default: '100/60',
    doc: 'Rate limit (requests/seconds) for one signed-in person, and for one API key that manages webhooks',
  }),
  RATE_LIMIT_PARTNER: rate({ default: '500/60', doc: 'Rate limit (requests/seconds) for one partner account' }),
  RATE_LIMIT_PUBLIC: rate({
    default: '30/60',
    doc: 'Rate limit (requests/seconds) for one client address without a valid credential',
  }),
  RATE_LIMIT_PROOF: rate({
    default: '1000/60',
    doc: 'Rate limit (requests/seconds) for one API key without its own limit',
  }),
  RATE_LIMIT_STANDARD_PER_CENTER: rate({
    unset: 'fifty times `RATE_LIMIT_STANDARD`',
    doc: 'Rate limit (requests/seconds) for all signed-in members of one center together, plus its API keys that manage webhooks. All centers that one account created for itself share one limit',
  }),
  RATE_LIMIT_PROOF_PER_CENTER: rate({
    unset: 'ten times `RATE_LIMIT_PROOF`',
    doc: 'Rate limit (requests/seconds) for all API keys of one center together. All centers that one account created for itself share one limit',
  }),
  RATE_LIMIT_BYTES_PER_CENTER: rate({
    default: '600000000/60',
    doc: 'Limit on request bodies (bytes/seconds) for one center, or for all centers that one account created for itself',
  }),
  RATE_LIMIT_LOGIN: rate({
    default: '5/900',
    doc: 'Limit on failed sign-in attempts (attempts/seconds) for one account from one address, and twenty times as many from one address across all accounts',
  }),

  ...limitSettings,

  WEBHOOK_RETRY_DELAYS: list('seconds such as 0, 30 or 0.5', seconds, {
    default: '0,30,120,600,3600,21600,86400',
    doc: 'Seconds to wait before each attempt to deliver a webhook, including the first. The number of values is the number of attempts',
  }),
  WEBHOOK_ALLOWED_NETWORKS: list('networks such as 10.0.0.0/8', isNetwork, {
    unset: 'none; `npm run dev` allows loopback',
    doc: "Private networks that every center's webhooks and sign-in providers may reach. `http://`, `nats://` and `amqp://` URLs are allowed for IP addresses in these networks. Not allowed in production: `0.0.0.0/0` and `::/0`",
  }),
  WEBHOOK_DNS_SERVERS: list('addresses such as 10.0.0.2 or 10.0.0.2:53', isDnsServer, {
    unset: "the system's name servers",
    doc: "Name servers used to resolve the hosts of webhook URLs and sign-in providers, and to look up the DNS records of centers' domains",
  }),

  NOTIFICATION_HOSTS: list('host names such as chat.example.com', isHostName, {
    unset: 'none: only the hosts of Slack, Teams and browser push services',
    doc: "Additional hosts that every center's notification channels and push messages may use, such as a Mattermost server. Private addresses also need `WEBHOOK_ALLOWED_NETWORKS`",
  }),

  VAPID_PRIVATE_KEY: matching(vapidForm, isP256Key, {
    unset: "none: the console says that push notifications aren't available",
    doc: 'Signs push messages to browsers (VAPID). Browsers subscribe with the matching public key, so they have to subscribe again if you change this key',
  }),
  VAPID_PRIVATE_KEY_FILE: file({
    unset: 'none',
    doc: "A file with that key, read if `VAPID_PRIVATE_KEY` isn't set",
  }),

  AI_BASE_URL: address({
    unset: 'none: workflows that need a model fail and say why',
    doc: 'The OpenAI-compatible server that writes workflow drafts, such as `https://models.example/v1`',
  }),
  AI_MODEL: shortText({ unset: 'required with `AI_BASE_URL`', doc: 'The model name' }),
  AI_API_KEY: matching(passwordForm, isWord, {
    unset: 'none',
    doc: "The model server's API key",
  }),
  AI_API_KEY_FILE: file({ unset: 'none', doc: "A file with that key, read if `AI_API_KEY` isn't set" }),
  AI_PROVIDER: shortText({
    unset: 'the host of `AI_BASE_URL`',
    doc: "The model's provider, as recorded with each draft",
  }),
  AI_TIMEOUT_SECONDS: integer(1, 280, {
    default: '60',
    doc: 'The maximum number of seconds that one response may take',
  }),
  AI_MAX_TOKENS: integer(1, 1_000_000, { default: '1000', doc: 'The maximum number of tokens in one response' }),

  SECRET_KEY: secret(keyForm, {
    unset: 'required; `npm run dev` creates one',
    doc: 'Encrypts secrets at rest: 32 random bytes in base64 (`openssl rand -base64 32`). During a rotation, list several keys, newest first',
  }),
  SECRET_KEY_FILE: file({
    unset: 'none',
    doc: "A file with such keys, one per line, read if `SECRET_KEY` isn't set",
  }),
  TRUSTED_PROXIES: list('networks such as 10.0.0.0/8', isNetwork, {
    unset: 'none: `X-Forwarded-For` is ignored',
    doc: 'Networks of the proxies whose `X-Forwarded-For` the server trusts. Not allowed in production: `0.0.0.0/0` and `::/0`',
  }),
  CORS_ORIGINS: list('origins such as https://console.example, without a path', isOrigin, {
    unset: 'none',
    doc: 'Origins of browser apps that may call the API and `/mcp` with bearer tokens, but never with the cookie',
  }),
  MCP_HOSTS: list('host names such as countersign.internal, without a port', isHostOfUrl, {
    unset: 'none',
    doc: 'Additional host names for `/mcp`, besides those of `PUBLIC_URL` and `AUTH_URL`. A request with any other `Host` is refused',
  }),

  ...mailSettings,

  BILLING_KEYS: list('Ed25519 public keys in base64 (SPKI, as in a PEM file)', isEd25519Key, {
    unset: 'none: a subscription changes only when the operator changes it or its trial ends',
    doc: 'Public keys of the billing system. Its signed payment events update subscriptions. During a rotation, list several keys',
  }),
  BILLING_URL: address({
    unset: 'none: the console asks administrators to contact the operator',
    doc: "The billing system's page. The console links to it from a center's subscription, with the center's ID and the chosen plan as the query parameters `center` and `plan`",
  }),

  ...telemetrySettings,
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    doc: '`debug` logs every request. Logs never contain bodies, headers or secrets',
  }),
  LOG_SUCCESSES: integer(0, 1_000_000, {
    default: '100',
    doc: 'At `info`, one in this many successful requests is logged; 0 logs none. Failed requests are always logged, at most 50 per second',
  }),
  MAX_IN_FLIGHT: integer(1, 999_999_999, {
    default: '2000',
    doc: 'The maximum number of requests in progress per process. Beyond that, new requests are refused (503)',
  }),
  MAX_IN_FLIGHT_PER_CENTER: integer(1, 999_999_999, {
    default: '500',
    doc: 'The maximum number of requests in progress per process for one center, or for one client address without a credential. Beyond that, new requests are refused (429)',
  }),
  MAX_BODY_BYTES: integer(1, 999_999_999, {
    default: '67108864',
    doc: 'The maximum number of bytes that a process holds at once for request bodies larger than 16 KiB. Beyond that, bodies wait unread, and centers take turns',
  }),
  MAX_BODY_BYTES_PER_CENTER: integer(1, 999_999_999, {
    default: '4194304',
    doc: 'The same limit for one center or client address. A body that has waited two to six seconds is refused (429)',
  }),
  ELIGIBILITY_SECONDS: integer(0, 604_800, {
    unset: '`0`; `86400` in production',
    doc: "Seconds until a new ADMIN's or INSTRUCTOR's role, or a person who was added to a group, counts for approvals, unless another ADMIN confirms it earlier",
  }),
  FAILPOINT: secret('for tests only; refused in production', {
    unset: 'none',
    doc: 'The point where a test stops the process, such as `provisioning: order`',
  }),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
export type SettingValue<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never
export const settingNames = Object.keys(settings) as readonly SettingName[]
