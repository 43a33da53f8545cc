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
const vapidForm = 'a private key of P-256: 32 bytes in base64url, 43 characters'
const passwordForm = 'one word of printable ASCII characters'
const isWord = (text: string): boolean => !/[^\x21-\x7e]/.test(text)
const isFence = (text: string): boolean => text === 'none' || isAbsolute(text) || isDatabase(text)
const seconds = (text: string): boolean => /^\d{1,7}(\.\d{1,3})?$/.test(text)

export const settings = {
  NODE_ENV: choice(['development', 'test', 'production'], {
    default: 'development',
    doc: '`production` makes cookies `Secure` and bound to their host (`__Host-`), listens on all addresses and refuses demo data',
  }),
  ENVIRONMENT_NAME: choice(environments, {
    unset: '`production` where `NODE_ENV` is, otherwise `development`',
    doc: 'What the console calls this installation. It shows a badge for every name but `production`',
  }),
  ...listeningSettings,
  ROLE: choice(['all', 'api', 'worker'], {
    default: 'all',
    doc: '`api` serves requests; `worker` runs jobs and workflows and delivers webhooks; `all` does both',
  }),

  DATABASE_URL: matching('postgres://user@host:5432/database', isDatabase, {
    unset: 'required; `npm run dev` starts its own',
    doc: 'PostgreSQL 15 or newer: the directory, and the only cell unless `CELLS` is set. The user in it is the one that migrates; a server logs in as its own roles and needs none',
  }),
  CELLS: list('name=postgres://host/database', isCell, {
    unset: 'one cell, `main`, in `DATABASE_URL`',
    doc: 'The databases of the cells; a name has lowercase letters, digits and hyphens',
  }),
  DATABASE_PASSWORD: matching(passwordForm, isWord, {
    unset: 'none is sent',
    doc: 'The password of the roles that the server logs in as; `npm run db:migrate` sets it',
  }),
  DATABASE_PASSWORD_FILE: file({
    unset: 'none',
    doc: 'A file with that password, read where `DATABASE_PASSWORD` is not set',
  }),
  DATABASE_OPERATOR_PASSWORD: matching(passwordForm, isWord, {
    unset: 'none is sent',
    doc: "The password of the role that the operator's commands log in as. Give it to `npm run db:migrate`, which sets it, and to those commands, not to servers",
  }),
  DATABASE_OPERATOR_PASSWORD_FILE: file({
    unset: 'none',
    doc: 'A file with that password, read where `DATABASE_OPERATOR_PASSWORD` is not set',
  }),
  PREPARED_STATEMENTS: choice(['on', 'off'], {
    default: 'on',
    doc: '`off` where a pooler in transaction mode is between the server and PostgreSQL',
  }),
  DURABILITY: choice(['off', 'warn', 'strict'], {
    unset: '`warn` in production, otherwise `off`',
    doc: 'Whether a process says at its start that a database may lose what it has acknowledged (`fsync`, `full_page_writes`, `synchronous_commit`, `synchronous_standby_names`, a standby): `warn` logs one line for each database, `strict` refuses to start',
  }),
  POOL_SIZE: integer(1, 999_999_999, { default: '10', doc: 'Database connections per pool and process' }),
  REDIS_URL: matching('redis://host:6379', isUrl('redis', 'rediss'), {
    unset: 'none: each process counts by itself',
    doc: 'Redis shares the rate limits between processes, and tells workers at rest that work is due',
  }),
  REDIS_PREFIX: matching('letters, digits and _ : . -', (text) => /^[\w:.-]{1,100}$/.test(text), {
    default: 'countersign',
    doc: 'The prefix of every Redis key and channel, so that several installations can share one Redis',
  }),

  PUBLIC_URL: address({
    unset: 'required in production; `http://localhost:PORT` in development',
    doc: 'The URL at which users reach the service: the audience of tokens, and the origin that cookie requests come from. In production `https://`, except on a loopback host',
  }),
  SCHEMA_URL: address({ unset: '`PUBLIC_URL/schema`', doc: 'The URL of the schema that exported proofs name' }),
  AUTH_URL: address({
    unset: '`PUBLIC_URL`',
    doc: 'The issuer of access tokens. Its host is that of all passkeys: it cannot change after the first start, and an IP address has no passkeys',
  }),

  TLOG_HOST: matching('a host name, without https:// and path', (text) => /^[\w.-]+(:\d+)?$/.test(text), {
    unset: 'the host of `PUBLIC_URL`',
    doc: 'The host in the names of the logs, hashed into every entry; it cannot change after the first seal',
  }),
  TLOG_KEY: secret(`${keyForm}, or a line of "operator log-key new"`, {
    unset: 'required in production; derived from `SECRET_KEY` in development',
    doc: 'Signs every checkpoint: a line of `npm run operator -- log-key new`, or 32 random bytes in base64. Keep it apart from the databases and their backups',
  }),
  TLOG_KEY_FILE: file({
    unset: 'none; `npm run dev` makes one',
    doc: 'A file with such keys, newest first, read where `TLOG_KEY` is not set; rotation needs a file',
  }),
  TLOG_FENCE: matching(
    'an absolute path such as /var/lib/countersign/fence, postgres://user@host/fence, or none',
    isFence,
    {
      unset: 'required in production; `none` in development: what was signed is remembered for the life of the process',
      doc: 'What keeps a size of a log from being signed twice, also after a failover or a restored backup. A folder on a local disk of the machine that runs all processes; for several machines the URL of a database in another PostgreSQL server than the cells, owned by its login. `none` does without',
    },
  ),
  TLOG_FENCE_COPY: matching('an absolute path such as /mnt/other/fence', isAbsolute, {
    unset: 'none',
    doc: 'A second folder, on another disk or a mounted share, that gets the same writes. It replaces `TLOG_FENCE` when the machine is lost',
  }),
  TLOG_POLICY_FILE: file({
    unset: 'none: no witnesses',
    doc: 'A file that names witnesses and how many of them must cosign',
  }),
  TSA_URL: address({
    unset: 'none: nothing is time-stamped',
    doc: 'A time-stamping authority (RFC 3161), asked once an hour for every log that has grown',
  }),

  RATE_LIMIT_STANDARD: rate({
    default: '100/60',
    doc: 'Requests per seconds for one signed-in person, and for one API key that manages webhooks',
  }),
  RATE_LIMIT_PARTNER: rate({ default: '500/60', doc: 'Requests per seconds for one partner account' }),
  RATE_LIMIT_PUBLIC: rate({
    default: '30/60',
    doc: 'Requests per seconds for one client address without a valid credential',
  }),
  RATE_LIMIT_PROOF: rate({
    default: '1000/60',
    doc: 'Requests per seconds for one API key without a limit of its own',
  }),
  RATE_LIMIT_STANDARD_PER_CENTER: rate({
    unset: 'fifty times `RATE_LIMIT_STANDARD`',
    doc: 'Requests per seconds for all signed-in members of one center together, and its API keys that manage webhooks; also for all centers together that one account has founded for itself',
  }),
  RATE_LIMIT_PROOF_PER_CENTER: rate({
    unset: 'ten times `RATE_LIMIT_PROOF`',
    doc: 'Requests per seconds for all API keys of one center together; also of all centers that one account has founded for itself',
  }),
  RATE_LIMIT_BYTES_PER_CENTER: rate({
    default: '600000000/60',
    doc: 'Bytes of request bodies per seconds for one center, or for all that one account has founded for itself',
  }),
  RATE_LIMIT_LOGIN: rate({
    default: '5/900',
    doc: 'Failed sign-in attempts per seconds for one account and address, and twenty times that for one address over all accounts',
  }),

  ...limitSettings,

  WEBHOOK_RETRY_DELAYS: list('seconds such as 0, 30 or 0.5', seconds, {
    default: '0,30,120,600,3600,21600,86400',
    doc: 'Seconds before each attempt to deliver a webhook, the first included; the count of numbers is the count of attempts',
  }),
  WEBHOOK_ALLOWED_NETWORKS: list('networks such as 10.0.0.0/8', isNetwork, {
    unset: 'none; `npm run dev` allows loopback',
    doc: 'Networks that webhooks and sign-in providers of every center may reach although they are not public; `http://`, `nats://` and `amqp://` are allowed there, for addresses. Production refuses `0.0.0.0/0` and `::/0`',
  }),
  WEBHOOK_DNS_SERVERS: list('addresses such as 10.0.0.2 or 10.0.0.2:53', isDnsServer, {
    unset: 'the name servers of the system',
    doc: 'Name servers that resolve the hosts of webhook URLs and sign-in providers, and that are asked for the records of domains',
  }),

  NOTIFICATION_HOSTS: list('host names such as chat.example.com', isHostName, {
    unset: 'none: only the hosts of Slack, Teams and the push services of browsers',
    doc: 'Further hosts to which notification channels and push messages of every center may go, such as a Mattermost; private addresses also need `WEBHOOK_ALLOWED_NETWORKS`',
  }),

  VAPID_PRIVATE_KEY: matching(vapidForm, isP256Key, {
    unset: 'none: the console offers no push messages and says so',
    doc: 'Signs push messages to browsers (VAPID). Browsers subscribe with its public key: after a change they have to subscribe again',
  }),
  VAPID_PRIVATE_KEY_FILE: file({
    unset: 'none',
    doc: 'A file with that key, read where `VAPID_PRIVATE_KEY` is not set',
  }),

  AI_BASE_URL: address({
    unset: 'none: workflows that need a model fail with a message that says so',
    doc: 'The OpenAI-compatible server that words drafts of workflows, such as `https://models.example/v1`',
  }),
  AI_MODEL: shortText({ unset: 'required with `AI_BASE_URL`', doc: 'The name of the model' }),
  AI_API_KEY: matching(passwordForm, isWord, {
    unset: 'none',
    doc: 'The key for the model server',
  }),
  AI_API_KEY_FILE: file({ unset: 'none', doc: 'A file with that key, read where `AI_API_KEY` is not set' }),
  AI_PROVIDER: shortText({ unset: 'the host of `AI_BASE_URL`', doc: 'The provider of the model, for the records' }),
  AI_TIMEOUT_SECONDS: integer(1, 280, { default: '60', doc: 'The longest time of one answer' }),
  AI_MAX_TOKENS: integer(1, 1_000_000, { default: '1000', doc: 'The most tokens of one answer' }),

  SECRET_KEY: secret(keyForm, {
    unset: 'required; `npm run dev` makes one',
    doc: 'Encrypts secrets at rest: 32 random bytes in base64 (`openssl rand -base64 32`); several keys, newest first, for a rotation',
  }),
  SECRET_KEY_FILE: file({
    unset: 'none',
    doc: 'A file with such keys, one on each line, read where `SECRET_KEY` is not set',
  }),
  TRUSTED_PROXIES: list('networks such as 10.0.0.0/8', isNetwork, {
    unset: 'none: `X-Forwarded-For` is ignored',
    doc: 'Networks of the proxies whose `X-Forwarded-For` the server believes. Production refuses `0.0.0.0/0` and `::/0`',
  }),
  CORS_ORIGINS: list('origins such as https://console.example, without a path', isOrigin, {
    unset: 'none',
    doc: 'Origins of browser applications that may call the API and `/mcp` with bearer tokens, never with the cookie',
  }),
  MCP_HOSTS: list('host names such as countersign.internal, without a port', isHostOfUrl, {
    unset: 'none',
    doc: 'Further names under which clients reach `/mcp`, beside those of `PUBLIC_URL` and `AUTH_URL`; a request with another `Host` is refused',
  }),

  ...mailSettings,

  BILLING_KEYS: list('Ed25519 public keys in base64 (SPKI, as in a PEM file)', isEd25519Key, {
    unset: 'none: only the operator moves subscriptions, and the end of a trial',
    doc: 'Public keys of the billing system whose signed payment events subscriptions follow; several during a rotation',
  }),

  ...telemetrySettings,
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    doc: '`debug` logs each request; logs never hold bodies, headers or secrets',
  }),
  LOG_SUCCESSES: integer(0, 1_000_000, {
    default: '100',
    doc: 'One of this many successful requests is logged at `info`, none with 0; failed requests always, at most 50 a second',
  }),
  MAX_IN_FLIGHT: integer(1, 999_999_999, {
    default: '2000',
    doc: 'Requests in progress beyond which the server refuses new ones (503)',
  }),
  MAX_IN_FLIGHT_PER_CENTER: integer(1, 999_999_999, {
    default: '500',
    doc: 'Requests in progress of one center, per process, beyond which the server refuses its new ones (429); also of one client address without a credential',
  }),
  MAX_BODY_BYTES: integer(1, 999_999_999, {
    default: '67108864',
    doc: 'Bytes of request bodies above 16 KiB that a process holds at a time; further ones wait unread, and centers take turns',
  }),
  MAX_BODY_BYTES_PER_CENTER: integer(1, 999_999_999, {
    default: '4194304',
    doc: 'The same for one center or client address; a body that has waited two to six seconds is refused (429)',
  }),
  ELIGIBILITY_SECONDS: integer(0, 604_800, {
    unset: '`0`; `86400` in production',
    doc: 'Seconds after which a new ADMIN or INSTRUCTOR counts for approvals, unless another ADMIN confirms it before',
  }),
  FAILPOINT: secret('for tests only, refused in production', {
    unset: 'none',
    doc: 'The point at which a test ends the process, such as `provisioning: order`',
  }),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
export type SettingValue<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never
export const settingNames = Object.keys(settings) as readonly SettingName[]
