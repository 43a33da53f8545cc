import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/**
 * Bodies, headers and query strings are never logged; what could still slip in through an error object is
 * removed by name here, and by form for our own credentials, wherever in the line they stand.
 * Without a word boundary in front: in the line, a newline is the letter n.
 */
const ownSecrets =
  /(csk_[a-z]+_|csr_|cst_|csi_|csp_|whsec_)[A-Za-z0-9_+/=-]+|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g

/** Inside a string the quotes would be escaped, so nothing that a caller sends can look like this. */
const isPrintedMail = (line: string): boolean => line.includes('"printedMail":{"to":')

export function makeLog(config: Pick<Config, 'logLevel'>, destination?: { write(line: string): void }): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      redact: {
        paths: [
          'password',
          'token',
          'refreshToken',
          'accessToken',
          'key',
          'authorization',
          'cookie',
          '*.password',
          '*.authorization',
          '*.cookie',
        ],
        censor: '[secret]',
      },
      serializers: {
        err(error: Error & { code?: string }) {
          return {
            type: error.name,
            code: error.code,
            message: String(error.message),
            stack: String(error.stack),
            ...(error.cause instanceof Error && { cause: String(error.cause.stack) }),
          }
        },
      },
      // The one exception: in development mail is printed instead of sent, and its link must work.
      hooks: { streamWrite: (line) => (isPrintedMail(line) ? line : line.replace(ownSecrets, '[secret]')) },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
