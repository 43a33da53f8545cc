import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/**
 * Bodies, headers and query strings are never logged; what could still slip in through an error object is
 * removed by name here, and by form for our own credentials, wherever in the line they stand.
 * Without a word boundary in front: in the line, a newline is the letter n.
 */
const ownSecrets =
  /(csk_[a-z]+_|csr_|cst_|csi_|csp_|whsec_)[A-Za-z0-9_+/=-]+|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g

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
      hooks: { streamWrite: (line) => line.replace(ownSecrets, '[secret]') },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
