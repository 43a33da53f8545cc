/** The same server without group commit: every seal is a separate transaction that waits for the row lock of the chain head. */

import { makeApp } from '@countersign/server/app.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { inheriting } from '@countersign/server/features/evidence/policies/inherited.ts'
import { alarmOfSealing } from '@countersign/server/integrity/faults.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { untilCounting } from '@countersign/server/lib/redis.ts'
import { sequencer } from '@countersign/server/sealing/sequencer.ts'
import { openServices } from '@countersign/server/services.ts'

const config = readConfig()
const services = openServices(config, makeLog(config))
const inFlight = { small: config.poolSize, large: 1, waiting: config.poolSize, alone: 1 }
const options = { limits: { batchItems: 1, inFlight }, ordered: false, waits: true }
const app = await makeApp({
  ...services,
  sequencer: inheriting(
    sequencer(services.cells, services.logBook, services.log, alarmOfSealing(services.log), options),
    services,
  ),
})
await untilCounting(services.redis)
await app.http.listen({ port: config.port, host: config.host })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
