/** Every way to send, by name. A further one is a file in transports/ and a row here. */
import type { TransportNeeds } from './transport.ts'
import { broker } from './transports/broker.ts'
import { chat } from './transports/chat.ts'
import { http } from './transports/http.ts'
import { smtp } from './transports/smtp.ts'
import { text } from './transports/text.ts'
import { webPush } from './transports/web-push.ts'

export const openTransports = (needs: TransportNeeds) => ({
  http: http(needs),
  nats: broker('nats', needs),
  rabbitmq: broker('rabbitmq', needs),
  slack: chat('slack', needs),
  teams: chat('teams', needs),
  mattermost: chat('mattermost', needs),
  webPush: webPush(needs),
  smtp: smtp(needs),
  text: text(needs),
})

export type Transports = ReturnType<typeof openTransports>
