/** A worker that runs the workflow of `execute-workflow.ts`, or a process that cancels one execution of it, until the test kills it. */
import { readConfig } from '@countersign/server/config/config.ts'
import { armFailpoint } from '@countersign/server/lib/failpoint.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices } from '@countersign/server/services.ts'
import { cancelExecution, type ToCancel } from './execute-cancel.ts'
import { definitions } from './execute-workflow.ts'

const config = readConfig()
armFailpoint(config.failpoint)
const services = openServices(config, makeLog(config), { definitions })
const { CANCEL: canceled } = process.env
if (canceled === undefined) services.workflows.start()
process.send?.('ready')
if (canceled !== undefined) void cancelExecution(services, JSON.parse(canceled) as ToCancel)
// Ends with the parent, which may die without sending a message.
process.on('disconnect', () => process.exit(0))
