/** `operator log-key`: the command over log-key.ts. */
import { newLogKey, reportTheft, rotateLogKey, rotationInstructions } from './log-key.ts'
import { type Command, UsageError } from './shell.ts'

export const logKeyCommand: Command = {
  takes: 'new|rotate [FILE] [--stolen]',
  does: 'print a key for TLOG_KEY_FILE, or add a new first key to FILE; with --stolen, it starts signing right away',
  async runOffline(settings, what = '', file, option) {
    if (what !== 'new' && what !== 'rotate')
      throw new UsageError(`The first argument must be new or rotate, not "${what}".`)
    if (what === 'new') {
      if (file !== undefined)
        throw new UsageError('log-key new takes no FILE; it prints the key: npm run --silent operator -- log-key new')
      return newLogKey()
    }
    if (file === undefined) throw new UsageError('FILE is missing. Use the file that TLOG_KEY_FILE names.')
    if (option !== undefined && option !== '--stolen') {
      throw new UsageError(`Unknown option "${option}". Use --stolen.`)
    }
    const rotated = await rotateLogKey(file, settings, option !== undefined)
    const untold = rotated.stolen && (await reportTheft(settings, rotated.stolen))
    return rotationInstructions(file, rotated, untold)
  },
}
