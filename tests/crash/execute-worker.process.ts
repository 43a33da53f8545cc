/** A worker that runs the workflow of `execute-ground.ts` and is expected to die. */
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
// As long as the parent lives; it may die without a word.
process.on('disconnect', () => process.exit(0))
