/** A worker that runs the workflow of `execute-workflow.ts` until the test kills it. */
import { readConfig } from '@countersign/server/config.ts'
import { armFailpoint } from '@countersign/server/lib/failpoint.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices } from '@countersign/server/services.ts'
import { definitions } from './execute-workflow.ts'

const config = readConfig()
armFailpoint(config.failpoint)
const { workflows } = openServices(config, makeLog(config), { definitions })
workflows.start()
process.send?.('ready')
// Ends with the parent, which may die without sending a message.
process.on('disconnect', () => process.exit(0))
