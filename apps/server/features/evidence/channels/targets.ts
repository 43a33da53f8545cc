/** Where a message may go: the hosts of Slack and Teams, and those that the operator allows. */
import type { AddressGuard } from '../../../lib/address-guard.ts'
import { Problem } from '../../../lib/problem.ts'
import type { ChannelKind } from './message.ts'

/** Since November 2025 the webhooks of Teams workflows are at this domain and at no other. */
const teamsDomain = '.environment.api.powerplatform.com'
const slackHosts = ['hooks.slack.com', 'hooks.slack-gov.com']

const isKnown: Readonly<Record<ChannelKind, (url: URL) => boolean>> = {
  slack: ({ hostname, pathname }) => slackHosts.includes(hostname) && pathname.startsWith('/services/'),
  teams: ({ hostname }) => hostname.endsWith(teamsDomain),
  // Everybody runs their own.
  mattermost: () => false,
}

const forms: Readonly<Record<ChannelKind, string>> = {
  slack: `An incoming webhook of Slack begins with https://${slackHosts[0]}/services/.`,
  teams: `A webhook of a Teams workflow has a host that ends with ${teamsDomain}.`,
  mattermost: 'Mattermost has no host of its own.',
}

export interface TargetRules {
  readonly guard: AddressGuard
  /** NOTIFICATION_HOSTS. */
  readonly allowedHosts: readonly string[]
}

/** Whether a message may be sent there now: the settings may have changed since the channel was added. */
export function refusalOf(kind: ChannelKind, text: string, { guard, allowedHosts }: TargetRules): string | null {
  const refusal = guard.refusalOf(text)
  if (refusal !== null) return refusal
  const url = new URL(text)
  if (allowedHosts.includes(url.hostname) || isKnown[kind](url)) return null
  return `${forms[kind]} For another host, ask the operator to add it to NOTIFICATION_HOSTS.`
}

export function requireTarget(kind: ChannelKind, text: string, rules: TargetRules): { readonly host: string } {
  const refusal = refusalOf(kind, text, rules)
  if (refusal !== null) throw new Problem('VALIDATION_ERROR', `"url": ${refusal}`)
  return { host: new URL(text).hostname }
}
