/** A worker that tells people of causes and sends what waits, until the test kills it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '@countersign/server/config/config.ts'
import { tellPeopleJob } from '@countersign/server/features/identity/notifications/tell-people.job.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices } from '@countersign/server/services.ts'

const config = readConfig()
const services = openServices(config, makeLog(config))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
const tell = async () => {
  for (;;) {
    await tellPeopleJob(services, 'main')
    await sleep(20)
  }
}
const send = async () => {
  for (;;) {
    await services.mail.sendDue()
    await sleep(20)
  }
}
await Promise.all([tell(), send()])
