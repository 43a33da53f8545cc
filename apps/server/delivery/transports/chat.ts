/** A message to a channel of a chat program, by its incoming webhook: one row for each program. */
import type { Exchange } from '../../lib/outbound-http.ts'
import type { AnswerRules } from '../outcome.ts'
import type { Transport, TransportNeeds } from '../transport.ts'

export interface ChatMessage {
  readonly sentence: string
  readonly url: string
  readonly label: string
}

interface ChatProgram {
  /** Whether the URL is one of the program itself. */
  isOwn(url: URL): boolean
  /** What such a URL looks like. */
  readonly form: string
  /** Without a button, and without anything that is unfolded into a preview. */
  body(message: ChatMessage): object
}

/** Since November 2025 the webhooks of Teams workflows are at this domain and at no other. */
const teamsDomain = '.environment.api.powerplatform.com'
const slackHosts = ['hooks.slack.com', 'hooks.slack-gov.com']

export const chatPrograms = {
  slack: {
    isOwn: ({ hostname, pathname }) => slackHosts.includes(hostname) && pathname.startsWith('/services/'),
    form: `This isn't a Slack incoming webhook, which starts with https://${slackHosts[0]}/services/.`,
    body: ({ sentence, url, label }) => ({
      text: `${sentence}\n<${url}|${label}>`,
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    }),
  },
  teams: {
    isOwn: ({ hostname }) => hostname.endsWith(teamsDomain),
    form: `This isn't a Teams workflow's webhook, whose host ends with ${teamsDomain}.`,
    body: ({ sentence, url, label }) => ({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: sentence, wrap: true },
              { type: 'TextBlock', text: `[${label}](${url})`, wrap: true },
            ],
          },
        },
      ],
    }),
  },
  mattermost: {
    // Everybody runs their own.
    isOwn: () => false,
    form: "This Mattermost server isn't allowed yet.",
    body: ({ sentence, url, label }) => ({ text: `${sentence}\n[${label}](${url})` }),
  },
} as const satisfies Readonly<Record<string, ChatProgram>>

export type ChatKind = keyof typeof chatPrograms

/** Slack answers with a word such as no_service or invalid_payload; anything longer is not repeated. */
function answered({ responseStatus, excerpt }: Exchange): string {
  const word = excerpt.trim()
  return `The chat app responded with ${responseStatus}${/^[a-z_]{1,40}$/.test(word) ? ` (${word})` : ''}.`
}

export const chatRules: AnswerRules = {
  schedule: { pauses: [60, 300, 900, 3600], afterwards: 'repeat' },
  gone: [401, 403, 404, 410],
  refusals: 'final',
  answered,
}

const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Countersign-Notifications/1' }

/** To the URL of a channel. */
export const chat = (
  kind: ChatKind,
  { config, guard, outbound }: Pick<TransportNeeds, 'config' | 'guard' | 'outbound'>,
): Transport<string, ChatMessage> => ({
  rules: chatRules,
  refusalOf(text) {
    const refusal = guard.refusalOfUrl(text)
    if (refusal !== null) return refusal
    const url = new URL(text)
    const { isOwn, form } = chatPrograms[kind]
    if (config.notificationHosts.includes(url.hostname) || isOwn(url)) return null
    return `${form} To use another host, ask the operator to allow it.`
  },
  send: (url, message) => outbound.post(url, headers, Buffer.from(JSON.stringify(chatPrograms[kind].body(message)))),
})
