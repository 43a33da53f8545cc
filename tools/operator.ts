/** `npm run operator -- COMMAND` */
import { operate } from '@countersign/server/operator/operate.ts'
import { settings } from './settings.ts'

process.exitCode = await operate(process.argv.slice(2), settings(), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
