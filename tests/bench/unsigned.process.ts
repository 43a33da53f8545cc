/** The same server without trees over the chains: it computes no tree, no signature and no receipt. */

import { makeApp } from '@countersign/server/app.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { inheriting } from '@countersign/server/features/evidence/policies/inherited.ts'
import { alarmOfSealing } from '@countersign/server/integrity/faults.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { untilCounting } from '@countersign/server/lib/redis.ts'
import { sequencer } from '@countersign/server/sealing/sequencer.ts'
import { openServices } from '@countersign/server/services.ts'
import { noTrees } from './no-trees.ts'

const config = readConfig()
const services = openServices(config, makeLog(config))
const { cells, logBook, log } = services
const unsigned = inheriting(sequencer(cells, logBook, log, alarmOfSealing(log), { trees: noTrees }), services)
const app = await makeApp({ ...services, sequencer: unsigned })
await untilCounting(services.redis)
await app.http.listen({ port: config.port, host: config.host })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
