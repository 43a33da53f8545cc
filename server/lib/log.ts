import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/**
 * Bodies, headers and query strings are never logged; what could still slip in through an error object is
 * removed by name here, and by form for our own credentials.
 */
const ownSecrets =
  /\b(csk_[a-z]+_|csr_|cst_|whsec_)[A-Za-z0-9_+/=-]+|\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g

const scrub = (text: string): string => text.replace(ownSecrets, '[secret]')

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
            message: scrub(String(error.message)),
            stack: scrub(String(error.stack)),
            ...(error.cause instanceof Error && { cause: scrub(String(error.cause.stack)) }),
          }
        },
      },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg) => (typeof arg === 'string' ? scrub(arg) : arg)) as typeof args
          method.apply(this, clean)
        },
      },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
