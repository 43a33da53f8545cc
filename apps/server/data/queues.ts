/** Every queue of a cell. Created by `npm run db:migrate`, because only the owner may. */
export const queues = [
  { name: 'housekeeping', policy: 'exclusive', retryLimit: 3, expireInSeconds: 600 },
  { name: 'count-events', policy: 'exclusive', retryLimit: 3, expireInSeconds: 60 },
  { name: 'waiting-decisions', policy: 'exclusive', retryLimit: 3, expireInSeconds: 60 },
  { name: 'notify-channels', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'end-trials', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'check-domains', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'tell-integrity', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'tell-freezes', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'pass-on-places', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'tell-people', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'read-figures', policy: 'exclusive', retryLimit: 0, expireInSeconds: 60 },
  { name: 'send-mail', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'send-push', policy: 'exclusive', retryLimit: 3, expireInSeconds: 300 },
  { name: 'recover-webhooks', policy: 'exclusive', retryLimit: 3, expireInSeconds: 3600, heartbeatSeconds: 60 },
  // A verification may take hours; a worker that died is detected by its missing heartbeat.
  { name: 'verify-chains', policy: 'exclusive', retryLimit: 3, expireInSeconds: 82_800, heartbeatSeconds: 60 },
] as const

export type QueueName = (typeof queues)[number]['name']
