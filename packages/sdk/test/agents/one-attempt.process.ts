/** An agent that waits for a person or runs its tool until it is killed. */
import { Countersign } from '../../countersign.ts'
import { parseTrust } from '../../guard.ts'
import { frameworks } from './frameworks.ts'

const { url, key, policy, center, agentId, name, ...scene } = JSON.parse(process.env.SCENE ?? '{}')
const say = (text: string) => process.stdout.write(`${text}\n`)
const framework = frameworks.find((each) => each.name === name)
setInterval(() => {}, 1000)
await framework?.attempt({
  ...scene,
  run: () => {
    say('running')
    return new Promise(() => {})
  },
  options: {
    client: new Countersign({ baseUrl: url, apiKey: key }),
    trust: parseTrust(policy),
    center,
    agent: { id: agentId },
    withinMs: 60_000,
    onWaiting: () => say('waiting'),
  },
})
