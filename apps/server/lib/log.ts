import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/**
 * Bodies, headers and query strings are never logged. Secrets that reach the log in an error object are removed here:
 * by field name, and for our own credentials also by their form, at any position of the line. The expression has no
 * leading word boundary, because a newline before a credential is written as `\n`, which ends with a letter.
 */
const ownSecrets = /(csk_[a-z]+_|cs[a-z]_|whsec_)[A-Za-z0-9_+/=-]+|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g

/** Inside a string the quotes would be escaped, so no text of a caller can match. */
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
      // Exception: in development, mail is printed instead of sent, and its link must work.
      hooks: { streamWrite: (line) => (isPrintedMail(line) ? line : line.replace(ownSecrets, '[secret]')) },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
